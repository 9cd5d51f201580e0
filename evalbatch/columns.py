"""Columns moved and read as a whole: each distinct cell is read once, and spread by index."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evalbatch import arrow, characters, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.readings import read
from evalbatch.records import Column, Kind, Reading, Readings
from evalbatch.spellings import Spellings

_ESCAPED_IN_JSON = bytes(range(0x20)) + b'"\\'


def read_column(role: str, column: Column, spellings: Spellings) -> Readings:
    """Read a column in its role, each distinct cell once."""
    if column.joined is not None:
        spellings = replace(spellings, source=column.joined.origin)
    codes, cells = column.distinct
    return Readings(codes, [read(role, cell, spellings) for cell in cells], cells)


def read_texts(role: str, column: Column, spellings: Spellings) -> tuple[Readings, pa.StringArray]:
    """Read a column of mostly plain texts, such as ids: only cells that may be none are read.

    Returns the readings, of which the first stands for every text taken as it is, and the values
    (n strings, null where the reading's value is no text).
    """
    doubtful = _may_be_no_text(column, spellings)
    rows = np.flatnonzero(doubtful)
    codes = np.zeros(len(column.values), dtype=np.int32)
    plain = Reading("")
    if not len(rows):
        return Readings(codes, [plain]), column.text
    found = read_column(role, take(column, rows), spellings)
    codes[rows] = found.codes + 1
    values = [
        one.value if isinstance(one.value, str) and not one.reasons else None
        for one in found.readings
    ]
    replaced = arrow.take(arrow.texts(values), found.codes)
    texts = kernels.replace_with_mask(column.text, arrow.booleans(doubtful), replaced)
    return Readings(codes, [plain, *found.readings]), texts


def take(column: Column, rows: Ints) -> Column:
    """Give some rows of a column."""
    kind = None if column.kind is None else column.kind[rows]
    return Column(column.name, column.position, arrow.taken(column.values, rows), kind)


def kinds(column: Column) -> Ints:
    """Give each cell's kind."""
    if column.kind is not None:
        return column.kind.astype(np.int64)
    empty = arrow.null(column.values)
    return np.where(empty, Kind.EMPTY, Kind.WORD).astype(np.int64)


def json_strings(texts: pa.StringArray) -> pa.StringArray:
    """Write each text as a JSON string; null stays null."""
    return arrow.joined('"', json_characters(texts), '"')


def json_characters(texts: pa.StringArray, quote: str = '"') -> pa.StringArray:
    """Write each text as it stands between the quotes of a JSON string; null stays null.

    `quote` stands for quotes inside of it.
    """

    def escaped(rows: Ints) -> list[str]:
        dumped = (json.dumps(text, ensure_ascii=False)[1:-1] for text in _some(texts, rows))
        return [text.replace('"', quote) for text in dumped]

    return replace_where(texts, characters.holds_any(texts, _ESCAPED_IN_JSON), escaped)


def json_values(column: Column) -> pa.StringArray:
    """Write each cell as a JSON value: texts as strings, an empty cell as null."""
    values = arrow.filled(json_strings(column.text), "null")
    if column.kind is None:
        return values
    typed = np.isin(column.kind, (Kind.BOOLEAN, Kind.NUMBER, Kind.ARRAY, Kind.OBJECT))
    return replace_where(
        values, typed, lambda rows: [_json_value(text) for text in _some(column.text, rows)]
    )


class Signs(NamedTuple):
    """What stands in and around arrays: places of texts, one for all values or one for each."""

    empty: int
    opening: int
    between: Ints | int
    closing: Ints | int


def arrays(texts: pa.StringArray, values: Ints, offsets: Ints, signs: Signs) -> pa.StringArray:
    """Write n arrays: array i has the texts at `values[offsets[i]:offsets[i + 1]]`.

    `values` and `signs` are places in `texts`.
    """
    count = len(offsets) - 1
    sizes = np.diff(offsets)
    # A value is followed by a sign, and the first one stands behind the opening.
    ends = 2 * offsets + np.arange(count + 1)
    places = 2 * np.arange(len(values)) + 1 + np.repeat(np.arange(count), sizes)
    chosen = np.empty(ends[-1], dtype=np.int64)
    chosen[ends[:-1]] = np.where(sizes > 0, signs.opening, signs.empty)
    chosen[places] = values
    chosen[places + 1] = signs.between
    last = offsets[1:][sizes > 0] - 1
    chosen[places[last] + 1] = (
        signs.closing[last] if isinstance(signs.closing, np.ndarray) else signs.closing
    )
    return arrow.woven(texts, chosen, ends)


def json_arrays(offsets: Ints, values: pa.StringArray) -> pa.StringArray:
    """Write n JSON arrays: array i has the JSON values `values[offsets[i]:offsets[i + 1]]`."""
    count = len(values)
    texts = pa.concat_arrays([values, arrow.texts(["[]", "[", ", ", "]"])])
    return arrays(texts, np.arange(count), offsets, Signs(*(count + sign for sign in range(4))))


def replace_where(
    texts: pa.StringArray, where: Mask, make: Callable[[Ints], Sequence[str | None]]
) -> pa.StringArray:
    """Replace some rows of a text column by what `make` gives for them."""
    rows = np.flatnonzero(where)
    if not len(rows):
        return texts
    return kernels.replace_with_mask(texts, arrow.booleans(where), arrow.texts(make(rows)))


def _json_value(text: str) -> str:
    """Take a typed cell as the JSON that it is, unless somebody edited it in a part."""
    try:
        json.loads(text)
    except ValueError:
        return json.dumps(text, ensure_ascii=False)
    return text


def _some(texts: pa.StringArray, rows: Ints) -> list[str]:
    found: list[str] = arrow.take(texts, rows).to_pylist()
    return found


def _may_be_no_text(column: Column, spellings: Spellings) -> Mask:
    """Find every cell that a reader could take for something else than its own text.

    It may find more than there are; whoever reads them decides.
    """
    doubtful: Mask = arrow.null(column.text)
    if column.kind is not None:
        doubtful = doubtful | ~np.isin(column.kind, (Kind.WORD, Kind.STRING, Kind.TEXT))
    for word in spellings.blanks:
        doubtful = doubtful | characters.may_hold(column.text, word)
    first = characters.first_bytes(column.text)
    # A text that starts with a graphic ASCII character is more than white space.
    rows = np.flatnonzero((first <= ord(" ")) | (first > ord("~")))
    doubtful[rows] |= ~arrow.true(
        kernels.match_substring_regex(arrow.take(column.text, rows), "[!-~]")
    )
    return doubtful
