"""Whether a case has changed since a decision was recorded: its cells now, and those recorded."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from evalbatch.batch import Evaluation
from evalbatch.core.adjudication import Basis
from evalbatch.decisions import Entry
from evalbatch.outputs import OutColumn, sheets_out
from evalbatch.parts import is_held_sheet
from evalbatch.records import Sheet
from evalbatch.sheets_out import MARKED, MARKED_ROLES, reserved
from evalbatch.words import fold, fold_header, listed, shown

_LONG, _BEFORE = 50, 12
Name = tuple[str, int]
"""A column's name, folded, and its number among those of that name."""


class CellsNow:
    """The cells of some held cases as the held sheet would give them now."""

    def __init__(self, evaluation: Evaluation, units: Sequence[int]) -> None:
        self._evaluation = evaluation
        self._units = units
        self._recorded: dict[int, dict[Name, tuple[str, list[str | None]]]] = {}

    def basis(self, unit: int, entry: Entry) -> tuple[Basis, str]:
        """Tell whether a decision is of the case as it is now, and what has changed since if not.

        Compared are the case's cells that the decision sheet has, but for the answer, which is no
        ground of a decision. A held sheet has all of them, so that one whose column is gone has
        changed as well. A sheet with nothing of the case, or with a malformed row for it, leaves
        it open.
        """
        if entry.row in entry.sheet.malformed:
            return "unknown", ""
        recorded = self._recorded_in(entry.sheet)
        now = {name: cells[self._places[unit]] for name, (_, cells) in self._columns.items()}
        found = [
            f"{column} was {then} and is {is_now}"
            for name, (column, cells) in recorded.items()
            if comparable(cells[entry.row], self._roles.get(name))
            != comparable(now.get(name), self._roles.get(name))
            for then, is_now in [_told_apart(cells[entry.row], now.get(name))]
        ]
        return ("stale" if found else "current" if recorded else "unknown"), listed(found, 3, "; ")

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

    @cached_property
    def _roles(self) -> dict[Name, str | None]:
        return {name: column.role for name, (column, _) in self._columns.items()}

    def _recorded_in(self, sheet: Sheet) -> dict[Name, tuple[str, list[str | None]]]:
        """Give a decision sheet's columns that are the case's own: each one's name and cells."""
        if id(sheet) not in self._recorded:
            numbered = _by_name([column.name for column in sheet.columns])
            ours = reserved(self._evaluation.sheet.task) - {"spans"}
            answer = {"answer", *(name for name, _ in self._answers)}
            its_id = sheet.match.roles["id"]
            found: dict[Name, tuple[str, list[str | None]]] = {}
            for name, place in numbered.items():
                column = sheet.columns[place]
                own = self._of_role.get(name, name)
                is_case = own in self._columns or is_held_sheet(sheet)
                if is_case and place != its_id and name[0] not in ours | answer:
                    found[own] = (column.name, column.text.to_pylist())
            self._recorded[id(sheet)] = found
        return self._recorded[id(sheet)]

    @cached_property
    def _of_role(self) -> dict[Name, Name]:
        """Where a role's column has another name now, the role's own name stands for it."""
        by_role = {role: name for name, role in self._roles.items() if role}
        return {(role, 1): name for role, name in by_role.items() if (role, 1) not in self._columns}

    @property
    def _answers(self) -> list[Name]:
        sheet = self._evaluation.sheet
        named = "answer" in sheet.match.roles
        return [(fold_header(sheet.role("answer").name), 1)] if named else []


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


def _told_apart(then: str | None, now: str | None) -> tuple[str, str]:
    """Show two cells; of long ones what begins shortly before they differ."""
    if not (then and now and max(len(then), len(now)) > _LONG):
        return _shown(then), _shown(now)
    same = next(
        (place for place, (one, other) in enumerate(zip(then, now, strict=False)) if one != other),
        min(len(then), len(now)),
    )
    begin = max(same - _BEFORE, 0)
    dots = "…" if begin else ""
    return f"{dots}{shown(then[begin:], _LONG)}", f"{dots}{shown(now[begin:], _LONG)}"


def _shown(text: str | None) -> str:
    return shown(text) if text else "empty"
