"""Quoted cells that have swallowed rows, because a quote is missing or out of place."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from evalbatch import characters
from evalbatch.arrow import Ints, Mask
from evalbatch.errors import EvalbatchError
from evalbatch.loaders.tokens import Row, rows
from evalbatch.readings import read
from evalbatch.records import Cell, Kind, Note, Sheet
from evalbatch.spellings import Spellings
from evalbatch.words import listed, shown

_CELLS_IN_A_NOTE = 100


def quarantine(sheet: Sheet, spellings: Spellings) -> Sheet:
    """Take rows for malformed whose quoted cells seem to hold rows of this sheet.

    Either a line of the cell itself reads as a row, or the line on which the cell begins and the
    one on which it ends both do, once its quotes are taken for characters. Only a quoted cell can
    hold a line break. JSON in a spans column is not looked at.
    """
    reads_as_row = _RowTest(sheet, spellings)
    found: dict[int, str] = {}
    for index, column in enumerate(sheet.columns):
        if index == sheet.match.roles.get("spans") or not characters.hold(column.values, b"\r\n"):
            continue
        texts = [column.text for column in sheet.columns]
        behind_it = len(texts) - index - 1
        suspects = characters.holds_any(column.text, b"\r\n")
        suspects &= reads_as_row.has_enough(reads_as_row.delimiters(column.text), behind_it)
        for row in np.flatnonzero(suspects).tolist():
            lines = re.split("\r\n|\n|\r", column.text[row].as_py())
            before, behind = ([one[row].as_py() for one in some] for some in _around(texts, index))
            ends = reads_as_row([*reads_as_row.cells(lines[-1]), *behind])
            begins = ends and reads_as_row([*before, *reads_as_row.cells(lines[0])])
            inside = [line for line in lines if reads_as_row.is_row(line)]
            if inside or begins:
                found[row] = (
                    f"{sheet.place(column, row)}: the quoted cell has probably swallowed rows, for "
                    f"it holds the line {shown((inside or lines[-1:])[0])}; put the quote right "
                    f"that opens or closes in row {sheet.source_rows[row]}, and the rows inside "
                    "count again"
                )
    if not found:
        return sheet
    where = [f"row {sheet.source_rows[row]}" for row in sorted(found)]
    text = (
        f"{listed(where)}: a quoted cell has probably swallowed rows, so that the sheet has more "
        "cases than are counted here, and no figure of it holds for all of them"
    )
    note = Note("rows-swallowed", text, tuple(where[:_CELLS_IN_A_NOTE]))
    malformed = {**sheet.malformed, **found}
    return replace(sheet, malformed=malformed, notes=(*sheet.notes, note))


def _around(texts: Sequence[pa.StringArray], index: int) -> tuple[Sequence[pa.StringArray], ...]:
    return texts[:index], texts[index + 1 :]


class _RowTest:
    """Tells whether cells read as a row: the right number, a state or Boolean where one belongs."""

    def __init__(self, sheet: Sheet, spellings: Spellings) -> None:
        self._roles = sheet.match.roles
        self._width = len(sheet.columns)
        self._delimiter = sheet.delimiter or ","
        self._spellings = spellings

    def __call__(self, cells: Sequence[str | None]) -> bool:
        if not max(self._roles.values()) < len(cells) <= self._width:
            return False
        return any(
            not read(role, _word(cells[self._roles[role]]), self._spellings).reasons
            for role in ("state", "expected", "answer", "struck", "decision")
            if role in self._roles
        )

    def is_row(self, line: str) -> bool:
        """Tell whether a line by itself reads as a row."""
        return bool(self.has_enough(line.count(self._delimiter))) and self(self.cells(line))

    def has_enough(self, delimiters: Ints | int, more: int = 0) -> Mask | bool:
        """Tell whether lines with so many delimiters, and more cells, can have the right number."""
        return delimiters + 1 + more > max(self._roles.values())

    def delimiters(self, texts: pa.StringArray) -> Ints:
        """Count the delimiters in each text."""
        places = characters.places_of(texts, self._delimiter.encode())
        return np.diff(characters.counts_before(texts, places))

    def cells(self, line: str) -> list[str | None]:
        """Take a line apart as the tokenizer would, or at each delimiter if its quotes are odd."""
        try:
            return next(rows(line, self._delimiter), Row([None], 0, [], 0)).cells
        except EvalbatchError:
            return [cell or None for cell in line.split(self._delimiter)]


def _word(text: str | None) -> Cell:
    return Cell(text, Kind.EMPTY if text is None else Kind.WORD)
