"""An answer key judged with pandas: python key_pandas.py SHEET FOLDER [csv|xlsx]."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

BOOLEANS = {"true": True, "TRUE": True, "false": False, "FALSE": False, True: True, False: False}
DECISION = ("decision", "decided_by", "decided_on", "decision_note")


def read(sheet: Path) -> pd.DataFrame:
    """Read every cell as it stands."""
    if sheet.suffix == ".xlsx":
        return pd.read_excel(sheet, dtype=object, keep_default_na=False)
    return pd.read_csv(sheet, dtype=str, keep_default_na=False)


def main(sheet: Path, folder: Path, to: str = "csv") -> None:
    """Judge every row, and write the three sheets and the counts."""
    folder.mkdir(parents=True, exist_ok=True)
    with sheet.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    rows = read(sheet)
    ids, state = rows["id"], rows["state"]
    key, given = rows["expected"].map(BOOLEANS), rows["answer"].map(BOOLEANS)
    checks = {
        "id-missing": ids == "",
        "id-duplicate": ids.duplicated(keep=False),
        "disputed": state == "disputed",
        "state-missing": state == "",
        "state-unknown": state != "agreed",
        "expected-missing": rows["expected"] == "",
        "expected-not-boolean": key.isna(),
        "answer-missing": rows["answer"] == "",
        "answer-not-boolean": given.isna(),
    }
    reason = np.select(list(checks.values()), list(checks), default="")
    is_scored, is_held = reason == "", reason == "disputed"
    coverage = f"{is_scored.sum()} of {len(rows)}"
    blank = dict.fromkeys(DECISION, "")
    source_row = np.arange(2, len(rows) + 2)

    def part(where: "np.ndarray[tuple[int], np.dtype[np.bool_]]", **results: Any) -> pd.DataFrame:
        found = rows[where].copy()
        for name, cells in results.items():
            found[name] = cells
        found["coverage"], found["source_row"] = coverage, source_row[where]
        return found

    is_invalid = ~is_scored & ~is_held
    parts = {
        "scored": part(is_scored, **{"pass": key[is_scored] == given[is_scored]}),
        "held": part(is_held, reason="disputed", **blank),
        "invalid": part(is_invalid, reason=reason[is_invalid]),
    }
    if to == "xlsx":
        with pd.ExcelWriter(folder / "results.xlsx", engine="xlsxwriter") as book:
            for name, one in parts.items():
                one.to_excel(book, sheet_name=name, index=False)
    else:
        for name, one in parts.items():
            one.to_csv(folder / f"{name}.csv", index=False)
    counts = {name: len(one) for name, one in parts.items()}
    passed = int(parts["scored"]["pass"].sum())
    summary = {"total": len(rows), **counts, "passed": passed, "sha256": digest}
    (folder / "coverage.json").write_text(json.dumps(summary), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
