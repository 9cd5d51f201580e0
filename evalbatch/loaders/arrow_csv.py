"""Arrow's fast CSV reader, for rows on which it cannot differ from the tokenizer.

Arrow glues what follows a closing quote to its cell and lets an unclosed quote swallow the rest.
So the quoting of each piece is proved sound first, over the bytes; one that fails the proof, or has
a row of another width, is left to the tokenizer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import csv

from evalbatch import arrow, kernels
from evalbatch.arrow import Bytes, Ints

_QUOTE, _RETURN, _LINE_END = b'"\r\n'
# So that a piece and what is made of it stay in a processor's cache.
PIECE = 1 << 21
_WINDOW = 1 << 16
_SAMPLE = 1 << 16
_TRIED = 4


Columns = list[pa.StringArray | pa.DictionaryArray]


def read_last_column(data: bytes, width: int, delimiter: str) -> Ints | None:
    """Read the whole numbers in the last column of rows that evalbatch wrote.

    Returns None where a row has another width, or another cell there than a whole number.
    """
    names = [str(place) for place in range(width)]
    last = names[-1]
    try:
        table = csv.read_csv(
            pa.py_buffer(data),
            csv.ReadOptions(column_names=names, block_size=len(data) + 1, use_threads=False),
            csv.ParseOptions(delimiter=delimiter, ignore_empty_lines=False),
            csv.ConvertOptions(
                column_types={last: pa.int64()}, include_columns=[last], null_values=[]
            ),
        )
    except pa.ArrowInvalid:
        return None
    return arrow.numbers(arrow.one_chunk(table.column(last)))


class Piece(NamedTuple):
    """The columns of a piece of a sheet, None where the tokenizer has to decide; and its size."""

    columns: Columns | None
    size: int


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads pieces of a sheet, each of which begins with a row and ends with one.

    Cells that are bare and empty are null, and so are quoted ones if `empty_quoted_is_null`.
    """

    names: Sequence[str]
    delimiter: str
    empty_quoted_is_null: bool
    few_valued: Sequence[str] = ()

    @classmethod
    def of(cls, body: Bytes, width: int, delimiter: str, empty_quoted_is_null: bool) -> "Reader":
        """Make a reader for a sheet; where it is long, the columns of few texts are told first."""
        names = [str(place) for place in range(width)]
        plain = cls(names, delimiter, empty_quoted_is_null)
        begins = islice(pieces(body, _SAMPLE), _TRIED if len(body) > _SAMPLE else 0)
        sample = next((found for one in begins if (found := plain.read(one).columns)), None)
        few_valued = [
            name
            for name, column in zip(names, sample or (), strict=False)
            if arrow.are_few(len(kernels.unique(column)), len(column))
        ]
        return replace(plain, few_valued=few_valued)

    def read(self, piece: Bytes) -> Piece:
        """Read one piece."""
        return Piece(self._columns(piece), len(piece))

    def _columns(self, piece: Bytes) -> Columns | None:
        quotes = _places(piece, _QUOTE)
        if not _quoting_is_sound(piece, quotes, ord(self.delimiter)):
            return None
        if piece[-1] not in (_RETURN, _LINE_END):
            # Arrow takes an empty last cell for a quoted one if the cell before it was.
            piece = np.append(piece, np.uint8(_LINE_END))
        types = {name: pa.string() for name in self.names}
        types |= {name: pa.dictionary(pa.int32(), pa.string()) for name in self.few_valued}
        try:
            table = csv.read_csv(
                pa.py_buffer(piece),
                # In one block: a block must not end between CR and LF, or within a quoted cell.
                csv.ReadOptions(
                    column_names=self.names, block_size=len(piece) + 1, use_threads=False
                ),
                csv.ParseOptions(delimiter=self.delimiter, ignore_empty_lines=False),
                csv.ConvertOptions(
                    column_types=types,
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=self.empty_quoted_is_null,
                    null_values=[""],
                    check_utf8=False,
                ),
            )
        except pa.ArrowInvalid:
            # A row of another width.
            return None
        return [column.chunk(0) for column in table.columns]


def pieces(body: Bytes, size: int) -> Iterator[Bytes]:
    """Cut a sheet into pieces that end with a row, if its quoting is sound.

    Behind an even number of quotes no cell is open, so that a line end there ends a row.
    """
    begin = 0
    while begin < len(body):
        end = _end_of_row(body, begin, size)
        yield body[begin:end]
        begin = end


def _end_of_row(body: Bytes, begin: int, size: int) -> int:
    """Find the end of a row that ends `size` bytes behind the beginning of another, or later."""
    quotes_before = int(np.count_nonzero(body[begin : begin + size - 1] == _QUOTE))
    for start in range(begin + size - 1, len(body), _WINDOW):
        window = body[start : start + _WINDOW]
        quotes, ends = np.flatnonzero(window == _QUOTE), np.flatnonzero(window == _LINE_END)
        outside = ends[(np.searchsorted(quotes, ends) + quotes_before) % 2 == 0]
        if len(outside):
            return start + int(outside[0]) + 1
        quotes_before += len(quotes)
    return len(body)


def behind_line_end(body: Bytes, begin: int) -> int:
    """Give the place behind the next line feed, or the end."""
    for start in range(begin, len(body), _WINDOW):
        found = np.flatnonzero(body[start : start + _WINDOW] == _LINE_END)
        if len(found):
            return start + int(found[0]) + 1
    return len(body)


def _places(data: Bytes, byte: int) -> Ints:
    """Find a byte, window by window: a mask of the whole would fall out of the cache."""
    found = [
        np.flatnonzero(data[begin : begin + _WINDOW] == byte) + begin
        for begin in range(0, len(data), _WINDOW)
    ]
    return np.concatenate(found)


def _quoting_is_sound(data: Bytes, quotes: Ints, delimiter: int) -> bool:
    """Prove that every quote opens a cell, closes one, or is one of a doubled pair.

    Taken in pairs, the first quote must stand at a cell's start or right behind the pair before,
    the second at a cell's end or right before the next pair: a doubled quote ends one pair and
    begins the next. By induction every cell is then closed where Arrow closes it.
    """
    if len(quotes) % 2:
        return False
    if not len(quotes):
        return True
    ends_cell = np.zeros(256, dtype=bool)
    ends_cell[[delimiter, ord("\n"), ord("\r")]] = True
    opening, closing = quotes[0::2], quotes[1::2]
    opens = ends_cell[data[opening - 1]]
    opens[0] |= opening[0] == 0
    opens[1:] |= opening[1:] == closing[:-1] + 1
    closes = ends_cell[data[np.minimum(closing + 1, len(data) - 1)]]
    closes[-1] |= closing[-1] == len(data) - 1
    closes[:-1] |= closing[:-1] + 1 == opening[1:]
    return bool(opens.all() and closes.all())
