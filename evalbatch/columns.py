"""Columns moved and read as a whole: each distinct cell is read once, and spread by index."""

import json
from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch.readings import Spellings, read
from evalbatch.records import Cell, Column, Ints, Kind, Mask, Reading, Readings


def true(mask: pa.BooleanArray) -> Mask:
    """Make a numpy mask of an Arrow one; null is false."""
    found: Mask = pc.fill_null(mask, False).to_numpy(zero_copy_only=False)
    return found


def distinct(column: Column) -> tuple[Ints, list[Cell]]:
    """Give each row's code, and the distinct cells that the codes stand for."""
    if column.kind is None:
        encoded = column.text.dictionary_encode()
        cells = [Cell(text, Kind.WORD) for text in encoded.dictionary.to_pylist()]
        codes = pc.fill_null(encoded.indices, len(cells)).to_numpy().astype(np.int64)
        return codes, [*cells, Cell(None, Kind.EMPTY)]
    kinds = pa.array(column.kind).cast(pa.string())
    encoded = pc.binary_join_element_wise(
        kinds, pc.fill_null(column.text, ""), " "
    ).dictionary_encode()
    cells = []
    for joined in encoded.dictionary.to_pylist():
        kind, _, text = joined.partition(" ")
        empty = Kind(int(kind)) == Kind.EMPTY
        cells.append(Cell(None if empty else text, Kind(int(kind))))
    return encoded.indices.to_numpy().astype(np.int64), cells


def read_column(role: str, column: Column, spellings: Spellings) -> Readings:
    """Read a column in its role, each distinct cell once."""
    codes, cells = distinct(column)
    return Readings(codes, [read(role, cell, spellings) for cell in cells])


def read_texts(role: str, column: Column, spellings: Spellings) -> tuple[Readings, pa.StringArray]:
    """Read a column of mostly plain texts, such as ids: only cells that may be none are read.

    Returns the readings, of which the first stands for every text taken as it is, and the values
    (n strings, null where the reading's value is no text).
    """
    doubtful = _may_be_no_text(column, spellings)
    rows = np.flatnonzero(doubtful)
    codes = np.zeros(len(column.text), dtype=np.int64)
    plain = Reading("")
    if not len(rows):
        return Readings(codes, [plain]), column.text
    found = read_column(role, take(column, rows), spellings)
    codes[rows] = found.codes + 1
    values = [
        one.value if isinstance(one.value, str) and not one.reasons else None
        for one in found.readings
    ]
    replaced = pa.array(values, pa.string()).take(pa.array(found.codes))
    texts = pc.replace_with_mask(column.text, pa.array(doubtful), replaced)
    return Readings(codes, [plain, *found.readings]), texts


def take(column: Column, rows: Ints) -> Column:
    """Give some rows of a column."""
    kind = None if column.kind is None else column.kind[rows]
    return Column(column.name, column.position, column.text.take(pa.array(rows)), kind)


def kinds(column: Column) -> Ints:
    """Give each cell's kind."""
    if column.kind is not None:
        return column.kind.astype(np.int64)
    empty = column.text.is_null().to_numpy(zero_copy_only=False)
    return np.where(empty, Kind.EMPTY, Kind.WORD).astype(np.int64)


def json_strings(texts: pa.StringArray) -> pa.StringArray:
    """Write each text as a JSON string; null stays null."""
    plain = pc.binary_join_element_wise('"', texts, '"', "")
    return replace_where(
        plain,
        true(pc.match_substring_regex(texts, r'["\\\x00-\x1f]')),
        lambda rows: [json.dumps(text, ensure_ascii=False) for text in _some(texts, rows)],
    )


def json_values(column: Column) -> pa.StringArray:
    """Write each cell as a JSON value: texts as strings, an empty cell as null."""
    values = pc.fill_null(json_strings(column.text), "null")
    if column.kind is None:
        return values
    typed = np.isin(column.kind, (Kind.BOOLEAN, Kind.NUMBER, Kind.ARRAY, Kind.OBJECT))
    return replace_where(
        values, typed, lambda rows: [_json_value(text) for text in _some(column.text, rows)]
    )


def joined_lists(offsets: Ints, values: pa.StringArray) -> pa.StringArray:
    """Write lists of JSON values (list i is `values[offsets[i]:offsets[i + 1]]`) as arrays."""
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)
    return pc.binary_join_element_wise("[", pc.binary_join(lists, ", "), "]", "")


def replace_where(
    texts: pa.StringArray, where: Mask, make: Callable[[Ints], Sequence[str | None]]
) -> pa.StringArray:
    """Replace some rows of a text column by what `make` gives for them."""
    rows = np.flatnonzero(where)
    if not len(rows):
        return texts
    return pc.replace_with_mask(texts, pa.array(where), pa.array(make(rows), pa.string()))


def _json_value(text: str) -> str:
    """Take a typed cell as the JSON that it is, unless somebody edited it in a part."""
    try:
        json.loads(text)
    except ValueError:
        return json.dumps(text, ensure_ascii=False)
    return text


def _some(texts: pa.StringArray, rows: Ints) -> list[str]:
    found: list[str] = texts.take(pa.array(rows)).to_pylist()
    return found


def _may_be_no_text(column: Column, spellings: Spellings) -> Mask:
    """Find every cell that a reader could take for something else than its own text.

    It may find more than there are; whoever reads them decides.
    """
    doubtful: Mask = column.text.is_null().to_numpy(zero_copy_only=False)
    if column.kind is not None:
        doubtful = doubtful | ~np.isin(column.kind, (Kind.WORD, Kind.STRING))
    for word in spellings.blank:
        doubtful = doubtful | true(pc.match_substring(column.text, word, ignore_case=True))
    return doubtful | ~true(pc.match_substring_regex(column.text, "[!-~]"))
