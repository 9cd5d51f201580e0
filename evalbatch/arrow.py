"""Arrow arrays made of, and taken apart into, numpy ones and Python texts.

Arrow's own conversions import pandas, which takes longer than a small sheet takes altogether.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evalbatch import kernels

Ints = npt.NDArray[np.signedinteger[Any]]
Mask = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

_INT32_MAX = 2**31 - 1
_SAMPLE = 1 << 12
# In so many rows of a sample one text must be found again, on average, to be held only once.
_ROWS_A_TEXT = 8


def scalar(text: str) -> pa.StringScalar:
    """Make a text that stands for all rows."""
    return texts([text])[0]


def filled(array: pa.StringArray, text: str) -> pa.StringArray:
    """Put a text in the place of each null."""
    return kernels.coalesce(array, scalar(text))


def joined(
    *parts: pa.StringArray | str, separator: str = "", null: str | None = None
) -> pa.StringArray:
    """Join texts row by row; a row with a null is null, unless `null` stands in for it."""
    wide = [scalar(part) if isinstance(part, str) else part for part in parts]
    return kernels.join(wide, scalar(separator), null)


def take(array: pa.Array, rows: Ints, mask: Mask | None = None) -> Any:
    """Give some rows of an array; where `mask` is true, null."""
    return kernels.take(array, ints(rows, mask))


def ints(values: npt.NDArray[np.integer[Any]], mask: Mask | None = None) -> pa.Array:
    """Make an array of int32 of such numbers, else of int64; where `mask` is true, it is null."""
    width = np.int32 if values.dtype == np.int32 else np.int64
    numbers = np.ascontiguousarray(values, dtype=width)
    valid = None if mask is None else bits(~mask)
    kind = pa.int32() if width is np.int32 else pa.int64()
    return pa.Array.from_buffers(kind, len(numbers), [valid, pa.py_buffer(numbers)])


def digits(values: Ints) -> pa.StringArray:
    """Write whole numbers as texts."""
    return kernels.cast(ints(values), pa.string())


def booleans(mask: Mask) -> pa.BooleanArray:
    """Make an array of Booleans."""
    return pa.Array.from_buffers(pa.bool_(), len(mask), [None, bits(mask)])


def texts(values: Iterable[str | None]) -> pa.StringArray:
    """Make an array of texts; None is null."""
    found = list(values)
    encoded = [b"" if value is None else value.encode() for value in found]
    offsets = np.zeros(len(found) + 1, dtype=np.int64)
    np.cumsum(np.fromiter(map(len, encoded), dtype=np.int64, count=len(found)), out=offsets[1:])
    if offsets[-1] > _INT32_MAX:
        raise OverflowError("a column holds more than 2 GiB of text")
    present = np.fromiter((value is not None for value in found), dtype=bool, count=len(found))
    return pa.StringArray.from_buffers(
        len(found),
        pa.py_buffer(offsets.astype(np.int32)),
        pa.py_buffer(b"".join(encoded)),
        None if present.all() else bits(present),
    )


def binaries(offsets: Ints, data: npt.NDArray[np.uint8]) -> pa.BinaryArray:
    """Make an array of byte strings: string i is `data[offsets[i]:offsets[i + 1]]`."""
    bounds = pa.py_buffer(np.ascontiguousarray(offsets, dtype=np.int32))
    return pa.BinaryArray.from_buffers(
        pa.binary(), len(offsets) - 1, [None, bounds, pa.py_buffer(data)]
    )


def members(offsets: Ints, lists: Ints) -> tuple[Ints, Ints]:
    """Give the members of m lists, one after the other, and the m + 1 offsets between the lists.

    List i has the members `offsets[i]` to `offsets[i + 1]`.
    """
    counts = offsets[lists + 1] - offsets[lists]
    ends = np.concatenate([[0], np.cumsum(counts)])
    shifts = np.repeat(offsets[lists] - ends[:-1], counts)
    return shifts + np.arange(len(shifts)), ends


def woven(texts: pa.StringArray, chosen: Ints, offsets: Ints) -> pa.StringArray:
    """Put n texts together: text i is `texts[chosen[offsets[i]:offsets[i + 1]]]`, without gaps."""
    pieces = take(texts, chosen)
    ends = np.ascontiguousarray(starts(pieces)[offsets], dtype=np.int32)
    return pa.StringArray.from_buffers(len(offsets) - 1, pa.py_buffer(ends), pieces.buffers()[2])


def numbers(array: pa.Array) -> Ints:
    """Give the numbers of an integer array without nulls as int64."""
    width = array.type.bit_width // 8
    found = np.frombuffer(array.buffers()[1], dtype=f"i{width}") if len(array) else np.array([])
    return found[array.offset : array.offset + len(array)].astype(np.int64, copy=False)


def encoded(values: pa.StringArray | pa.DictionaryArray) -> pa.DictionaryArray:
    """Give the distinct texts once, and a code of 32 bits for each row."""
    return values if isinstance(values, pa.DictionaryArray) else kernels.dictionary_encode(values)


def are_few(distinct: int, rows: int) -> bool:
    """Tell whether it pays to hold the distinct texts of so many rows once each."""
    return distinct * _ROWS_A_TEXT <= rows


def encoded_if_few(texts: pa.StringArray) -> pa.StringArray | pa.DictionaryArray:
    """Hold the distinct texts of a column once each where it is long, and they are few."""
    sample = texts.slice(0, _SAMPLE)
    if len(texts) <= _SAMPLE or not are_few(len(kernels.unique(sample)), len(sample)):
        return texts
    found = encoded(texts)
    return found if are_few(len(found.dictionary), len(found)) else texts


def decoded(values: pa.StringArray | pa.DictionaryArray) -> pa.StringArray:
    """Give the texts themselves."""
    is_encoded = isinstance(values, pa.DictionaryArray)
    return kernels.take(values.dictionary, values.indices) if is_encoded else values


def taken(
    values: pa.StringArray | pa.DictionaryArray, rows: Ints
) -> pa.StringArray | pa.DictionaryArray:
    """Give some rows; the dictionary is then of those alone, in the order in which they come."""
    if not isinstance(values, pa.DictionaryArray):
        return take(values, rows)
    indices = kernels.dictionary_encode(take(values.indices, rows))
    kept = kernels.take(values.dictionary, indices.dictionary)
    return pa.DictionaryArray.from_arrays(indices.indices, kept)


def codes(indices: pa.Int32Array, null_code: int) -> Ints:
    """Give indices of 32 bits, and a code of its own for null."""
    if not len(indices):
        return np.zeros(0, dtype=np.int32)
    found = np.frombuffer(indices.buffers()[1], dtype=np.int32)
    found = found[indices.offset : indices.offset + len(indices)]
    return np.where(null(indices), np.int32(null_code), found) if indices.null_count else found


def true(array: pa.BooleanArray) -> Mask:
    """Give a mask of a Boolean array; null is false."""
    if not len(array):
        return np.zeros(0, dtype=bool)
    valid, values = array.buffers()
    found: Mask = _unpacked(values, array)
    return found if valid is None else found & _unpacked(valid, array)


def null(array: pa.Array) -> Mask:
    """Tell which values are null."""
    valid = array.buffers()[0] if len(array) else None
    if valid is None:
        return np.zeros(len(array), dtype=bool)
    found: Mask = ~_unpacked(valid, array)
    return found


def starts(array: pa.StringArray) -> Ints:
    """Give the n + 1 offsets of n texts into their characters' bytes."""
    if not len(array):
        return np.zeros(1, dtype=np.int32)
    bounds = np.frombuffer(array.buffers()[1], dtype=np.int32)
    return bounds[array.offset : array.offset + len(array) + 1]


