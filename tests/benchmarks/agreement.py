"""Whether two results folders hold the same scored cases, in the same order."""

import csv
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

_COMPARED = {"key": ("id", "pass"), "spans": ("id", "current")}


def difference(kind: str, ours: Path, theirs: Path) -> str | None:
    """Name the first scored case that two folders do not share; None if they agree.

    Of a case the id and its result are compared. Two folders without a scored case do not agree,
    for then nothing was compared.
    """
    number = 0
    both = zip_longest(_scored(ours, kind), _scored(theirs, kind))
    for number, (one, other) in enumerate(both, 1):
        if one != other:
            return f"scored case {number} is {one} in {ours.name} and {other} in {theirs.name}"
    return None if number else f"no case is scored in {ours.name} and {theirs.name}"


def _scored(folder: Path, kind: str) -> Iterator[Sequence[str]]:
    path = folder / "scored.csv"
    rows = _of_csv(path) if path.exists() else _of_workbook(folder / "results.xlsx")
    header = next(rows)
    places = [header.index(name) for name in _COMPARED[kind]]
    for row in rows:
        yield [_same(row[place]) for place in places]


def _same(cell: str) -> str:
    # pandas writes Booleans as Python does.
    return cell.lower() if cell in ("True", "False") else cell


def _of_csv(path: Path) -> Iterator[Sequence[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.reader(file)


def _of_workbook(path: Path) -> Iterator[Sequence[str]]:
    from python_calamine import CalamineWorkbook

    sheet = CalamineWorkbook.from_path(str(path)).get_sheet_by_name("scored")
    for row in sheet.iter_rows():
        yield [str(cell) for cell in row]


if __name__ == "__main__":
    _, kind, ours, theirs = sys.argv
    sys.exit(difference(kind, Path(ours), Path(theirs)))
