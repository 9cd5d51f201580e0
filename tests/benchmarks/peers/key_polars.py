"""An answer key judged with Polars: python key_polars.py SHEET FOLDER [csv|xlsx]."""

import hashlib
import json
import sys
from pathlib import Path

import polars as pl

DECISION = ("decision", "decided_by", "decided_on", "decision_note")


def boolean(name: str) -> pl.Expr:
    """Read a column of words or Booleans; null where it holds neither."""
    word = pl.col(name).str.to_lowercase()
    return pl.when(word.is_in(["true", "false"])).then(word == "true")


def read(sheet: Path) -> pl.DataFrame:
    """Read every cell as text."""
    if sheet.suffix == ".xlsx":
        return pl.read_excel(sheet, engine="calamine", infer_schema_length=0)
    return pl.read_csv(sheet, infer_schema=False)


def reasons() -> pl.Expr:
    """Give the reason that decides, null for cases to score."""
    state, expected, answer = (pl.col(name) for name in ("state", "expected", "answer"))
    checks = (
        (pl.col("id").is_null(), "id-missing"),
        (pl.col("id").is_duplicated(), "id-duplicate"),
        (state == "disputed", "disputed"),
        (state.is_null(), "state-missing"),
        (state != "agreed", "state-unknown"),
        (expected.is_null(), "expected-missing"),
        (pl.col("key").is_null(), "expected-not-boolean"),
        (answer.is_null(), "answer-missing"),
        (pl.col("given").is_null(), "answer-not-boolean"),
    )
    # The first that holds decides.
    found = pl.lit(None, pl.String)
    for condition, reason in reversed(checks):
        found = pl.when(condition).then(pl.lit(reason)).otherwise(found)
    return found


def main(sheet: Path, folder: Path, to: str = "csv") -> None:
    """Judge every row, and write the three sheets and the counts."""
    folder.mkdir(parents=True, exist_ok=True)
    with sheet.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    rows = read(sheet)
    own = rows.columns
    judged = (
        rows.with_row_index("source_row", offset=2)
        .with_columns(key=boolean("expected"), given=boolean("answer"))
        .with_columns(reason=reasons())
    )
    parts = {
        "scored": judged.filter(pl.col("reason").is_null()),
        "held": judged.filter(pl.col("reason") == "disputed"),
        "invalid": judged.filter(pl.col("reason") != "disputed"),
    }
    last: list[pl.Expr | str] = [
        pl.lit(f"{parts['scored'].height} of {rows.height}").alias("coverage"),
        "source_row",
    ]
    empty = [pl.lit(None, pl.String).alias(name) for name in DECISION]
    written = {
        "scored": parts["scored"].select(
            *own, (pl.col("key") == pl.col("given")).alias("pass"), *last
        ),
        "held": parts["held"].select(*own, "reason", *empty, *last),
        "invalid": parts["invalid"].select(*own, "reason", *last),
    }
    if to == "xlsx":
        import xlsxwriter

        with xlsxwriter.Workbook(str(folder / "results.xlsx")) as book:
            for name, part in written.items():
                part.write_excel(book, name)
    else:
        for name, part in written.items():
            part.write_csv(folder / f"{name}.csv")
    counts = {name: part.height for name, part in written.items()}
    passed = int(written["scored"]["pass"].sum())
    summary = {"total": rows.height, **counts, "passed": passed, "sha256": digest}
    (folder / "coverage.json").write_text(json.dumps(summary), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
