"""Arrow's fast CSV reader, for files on which it cannot differ from the tokenizer.

Arrow glues what follows a closing quote to its cell and lets an unclosed quote swallow the rest.
So the quoting is proved sound first, over the bytes; a file that fails the proof, or has a row of
another width, is left to the tokenizer.
"""

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pyarrow import csv

from evalbatch import arrow
from evalbatch.arrow import Ints

Bytes = npt.NDArray[np.uint8]

_QUOTE = ord('"')
_WINDOW = 1 << 18
# Large, for blocks have to be joined afterwards.
_BLOCK = 1 << 26
# Arrow reads some dozens of blocks ahead of what it is asked for.
_SMALL_BLOCK = 1 << 18
_TRIED = 64


def read_sound(
    data: bytes,
    start: int,
    width: int,
    delimiter: str,
    empty_quoted_is_null: bool,
    block: int = _BLOCK,
) -> list[pa.StringArray] | None:
    """Read the rows from `start` on into `width` columns, null where a cell is bare and empty.

    `data` is UTF-8, and read `block` bytes at a time. Returns None where the tokenizer has to
    decide.
    """
    if len(data) > start and data[-1] not in b"\r\n":
        # Arrow takes an empty last cell for a quoted one if the cell before it was.
        data += b"\n"
    body = np.frombuffer(data, dtype=np.uint8)[start:]
    quotes = _places(body, _QUOTE)
    if not len(body) or not _quoting_is_sound(body, quotes, ord(delimiter)):
        return None
    names = [str(place) for place in range(width)]
    options = csv.ConvertOptions(
        column_types={name: pa.string() for name in names},
        strings_can_be_null=True,
        quoted_strings_can_be_null=empty_quoted_is_null,
        null_values=[""],
    )
    table = _read(body, names, delimiter, len(quotes) > 0, options, block)
    if table is None:
        return None
    columns = table.columns[::-1]
    del table
    # One after the other, so that no more than one column is held twice.
    return [arrow.one_chunk(columns.pop()) for _ in names]


def read_last_column(path: Path, width: int, delimiter: str) -> pa.StringArray | None:
    """Read the last column of a sheet that evalbatch wrote, its header included.

    The sheet is never held as a whole. Returns None where a row has another width.
    """
    names = [str(place) for place in range(width)]
    try:
        # As bytes, for Arrow takes no name that is no text.
        with csv.open_csv(
            pa.OSFile(os.fsencode(path)),
            csv.ReadOptions(column_names=names, block_size=_SMALL_BLOCK, use_threads=False),
            # A line break that is lost between two blocks is lost from inside another cell.
            csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=True, ignore_empty_lines=False
            ),
            csv.ConvertOptions(column_types={names[-1]: pa.string()}, include_columns=names[-1:]),
        ) as reader:
            return arrow.one_chunk([batch.column(0) for batch in reader])
    except pa.ArrowInvalid:
        # Also for a row longer than Arrow's blocks.
        return None


def _read(
    body: Bytes,
    names: list[str],
    delimiter: str,
    quoted: bool,
    options: csv.ConvertOptions,
    block: int = _BLOCK,
) -> pa.Table | None:
    size = _safe_block(body, block) if quoted else block
    try:
        return csv.read_csv(
            pa.py_buffer(body),
            # With values that may hold line ends, Arrow's threads take longer than one alone.
            csv.ReadOptions(column_names=names, block_size=size, use_threads=False),
            csv.ParseOptions(
                delimiter=delimiter, newlines_in_values=quoted, ignore_empty_lines=False
            ),
            options,
        )
    except pa.ArrowInvalid:
        # A row of another width, or one longer than Arrow's blocks.
        return None


def _safe_block(body: Bytes, block: int) -> int:
    """Find a block size near `block` under which no block ends between CR and LF.

    Arrow takes such a LF for the rest of a line end, and drops it even from inside a quoted cell.
    """
    for size in range(block, block + _TRIED):
        ends = np.arange(size, len(body), size)
        if not ((body[ends - 1] == ord("\r")) & (body[ends] == ord("\n"))).any():
            return size
    return len(body) + 1


def _places(data: Bytes, byte: int) -> Ints:
    """Find a byte, window by window: a mask of the whole would fall out of the cache."""
    found = [
        np.flatnonzero(data[begin : begin + _WINDOW] == byte) + begin
        for begin in range(0, len(data), _WINDOW)
    ]
    return np.concatenate(found) if found else np.array([], dtype=np.int64)


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
