"""Arrow's fast CSV reader, for files on which it cannot differ from the tokenizer.

Arrow glues what follows a closing quote to its cell and lets an unclosed quote swallow the rest.
So the quoting is proved sound first, over the bytes; a file that fails the proof, or has a row of
another width, is left to the tokenizer.
"""

import numpy as np
import pyarrow as pa
from pyarrow import csv

from evalbatch.records import Ints

_QUOTE = ord('"')
_WINDOW = 1 << 18


def read_sound(
    text: str, start: int, width: int, delimiter: str, empty_quoted_is_null: bool
) -> list[pa.StringArray] | None:
    """Read the rows behind the header into `width` columns, null where a cell is bare and empty.

    Returns None where the tokenizer has to decide.
    """
    data = np.frombuffer(text[start:].encode(), dtype=np.uint8)
    quotes = _places(data, _QUOTE)
    if not len(data) or not _quoting_is_sound(data, quotes, ord(delimiter)):
        return None
    names = [str(place) for place in range(width)]
    try:
        table = csv.read_csv(
            pa.py_buffer(data),
            csv.ReadOptions(column_names=names),
            csv.ParseOptions(
                delimiter=delimiter,
                newlines_in_values=len(quotes) > 0,
                ignore_empty_lines=False,
            ),
            csv.ConvertOptions(
                column_types={name: pa.string() for name in names},
                strings_can_be_null=True,
                quoted_strings_can_be_null=empty_quoted_is_null,
                null_values=[""],
            ),
        )
    except pa.ArrowInvalid:
        # A row of another width, or one longer than Arrow's blocks.
        return None
    return [_one_chunk(column) for column in table.columns]


def _places(data: np.ndarray[tuple[int], np.dtype[np.uint8]], byte: int) -> Ints:
    """Find a byte, window by window: a mask of the whole would fall out of the cache."""
    found = [
        np.flatnonzero(data[begin : begin + _WINDOW] == byte) + begin
        for begin in range(0, len(data), _WINDOW)
    ]
    return np.concatenate(found) if found else np.array([], dtype=np.int64)


def _quoting_is_sound(
    data: np.ndarray[tuple[int], np.dtype[np.uint8]], quotes: Ints, delimiter: int
) -> bool:
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


def _one_chunk(column: pa.ChunkedArray) -> pa.StringArray:
    combined = column.combine_chunks()
    return combined.chunk(0) if isinstance(combined, pa.ChunkedArray) else combined
