"""Arrow's fast CSV reader, for files on which it cannot differ from the tokenizer.

Arrow glues what follows a closing quote to its cell and lets an unclosed quote swallow the rest.
So the quoting is proved sound first, over the bytes; a file that fails the proof, or has a row of
another width, is left to the tokenizer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from pyarrow import csv

from evalbatch import arrow, kernels
from evalbatch.arrow import Bytes, Ints
from evalbatch.threads import in_order

_QUOTE, _RETURN, _LINE_END = b'"\r\n'
# So that a piece and what is made of it stay in a processor's cache.
_PIECE = 1 << 21
_WINDOW = 1 << 16
_SAMPLE = 1 << 16


Columns = list[pa.StringArray | pa.DictionaryArray]


def read_sound(
    data: bytes,
    start: int,
    width: int,
    delimiter: str,
    empty_quoted_is_null: bool,
    size: int = _PIECE,
) -> Columns | None:
    """Read the rows from `start` on into `width` columns, null where a cell is bare and empty.

    `data` is UTF-8, and read in pieces of about `size` bytes. A column in which few texts are
    distinct holds those once, and codes for the rows. Returns None where the tokenizer has to
    decide.
    """
    body = np.frombuffer(data, dtype=np.uint8)[start:]
    if not len(body):
        return None
    names = [str(place) for place in range(width)]
    reader = _Reader(names, delimiter, empty_quoted_is_null)
    if len(body) > _SAMPLE:
        sample = reader.read(next(_pieces(body, _SAMPLE)))
        if sample is None:
            return None
        reader = _Reader(names, delimiter, empty_quoted_is_null, _few_valued(sample))
    tables = []
    for table in in_order(reader.read, _pieces(body, size), is_long=len(body) > size):
        if table is None:
            return None
        tables.append(table)
    chunks = [[table.column(name).chunk(0) for table in tables] for name in names[::-1]]
    del tables
    # One after the other, so that no more than one column is held twice.
    return [arrow.one_column(chunks.pop()) for _ in names]


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


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads pieces of a sheet, each of which begins and ends with a row."""

    names: Sequence[str]
    delimiter: str
    empty_quoted_is_null: bool
    few_valued: Sequence[str] = ()

    def read(self, piece: Bytes) -> pa.Table | None:
        """Read one piece; None where the tokenizer has to decide."""
        quotes = _places(piece, _QUOTE)
        if not _quoting_is_sound(piece, quotes, ord(self.delimiter)):
            return None
        if piece[-1] not in (_RETURN, _LINE_END):
            # Arrow takes an empty last cell for a quoted one if the cell before it was.
            piece = np.append(piece, np.uint8(_LINE_END))
        types = {name: pa.string() for name in self.names}
        types |= {name: pa.dictionary(pa.int32(), pa.string()) for name in self.few_valued}
        try:
            return csv.read_csv(
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


def _pieces(body: Bytes, size: int) -> Iterator[Bytes]:
    """Cut a sheet into pieces that end with a row, if its quoting is sound.

    Behind an even number of quotes no cell is open, so that a line end there ends a row.
    """
    begin = 0
    while begin < len(body):
        end, quotes = begin, 0
        while end == begin or quotes % 2:
            tried = end
            end = _behind_line_end(body, max(begin + size - 1, end))
            quotes += int(np.count_nonzero(body[tried:end] == _QUOTE))
            if end == len(body):
                break
        yield body[begin:end]
        begin = end


def _behind_line_end(body: Bytes, begin: int) -> int:
    """Give the place behind the next line feed, or the end."""
    for start in range(begin, len(body), _WINDOW):
        found = np.flatnonzero(body[start : start + _WINDOW] == _LINE_END)
        if len(found):
            return start + int(found[0]) + 1
    return len(body)


def _few_valued(sample: pa.Table) -> list[str]:
    return [
        name
        for name in sample.column_names
        if arrow.are_few(len(kernels.unique(sample.column(name).chunk(0))), len(sample))
    ]


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
