"""Whether a case has changed since a decision was recorded: its cells now, and those recorded."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from evalbatch.batch import Evaluation
from evalbatch.decisions import Entry
from evalbatch.outputs import OutColumn, sheets_out
from evalbatch.records import Sheet
from evalbatch.sheets_out import MARKED, MARKED_ROLES, reserved
from evalbatch.words import fold, fold_header, listed, shown

Name = tuple[str, int]
"""A column's name, folded, and its number among those of that name."""


class CellsNow:
    """The cells of some held cases as the held sheet would give them now."""

    def __init__(self, evaluation: Evaluation, units: Sequence[int]) -> None:
        self._evaluation = evaluation
        self._units = units
        self._recorded: dict[int, dict[Name, list[str | None]]] = {}

    def changes(self, unit: int, entry: Entry) -> str:
        """Say which of a case's cells differ from those that a decision sheet has of it.

        The answer is no ground of a decision, and a column that the sheet lacks says nothing. A
        sheet with nothing of the case, or with a malformed row for it, gives an empty text.
        """
        if entry.row in entry.sheet.malformed:
            return ""
        recorded = self._recorded_in(entry.sheet)
        place = self._places[unit]
        found = []
        for name, (column, cells) in self._columns.items():
            if name not in recorded:
                continue
            now, then = cells[place], recorded[name][entry.row]
            if comparable(now, column.role) != comparable(then, column.role):
                found.append(f"{column.name} was {_shown(then)} and is {_shown(now)}")
        return listed(found, 3, "; ")

    @cached_property
    def _places(self) -> dict[int, int]:
        return {unit: place for place, unit in enumerate(self._units)}

    @cached_property
    def _columns(self) -> dict[Name, tuple[OutColumn, list[str | None]]]:
        """The held sheet's columns that are the case's own, and their cells by unit."""
        held = sheets_out(self._evaluation, "")[1]
        ours = reserved(self._evaluation.sheet.task) - {"spans"}
        places = np.searchsorted(self._evaluation.units("held"), self._units)
        return {
            name: (held.columns[place], held.columns[place].cells(places).to_pylist())
            for name, place in _by_name([column.name for column in held.columns]).items()
            if name[0] not in ours and held.columns[place].role not in ("id", "answer")
        }

    def _recorded_in(self, sheet: Sheet) -> dict[Name, list[str | None]]:
        """Give the cells of a decision sheet's columns that are the case's own too."""
        if id(sheet) not in self._recorded:
            numbered = _by_name([column.name for column in sheet.columns])
            self._recorded[id(sheet)] = {
                name: sheet.columns[place].text.to_pylist()
                for name, place in numbered.items()
                if name in self._columns
            }
        return self._recorded[id(sheet)]


def _by_name(names: Sequence[str]) -> dict[Name, int]:
    """Give each column's place by its name, and its number among those of that name."""
    seen: dict[str, int] = {}
    found = {}
    for place, name in enumerate(map(fold_header, names)):
        seen[name] = seen.get(name, 0) + 1
        found[name, seen[name]] = place
    return found


def comparable(text: str | None, role: str | None) -> str:
    """Bring a cell into the form that it has whichever format it went through."""
    found = (text or "").replace("\r\n", "\n").replace("\r", "\n")
    marked = MARKED.fullmatch(found) if role in MARKED_ROLES["held"] else None
    found = marked[1] if marked else found
    folded = fold(found)
    is_word = role in ("state", "expected", "answer") or folded in ("true", "false")
    return folded if is_word else found


def _shown(text: str | None) -> str:
    return shown(text) if text else "empty"