def raw(array: pa.StringArray) -> bytes:
    """Give the bytes of all texts, one behind the other."""
    return view(array).tobytes()


def view(array: pa.StringArray) -> Bytes:
    """Give the bytes of all texts, one behind the other, where they are in memory."""
    buffer = array.buffers()[2] if len(array) else None
    if buffer is None:
        return np.zeros(0, dtype=np.uint8)
    bounds = starts(array)
    return np.frombuffer(buffer, dtype=np.uint8)[bounds[0] : bounds[-1]]


def empty(array: pa.StringArray | pa.DictionaryArray) -> Mask:
    """Tell which texts are null or have no characters."""
    if isinstance(array, pa.DictionaryArray):
        found: Mask = np.append(empty(array.dictionary), True)[
            codes(array.indices, len(array.dictionary))
        ]
        return found
    bounds = starts(array)
    lacking: Mask = (bounds[1:] == bounds[:-1]) | null(array)
    return lacking


def bits(mask: Mask) -> pa.Buffer:
    """Make a buffer of bits, as Arrow holds Booleans and what is valid."""
    return pa.py_buffer(np.packbits(mask, bitorder="little"))


def _unpacked(bits: pa.Buffer, array: pa.Array) -> Mask:
    unpacked = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), bitorder="little")
    found: Mask = unpacked[array.offset : array.offset + len(array)].astype(bool)
    return found


def one_column(
    chunks: Sequence[pa.StringArray | pa.DictionaryArray],
) -> pa.StringArray | pa.DictionaryArray:
    """Join the chunks of a column; if they hold distinct texts, the column does where it pays."""
    distinct = sum(len(one.dictionary) for one in chunks if isinstance(one, pa.DictionaryArray))
    pays = distinct and are_few(distinct, sum(map(len, chunks)))
    return one_chunk([(encoded if pays else decoded)(one) for one in chunks])


def one_chunk(column: pa.ChunkedArray | Sequence[pa.Array]) -> pa.Array:
    """Join the chunks of a column."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else list(column)
    return chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)
