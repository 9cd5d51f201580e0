"""An answer key judged with DuckDB: python key_duckdb.py SHEET.csv FOLDER [csv]."""

import hashlib
import json
import sys
from pathlib import Path

import duckdb

JUDGED = """
create table judged as
with words as (
    select row_number() over () + 1 as source_row, *
    from read_csv($sheet, header = true, all_varchar = true, delim = ',', quote = '"',
                  allow_quoted_nulls = false)
),
labels as (
    select *,
        case lower(expected) when 'true' then true when 'false' then false end as key_label,
        case lower(answer) when 'true' then true when 'false' then false end as answer_label
    from words
),
repeated as (select id from words where id is not null group by id having count(*) > 1)
select labels.*,
    case
        when id is null then 'id-missing'
        when id in (from repeated) then 'id-duplicate'
        when state = 'disputed' then 'disputed'
        when state is null then 'state-missing'
        when state <> 'agreed' then 'state-unknown'
        when expected is null then 'expected-missing'
        when key_label is null then 'expected-not-boolean'
        when answer is null then 'answer-missing'
        when answer_label is null then 'answer-not-boolean'
    end as reason
from labels
"""
COUNTED = """
select count(*), count(*) filter (reason is null), count(*) filter (reason = 'disputed'),
    count(*) filter (reason is null and key_label = answer_label)
from judged
"""
RESULTS = {
    "scored": ("key_label = answer_label as pass", "reason is null"),
    "held": (
        "reason, null as decision, null as decided_by, null as decided_on, null as decision_note",
        "reason = 'disputed'",
    ),
    "invalid": ("reason", "reason <> 'disputed'"),
}


def main(sheet: Path, folder: Path, to: str = "csv") -> None:
    """Judge every row, and write the three sheets and the counts."""
    if to != "csv":
        raise SystemExit("DuckDB writes CSV here")
    folder.mkdir(parents=True, exist_ok=True)
    with sheet.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    base = duckdb.connect()
    base.execute(JUDGED, {"sheet": str(sheet)})
    total, scored, held, passed = base.execute(COUNTED).fetchall()[0]
    for name, (results, where) in RESULTS.items():
        base.execute(
            f"copy (select id, state, expected, answer, note, {results}, "
            f"'{scored} of {total}' as coverage, source_row from judged where {where} "
            f"order by source_row) to '{folder / name}.csv' (header)"
        )
    counts = {"scored": scored, "held": held, "invalid": total - scored - held}
    summary = {"total": total, **counts, "passed": passed, "sha256": digest}
    (folder / "coverage.json").write_text(json.dumps(summary), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
