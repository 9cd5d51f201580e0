"""Cells of a role in a published sheet, written so that fed back they are read as the same."""

import re
from dataclasses import replace
from typing import Literal

import numpy as np
import pyarrow as pa

from evalbatch import arrow, characters, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.columns import kinds, replace_where, take
from evalbatch.outputs import OutColumn
from evalbatch.readings import read
from evalbatch.records import Cell, Column, Disposition, Kind, Reading
from evalbatch.sheets_out import MARKED, MARKED_ROLES, mark, marked_kind
from evalbatch.spellings import BLANK_MARKER, Spellings
from evalbatch.words import trim

_WANTED = {
    "id": Kind.STRING,
    "state": Kind.STRING,
    "expected": Kind.BOOLEAN,
    "answer": Kind.BOOLEAN,
    "text": Kind.STRING,
    "struck": Kind.BOOLEAN,
    "spans": Kind.ARRAY,
}
_SAME_TYPE = {Kind.TEXT: Kind.STRING}
# Types that a workbook has cells for.
_KEPT = (Kind.BOOLEAN, Kind.NUMBER, Kind.WHOLE)
_WHOLE = re.compile("-?[0-9]{1,15}")
_SHOWS_NOTHING = (Kind.UNCALCULATED, Kind.MERGED)


Target = Literal["csv", "xlsx"]


def cells_in_role(
    column: OutColumn, disposition: Disposition, places: Ints, spellings: Spellings, target: Target
) -> pa.StringArray:
    """Give some cells of a sheet out as texts.

    In a column with a role, a known blank is the marker, and a cell whose type was the fault, or
    that would be read as something else, is written with its type; in a workbook only where it has
    no cell of that type. `spellings` are those under which the sheet was read.
    """
    if column.role is None:
        return column.cells(places)
    cells = _exact(column, places) if column.original is None else column.original(places)
    return _Writer(column.role, disposition, spellings, target).texts(cells)


class _Writer:
    def __init__(
        self, role: str, disposition: Disposition, spellings: Spellings, target: Target
    ) -> None:
        self._role = role
        self._has_marks = role in MARKED_ROLES[disposition]
        self._spellings = spellings
        self._is_csv = target == "csv"
        self._plain = Kind.WORD if self._is_csv else Kind.TEXT
        self._read_again = replace(spellings, source="words" if self._is_csv else "cells")

    def texts(self, column: Column) -> pa.StringArray:
        texts = self._with_marks(column)
        if self._role != "text":
            return texts
        is_text = np.isin(kinds(column), (Kind.WORD, Kind.STRING, Kind.TEXT))
        blank = arrow.empty(column.text) & is_text
        if not blank.any():
            return texts
        shown = arrow.scalar(self._cell(Cell("", Kind.STRING)) or "")
        return kernels.if_else(arrow.booleans(blank), shown, texts)

    def _with_marks(self, column: Column) -> pa.StringArray:
        doubtful = self._doubtful(column)
        rows = np.flatnonzero(doubtful)
        if not len(rows):
            return column.text
        codes, cells = take(column, rows).distinct
        written = [self._cell(cell) for cell in cells]
        return replace_where(
            column.text, doubtful, lambda _: [written[code] for code in codes.tolist()]
        )

    def _doubtful(self, column: Column) -> Mask:
        """Find every cell that might be read as something else, and perhaps some more."""
        doubtful = np.zeros(len(column.text), dtype=bool)
        if self._has_marks and characters.hold(column.values, b")"):
            doubtful |= arrow.true(
                kernels.match_substring_regex(column.text, rf"(?s)^{MARKED.pattern}$")
            )
        if self._role == "text":
            for word in self._read_again.blanks:
                doubtful |= characters.may_hold(column.text, word)
        if column.kind is not None:
            is_text = self._role in ("id", "text")
            plain = (Kind.EMPTY, Kind.WORD, *((Kind.STRING, Kind.TEXT) if is_text else ()))
            doubtful |= ~np.isin(column.kind, plain)
        return doubtful

    def _cell(self, cell: Cell) -> str | None:
        if cell.text is None:
            return None
        reading = read(self._role, cell, self._spellings)
        if self._role == "text" and reading.value == "" and not reading.reasons:
            return BLANK_MARKER
        if self._looks_marked(cell, reading):
            return mark(cell.text, cell.kind)
        if cell.kind == Kind.WORD:
            return cell.text
        again = read(self._role, Cell(cell.text, self._kind_again(cell)), self._read_again)
        differs = (again.value, again.reasons[:1]) != (reading.value, reading.reasons[:1])
        is_fault = reading.reasons and self._is_other_type(cell)
        return mark(cell.text, cell.kind) if differs or is_fault else cell.text

    def _looks_marked(self, cell: Cell, reading: Reading) -> bool:
        """Tell whether a text would be read as another cell, for it ends as a marked one does.

        Where no text belongs, a text and what it looks like may be the same fault.
        """
        found = MARKED.fullmatch(cell.text or "") if self._has_marks else None
        if found is None:
            return False
        other = read(self._role, Cell(found[1], marked_kind(found[2])), self._read_again)
        is_same_fault = reading.reasons and other.reasons[:1] == reading.reasons[:1]
        return _WANTED[self._role] == Kind.STRING or not is_same_fault

    def _kind_again(self, cell: Cell) -> Kind:
        """Tell what the cell will be where the sheet is read again."""
        if self._is_csv or cell.kind not in _KEPT:
            return self._plain
        # A number is written in a plain format, whatever format it had.
        is_whole = cell.kind == Kind.NUMBER and _WHOLE.fullmatch(cell.text or "")
        return Kind.WHOLE if is_whole else cell.kind

    def _is_other_type(self, cell: Cell) -> bool:
        kind = _SAME_TYPE.get(cell.kind, cell.kind)
        if not self._is_csv and (kind == Kind.STRING or kind in _KEPT):
            return False
        shows = kind in _SHOWS_NOTHING or bool(trim(cell.text or ""))
        return kind != _WANTED[self._role] and shows


def _exact(column: OutColumn, places: Ints) -> Column:
    """Give the cells of a result column, whose texts are exactly what they are."""
    texts = column.cells(places)
    kind = np.where(arrow.null(texts), Kind.EMPTY, Kind.STRING).astype(np.uint8)
    return Column(column.name, 0, texts, kind)
