"""The rows behind the header of a CSV sheet: by Arrow where it can be trusted, else by tokens."""

from collections.abc import Sequence

import numpy as np

from evalbatch import arrow
from evalbatch.arrow import Bytes
from evalbatch.errors import EvalbatchError
from evalbatch.loaders.arrow_csv import PIECE, Columns, Reader, behind_line_end, pieces
from evalbatch.loaders.header import Header
from evalbatch.loaders.tokens import Row, rows
from evalbatch.records import Note
from evalbatch.threads import in_order
from evalbatch.words import column_letters, counted, shown

_CELLS_IN_A_NOTE = 100
_SMALL_PIECES = 32
# What stands nowhere else is shown in full.
_WHOLE = 1 << 31


class Body:
    """Rows as columns of texts, null where a cell is bare and empty.

    `malformed` says what is wrong with a row as such, by its place.
    """

    def __init__(self, header: Header) -> None:
        self.malformed: dict[int, str] = {}
        self._header = header
        self._count = 0
        self._short: list[str] = []
        self._chunks: list[Columns] = [[] for _ in header.names]

    def columns(self) -> Columns:
        """Give the columns; they are handed over."""
        chunks, self._chunks = self._chunks[::-1], []
        # One after the other, so that no more than one column is held twice.
        return [arrow.one_column(chunks.pop() or [arrow.texts([])]) for _ in self._header.names]

    def notes(self, *, is_ended: bool) -> list[Note]:
        """Say what is odd; `is_ended` tells whether a line end stands behind the last row."""
        found = [_short_rows(self._short)] if self._short else []
        if self._count - 1 in self.malformed and not is_ended:
            found.append(_cut_off(f"row {self._header.number + self._count}"))
        return found

    def add(self, columns: Columns) -> None:
        """Add rows that were read as columns."""
        for chunks, column in zip(self._chunks, columns, strict=True):
            chunks.append(column)
        self._count += len(columns[0])

    def tokenise(self, rest: Bytes, size: int) -> int:
        """Add rows that Arrow cannot be trusted with; give the number of bytes in which they stand.

        They are those that begin in the first `size` characters of the rest. Raises EvalbatchError
        for a quote that is never closed.
        """
        found: list[Row] = []
        part = ""
        end = 0
        while not found:
            # What is cut off may end within a cell; then the row is read once there is more of it.
            end = behind_line_end(rest, max(2 * size, 4 * end) - 1)
            part = rest[:end].tobytes().decode()
            try:
                found = self._rows(part, size)
            except EvalbatchError:
                if end == len(rest):
                    raise
        self._add_rows(found)
        return len(part[: found[-1].end].encode())

    def _rows(self, part: str, size: int) -> list[Row]:
        found = []
        for row in rows(part, self._header.delimiter, first=self._header.number + 1 + self._count):
            found.append(row)
            if row.end >= size:
                break
        return found

    def _add_rows(self, found: Sequence[Row]) -> None:
        width = len(self._header.names)
        padded = []
        for place, row in enumerate(found, self._count):
            cells = row.cells
            if self._header.all_quoted:
                cells = [cell or None for cell in cells]
            if row.overrun or len(cells) != width:
                faults = self._faults(cells, row.overrun, self._header.number + 1 + place)
                if faults:
                    self.malformed[place] = "; ".join(faults)
                cells = cells[:width] + [None] * (width - len(cells))
            padded.append(cells)
        self.add([arrow.texts(column) for column in zip(*padded, strict=True)])

    def _faults(
        self, cells: Sequence[str | None], overrun: Sequence[int], number: int
    ) -> list[str]:
        width, needed = len(self._header.names), max(self._header.match.roles.values()) + 1
        faults = [
            f"{column_letters(place)}{number}: text follows the closing quote of the cell, which "
            f"reads {shown(cells[place] or '')}; double the quotes inside it, as in "
            '"say ""so"""'
            for place in overrun
        ]
        if len(cells) > width and any(cells[width:]):
            surplus = ", ".join(shown(cell or "", _WHOLE) for cell in cells[width:])
            faults.append(
                f"row {number}: expected {counted(width, 'cell')} and found {len(cells)}; "
                f"surplus: {surplus}; delete it, or quote the cell that holds the delimiter"
            )
        elif len(cells) < needed and any(cells):
            faults.append(
                f"row {number}: expected {counted(width, 'cell')} and found {len(cells)}; "
                "fill in the missing cells"
            )
        elif len(cells) < width and any(cells):
            self._short.append(f"row {number}")
        return faults


def read(data: bytes, header: Header, size: int = PIECE) -> Body:
    """Read the rows behind a header, in pieces of about `size` bytes of UTF-8.

    A column in which few texts are distinct holds those once, and codes for the rows. Raises
    EvalbatchError for a quote that is never closed.
    """
    rest = np.frombuffer(data, dtype=np.uint8)[header.end :]
    reader = Reader.of(rest, len(header.names), header.delimiter, header.all_quoted)
    body = Body(header)
    while len(rest):
        begin = 0
        for piece in in_order(reader.read, pieces(rest, size), is_long=len(rest) > size):
            if piece.columns is None:
                # Behind the rows with the fault Arrow can be trusted again.
                begin += _read_around_faults(body, reader, rest[begin:], size)
                break
            body.add(piece.columns)
            begin += piece.size
        rest = rest[begin:]
    return body


def _read_around_faults(body: Body, reader: Reader, rest: Bytes, size: int) -> int:
    """Read some rows in small pieces, so that few come to the tokenizer; give their size."""
    small = step = max(size // _SMALL_PIECES, 1)
    begin = 0
    while begin < min(size, len(rest)):
        piece = reader.read(next(pieces(rest[begin:], small)))
        if piece.columns is None:
            begin += body.tokenise(rest[begin:], step)
            # Where faults are many, less is tried in vain.
            step *= 2
        else:
            body.add(piece.columns)
            begin += piece.size
            step = small
    return begin


def _short_rows(where: Sequence[str]) -> Note:
    text = (
        f"{counted(len(where), 'row')} without the last cells, in columns without a role (some "
        "spreadsheets leave them out); they are taken as empty"
    )
    return Note("short-rows", text, tuple(where[:_CELLS_IN_A_NOTE]))


def _cut_off(where: str) -> Note:
    text = f"{where}, the last, is cut off: the file ends within it, so that more may be missing"
    return Note("last-row-cut-off", text, (where,))
