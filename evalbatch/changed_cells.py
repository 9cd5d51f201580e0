"""Whether a case has changed since a decision was recorded: its cells now, and those recorded."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from evalbatch.arrow import Ints
from evalbatch.batch import Evaluation
from evalbatch.decisions import Entry
from evalbatch.outputs import OutColumn, SheetOut, sheets_out
from evalbatch.sheets_out import MARKED, MARKED_ROLES, reserved
from evalbatch.words import fold, fold_header, listed, shown


class CellsNow:
    """The cells of held cases as the held sheet would give them now."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def changes(self, unit: int, entry: Entry) -> str:
        """Say which of a case's cells differ from those that a decision sheet has of it.

        The answer is no ground of a decision, and a column that the sheet lacks says nothing. A
        sheet with nothing of the case gives an empty text.
        """
        place = np.searchsorted(self._units, unit)
        there = _by_name([column.name for column in entry.sheet.columns])
        found = []
        for name, column in self._columns.items():
            if name not in there:
                continue
            now = column.cells(np.array([place]))[0].as_py()
            then = entry.sheet.columns[there[name]].text[entry.row].as_py()
            if comparable(now, column.role) != comparable(then, column.role):
                found.append(f"{column.name} was {_shown(then)} and is {_shown(now)}")
        return listed(found, 3, "; ")

    @cached_property
    def _units(self) -> Ints:
        return self._evaluation.units("held")

    @cached_property
    def _columns(self) -> dict[tuple[str, int], OutColumn]:
        held: SheetOut = sheets_out(self._evaluation, "")[1]
        ours = reserved(self._evaluation.sheet.task) - {"spans"}
        numbered = _by_name([column.name for column in held.columns])
        return {
            name: held.columns[place]
            for name, place in numbered.items()
            if name[0] not in ours and held.columns[place].role not in ("id", "answer")
        }


def _by_name(names: Sequence[str]) -> dict[tuple[str, int], int]:
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
