"""Builders of sheets, and readers of what was published."""

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl

import evalbatch
from evalbatch.result import Result

Cells = Sequence[Sequence[str | None]]


def csv_bytes(rows: Cells, delimiter: str = ",") -> bytes:
    """Write rows as CSV: None is a bare empty cell, "" a quoted one."""
    lines = [delimiter.join(_cell(cell, delimiter) for cell in row) for row in rows]
    return "".join(f"{line}\r\n" for line in lines).encode()


def _cell(cell: str | None, delimiter: str) -> str:
    if cell is None:
        return ""
    quoted = not cell or any(one in cell for one in f'"\r\n{delimiter}')
    return '"' + cell.replace('"', '""') + '"' if quoted else cell


def run(folder: Path, data: bytes | str, name: str = "sheet.csv", **options: Any) -> Result:
    """Evaluate bytes as a sheet, without publishing."""
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return evalbatch.run(path, **options)


def publish(folder: Path, data: bytes | str, name: str = "sheet.csv", **options: Any) -> Path:
    """Evaluate bytes as a sheet and publish the results; give their folder."""
    out = folder / f"{name}-results"
    run(folder, data, name, output=out, overwrite=True, **options)
    return out


def rows(path: Path, delimiter: str = ",") -> list[list[str]]:
    """Read a written sheet with Python's own reader, header included."""
    text = path.read_bytes().decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


def coverage(folder: Path) -> dict[str, Any]:
    """Read coverage.json."""
    found: dict[str, Any] = json.loads((folder / "coverage.json").read_text(encoding="utf-8"))
    return found


def results(folder: Path) -> dict[str, Any]:
    """Read results.json."""
    found: dict[str, Any] = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    return found


def decide(path: Path, decision: bool | str, *, who: str = "Ann", when: str = "2026-08-03") -> None:
    """Fill in one decision for all cases of a held sheet, or of the one in a workbook."""
    if path.suffix == ".csv":
        header, *cases = rows(path)
        place = header.index("decision")
        word = str(decision).upper() if isinstance(decision, bool) else decision
        for case in cases:
            case[place : place + 3] = [word, who, when]
        path.write_bytes(csv_bytes([header, *([cell or None for cell in one] for one in cases)]))
        return
    book = openpyxl.load_workbook(path)
    held = book["held"]
    column = [cell.value for cell in held[1]].index("decision") + 1
    for row in range(2, held.max_row + 1):
        for place, value in enumerate((decision, who, when), column):
            held.cell(row, place).value = value
    book.save(path)


def outcome(result: Result) -> dict[str, Any]:
    """Give the scored values, held ids and invalid reasons of a sheet whose first column is id."""
    scored = result.scored
    value = "pass" if "pass" in scored else "current"
    ids = {name: getattr(result, name).iloc[:, 0] for name in ("scored", "held", "invalid")}
    return {
        "scored": dict(zip(ids["scored"], scored[value], strict=True)),
        "held": list(ids["held"]),
        "invalid": dict(zip(ids["invalid"], result.invalid["reason"], strict=True)),
    }
