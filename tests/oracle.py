"""The batch done slowly: one plain call of the rule for each case, row by row."""

from collections.abc import Sequence
from typing import Any

from evalbatch.core import answer_key, edit_marks
from evalbatch.readings import read
from evalbatch.records import Cell, Kind, Reading
from evalbatch.spellings import Spellings

Row = Sequence[str | None]
SPELLINGS = Spellings()


def reading(role: str, text: str | None) -> Reading:
    """Read one CSV cell."""
    return read(role, Cell(text, Kind.EMPTY if text is None else Kind.WORD), SPELLINGS)


def cases(rows: Sequence[Row]) -> list[tuple[int, str, bool | None, tuple[str, ...]]]:
    """Give source row, disposition, pass and reasons of each case of an answer-key sheet."""
    filled = [(number, row) for number, row in enumerate(rows, 2) if any(row)]
    names = [reading("id", row[0]).value for _, row in filled]
    found: list[tuple[int, str, bool | None, tuple[str, ...]]] = []
    for number, row in filled:
        name = reading("id", row[0])
        read_cells = {
            role: reading(role, text)
            for role, text in zip(("state", "expected", "answer"), row[1:4], strict=True)
        }
        judged = answer_key.judge(*(one.value for one in read_cells.values()))
        sheet_fault = name.reasons or (("id-duplicate",) if names.count(name.value) > 1 else ())
        own = tuple(reason for role in judged.faults for reason in read_cells[role].reasons)
        if sheet_fault:
            found.append((number, "invalid", None, (*sheet_fault, *own)))
        elif judged.disposition == "held":
            found.append((number, "held", None, ("disputed",)))
        else:
            found.append((number, judged.disposition, judged.passed, own))
    return found


def fields(rows: Sequence[Row]) -> list[tuple[list[int], str, dict[str, Any]]]:
    """Give source rows, deciding reason and result of each field of a sheet of span rows."""
    filled = [(number, row) for number, row in enumerate(rows, 2) if any(row)]
    groups: dict[object, list[int]] = {}
    names = [reading("id", row[0]).value for _, row in filled]
    for place, name in enumerate(names):
        groups.setdefault(("none", place) if name is None else name, []).append(place)
    doubted = set()
    for place, name in enumerate(names):
        if name is None:
            above = [names[before] for before in range(place) if names[before] is not None]
            doubted |= set(above[-1:])
    found = []
    for name, places in groups.items():
        spans = [
            {
                "text": reading("text", filled[p][1][1]).value,
                "struck": reading("struck", filled[p][1][2]).value,
            }
            for p in places
        ]
        result = edit_marks.evaluate(spans)
        reason = result.get("error", "")
        if isinstance(name, tuple):
            reason = "id-missing"
        elif places != list(range(places[0], places[0] + len(places))):
            reason = "field-scattered"
        elif name in doubted:
            reason = "rows-without-id"
        elif result.get("status") == "review":
            reason = "review-several" if result["candidates"] else "review-none"
        found.append(([filled[p][0] for p in places], reason, result))
    return found
