"""Decision sheets: the rows that record a decision, each with the case that it is for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from evalbatch import arrow, loaders
from evalbatch.columns import kinds
from evalbatch.core.adjudication import Decision
from evalbatch.ids import read_ids
from evalbatch.loaders.options import ReadOptions
from evalbatch.parts import is_held_sheet
from evalbatch.readings import read
from evalbatch.records import Cell, Column, Kind, Reading, Sheet, Task
from evalbatch.schema import DECISIONS, Schema
from evalbatch.sheets_out import DECISION_COLUMNS
from evalbatch.spellings import Spellings
from evalbatch.words import fold, fold_header


@dataclass(frozen=True)
class Entry:
    """One row of a decision sheet that records something.

    `name` is the id of its case, None where it has none; `cells` are those of DECISION_COLUMNS.
    """

    sheet: Sheet
    row: int
    name: str | None
    cells: tuple[Cell, ...]
    task: Task
    spellings: Spellings

    @property
    def place(self) -> str:
        """Say where it is: the file and the row."""
        noun = "row" if self.sheet.addressed else "item"
        return f"{self.sheet.source.name} {noun} {self.sheet.source_rows[self.row]}"

    @property
    def decision(self) -> Decision:
        """What was recorded; of a malformed row nothing counts."""
        if self.row in self.sheet.malformed:
            return Decision(None, None, None)
        what, who, when = self._readings
        value = what.value
        if what.reasons:
            # A cell of another type was decided all the same, though it settles nothing.
            value = None if "adjudication-incomplete" in what.reasons else self.cells[0]
        return Decision(value, _word(who.value), _word(when.value))

    @property
    def note(self) -> str | None:
        """The note on the decision, if any."""
        return self.cells[3].text or None

    @property
    def problem(self) -> str:
        """Say what is wrong with the row itself, and what to do; empty if nothing is."""
        if self.row in self.sheet.malformed:
            return self.sheet.malformed[self.row]
        return "; ".join(one.problem for one in self._readings if one.reasons)

    @cached_property
    def _readings(self) -> tuple[Reading, ...]:
        what = "decision" if self.task == "answer-key" else "text decision"
        roles = (what, "decided_by", "decided_on")
        return tuple(
            read(role, cell, self.spellings)
            for role, cell in zip(roles, self.cells[:3], strict=True)
        )


def load(paths: Sequence[Path], columns: dict[str, str], spellings: Spellings) -> list[Sheet]:
    """Read decision sheets; a filled-in held sheet is one. Raises EvalbatchError as any loader."""
    schema = Schema.beside(DECISIONS, columns)
    options = ReadOptions(spellings=spellings, preferred="held", is_side=True)
    return [loaders.load(path, schema, options) for path in paths]


def of_part(sheet: Sheet) -> list[Sheet]:
    """Give the decisions that a fed-back part holds itself, as a decision sheet."""
    if sheet.part is None or not sheet.part.decisions:
        return []
    match = replace(sheet.match, roles={"id": sheet.match.roles["id"]})
    columns = (*sheet.columns, *sheet.part.decisions)
    return [replace(sheet, columns=columns, match=match, malformed={})]


def entries(sheets: Sequence[Sheet], task: Task, spellings: Spellings) -> Iterator[Entry]:
    """Give the rows that record something: any of a decision, a name, a date and a note."""
    for sheet in sheets:
        within = spellings.within(sheet)
        ids = read_ids(sheet, within)
        names = [None if code < 0 else ids.name(code) for code in ids.codes.tolist()]
        columns = [_cells(column) for column in _recorded(sheet)]
        for row, cells in enumerate(zip(*columns, strict=True)):
            if any(cell.text for cell in cells) or row in sheet.malformed:
                yield Entry(sheet, row, names[row], cells, task, within)


def relabelled(sheets: Sequence[Sheet], task: Task, spellings: Spellings) -> list[Entry]:
    """Give the rows of held sheets that somebody took for agreed, without recording a decision."""
    found = []
    for sheet in sheets if task == "answer-key" else ():
        state = next((one for one in sheet.columns if fold_header(one.name) == "state"), None)
        if state is None or not is_held_sheet(sheet):
            continue
        within = spellings.within(sheet)
        ids = read_ids(sheet, within)
        decided = [_cells(column) for column in _recorded(sheet)]
        for row, (word, *cells) in enumerate(zip(state.text.to_pylist(), *decided, strict=True)):
            code = int(ids.codes[row])
            if fold(word or "") == "agreed" and code >= 0 and not any(cell.text for cell in cells):
                found.append(Entry(sheet, row, ids.name(code), tuple(cells), task, within))
    return found


def _recorded(sheet: Sheet) -> list[Column]:
    """Give the decision, who, when and the note; the last may be missing."""
    by_name = {fold_header(column.name): column for column in sheet.columns}
    roles = sheet.match.roles
    found = [sheet.role(name) if name in roles else by_name.get(name) for name in DECISION_COLUMNS]
    nothing = Column("", 0, arrow.texts([None] * len(sheet.source_rows)))
    return [column or nothing for column in found]


def _cells(column: Column) -> list[Cell]:
    return [
        Cell(text, Kind(kind))
        for text, kind in zip(column.text.to_pylist(), kinds(column).tolist(), strict=True)
    ]


def _word(value: object) -> str | None:
    return value if isinstance(value, str) else None
