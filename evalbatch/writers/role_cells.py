"""Cells of a role in a CSV sheet, written so that the sheet fed back is read as the same again."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch import arrow
from evalbatch.arrow import Ints, Mask
from evalbatch.columns import distinct, replace_where, take
from evalbatch.outputs import OutColumn
from evalbatch.readings import BLANK_MARKER, Spellings, read
from evalbatch.records import Cell, Column, Disposition, Kind
from evalbatch.sheets_out import MARKED, MARKED_ROLES, mark
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


def cells_in_role(
    column: OutColumn, disposition: Disposition, places: Ints, spellings: Spellings
) -> pa.StringArray:
    """Give some cells of a sheet out as texts.

    In a column with a role, a known blank is the marker, and a cell whose type was the fault, or
    that would be read as something else, is written with its type. `spellings` are those under
    which the sheet will be read.
    """
    if column.role is None:
        return column.cells(places)
    cells = _exact(column, places) if column.original is None else column.original(places)
    return _Writer(column.role, disposition, spellings).texts(cells)


class _Writer:
    def __init__(self, role: str, disposition: Disposition, spellings: Spellings) -> None:
        self._role = role
        # Where no text belongs, one that looks like a marked cell is a fault in either reading.
        is_text = _WANTED[role] == Kind.STRING
        self._is_text_with_marks = is_text and role in MARKED_ROLES[disposition]
        self._spellings = spellings

    def texts(self, column: Column) -> pa.StringArray:
        texts = self._with_marks(column)
        blank = arrow.empty(column.text) & ~arrow.null(column.text)
        if self._role != "text" or not blank.any():
            return texts
        shown = arrow.scalar(self._cell(Cell("", Kind.STRING)) or "")
        return pc.if_else(arrow.booleans(blank), shown, texts)

    def _with_marks(self, column: Column) -> pa.StringArray:
        doubtful = self._doubtful(column)
        rows = np.flatnonzero(doubtful)
        if not len(rows):
            return column.text
        codes, cells = distinct(take(column, rows))
        written = [self._cell(cell) for cell in cells]
        return replace_where(
            column.text, doubtful, lambda _: [written[code] for code in codes.tolist()]
        )

    def _doubtful(self, column: Column) -> Mask:
        """Find every cell that might be read as something else, and perhaps some more."""
        doubtful = np.zeros(len(column.text), dtype=bool)
        if self._is_text_with_marks and b")" in arrow.raw(column.text):
            doubtful |= arrow.true(
                pc.match_substring_regex(column.text, rf"(?s)^{MARKED.pattern}$")
            )
        if self._role == "text":
            for word in self._spellings.blank:
                doubtful |= arrow.may_hold(column.text, word)
        if column.kind is not None:
            plain = Kind.STRING if self._role in ("id", "text") else Kind.WORD
            doubtful |= column.kind > plain
        return doubtful

    def _cell(self, cell: Cell) -> str | None:
        if cell.text is None:
            return None
        reading = read(self._role, cell, self._spellings)
        if self._role == "text" and reading.value == "" and not reading.reasons:
            return BLANK_MARKER
        if self._is_text_with_marks and MARKED.fullmatch(cell.text):
            return mark(cell.text, cell.kind)
        if cell.kind == Kind.WORD:
            return cell.text
        plain = read(self._role, Cell(cell.text, Kind.WORD), self._spellings)
        differs = (plain.value, plain.reasons[:1]) != (reading.value, reading.reasons[:1])
        is_other_type = cell.kind != _WANTED[self._role] and trim(cell.text)
        is_type_fault = is_other_type and reading.reasons
        return mark(cell.text, cell.kind) if differs or is_type_fault else cell.text


def _exact(column: OutColumn, places: Ints) -> Column:
    """Give the cells of a result column, whose texts are exactly what they are."""
    texts = column.cells(places)
    kind = np.where(arrow.null(texts), Kind.EMPTY, Kind.STRING).astype(np.uint8)
    return Column(column.name, 0, texts, kind)
