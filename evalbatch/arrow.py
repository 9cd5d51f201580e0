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
_WINDOW = 1 << 18
# To compare with more characters takes longer than to look each byte up.
_FEW = 8
_FINGERPRINTED = 64
_SAMPLE = 1 << 12
# In so many rows of a sample one text must be found again, on average, to be held only once.
_ROWS_A_TEXT = 8
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
# Masks of the low 0 to 8 bytes of a word.
_WITHIN = np.array([256**size - 1 for size in range(9)], dtype=np.uint64)


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
    valid = None if mask is None else _bits(~mask)
    kind = pa.int32() if width is np.int32 else pa.int64()
    return pa.Array.from_buffers(kind, len(numbers), [valid, pa.py_buffer(numbers)])


def digits(values: Ints) -> pa.StringArray:
    """Write whole numbers as texts."""
    return kernels.cast(ints(values), pa.string())


def booleans(mask: Mask) -> pa.BooleanArray:
    """Make an array of Booleans."""
    return pa.Array.from_buffers(pa.bool_(), len(mask), [None, _bits(mask)])


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
        None if present.all() else _bits(present),
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


def few_valued(sample: pa.StringArray) -> bool:
    """Tell by some rows of a column whether it pays to hold its distinct texts once each."""
    return len(kernels.unique(sample)) * _ROWS_A_TEXT <= len(sample)


def encoded_if_few(texts: pa.StringArray) -> pa.StringArray | pa.DictionaryArray:
    """Hold the distinct texts of a column once each where it is long, and they seem few."""
    is_few = len(texts) > _SAMPLE and few_valued(texts.slice(0, _SAMPLE))
    return encoded(texts) if is_few else texts


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


def first_bytes(array: pa.StringArray) -> Bytes:
    """Give the first byte of each text; 0 for one without characters."""
    bounds, data = starts(array), view(array)
    if not len(data):
        return np.zeros(len(array), dtype=np.uint8)
    begins = bounds[:-1] - bounds[0]
    lacking = bounds[1:] == bounds[:-1]
    found: Bytes = data[np.minimum(begins, len(data) - 1) if lacking[-1] else begins]
    found[lacking] = 0
    return found


def may_hold(array: pa.StringArray, word: str) -> Mask:
    """Find the texts that hold a word in some ASCII letter case, and perhaps a few more."""
    data, wanted = view(array), word.encode()
    both_cases = [{*bytes([byte]).lower(), *bytes([byte]).upper()} for byte in wanted]
    # What is no letter is rarer.
    pivot = next((place for place, cases in enumerate(both_cases) if len(cases) == 1), 0)
    places = places_of(array, bytes(both_cases[pivot])) - pivot
    places = places[(places >= 0) & (places <= len(data) - len(wanted))]
    for offset, cases in enumerate(both_cases):
        places = places[_is_one_of(data[places + offset], bytes(cases))]
    return _holding(array, places)


def hold(array: pa.StringArray | pa.DictionaryArray, characters: bytes) -> bool:
    """Tell whether one of some ASCII characters stands in any of the texts."""
    if isinstance(array, pa.DictionaryArray):
        return hold(array.dictionary, characters)
    data = view(array)
    return any(
        bool(_is_one_of(data[begin : begin + _WINDOW], characters).any())
        for begin in range(0, len(data), _WINDOW)
    )


def is_utf8(data: bytes) -> bool:
    """Tell whether some bytes are text in UTF-8."""
    if data.isascii():
        return True
    whole = binaries(np.array([0, len(data)]), np.frombuffer(data, dtype=np.uint8))
    try:
        whole.view(pa.string()).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def is_ascii(data: Bytes) -> bool:
    """Tell whether all characters in some bytes are ASCII."""
    return bool(data.max(initial=0) < 128)


def places_of(array: pa.StringArray, characters: bytes) -> Ints:
    """Find some ASCII characters: their places in the bytes of all texts."""
    data = view(array)
    found = [
        np.flatnonzero(_is_one_of(data[begin : begin + _WINDOW], characters)) + begin
        for begin in range(0, len(data), _WINDOW)
    ]
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def counts_before(array: pa.StringArray, places: Ints) -> Ints:
    """Count the places before each of the n + 1 bounds of n texts."""
    found: Ints = np.searchsorted(places, starts(array) - starts(array)[0])
    return found


def holds_any(array: pa.StringArray, characters: bytes) -> Mask:
    """Tell which texts hold one of some ASCII characters."""
    return _holding(array, places_of(array, characters))


def doubled(array: pa.StringArray, byte: bytes) -> pa.StringArray:
    """Double an ASCII character wherever it stands."""
    where = places_of(array, byte)
    if not len(where):
        return array
    moved = starts(array) - starts(array)[0] + counts_before(array, where)
    return pa.StringArray.from_buffers(
        len(array),
        pa.py_buffer(moved.astype(np.int32)),
        pa.py_buffer(raw(array).replace(byte, byte * 2)),
        _bits(~null(array)) if array.null_count else None,
    )


def surely_differ(array: pa.StringArray) -> bool:
    """Prove that all texts differ, by their order or by 64-bit fingerprints; False leaves it open.

    It is much cheaper than to tell which are the same, and mostly enough.
    """
    bounds = starts(array)
    begins, lengths = bounds[:-1] - bounds[0], np.diff(bounds)
    longest = int(lengths.max(initial=0))
    if array.null_count:
        return False
    if true(kernels.less(array.slice(0, len(array) - 1), array.slice(1))).all():
        # Ids are often numbered in their order.
        return True
    if longest > _FINGERPRINTED:
        return False
    data = raw(array) + bytes(_FINGERPRINTED + 8)
    # A word of 8 bytes from every byte on.
    words = np.ndarray(shape=(len(data) - 7,), dtype="<u8", buffer=data, strides=(1,))
    prints = lengths.astype(np.uint64)
    for place in range(0, longest, 8):
        chosen = words[begins + place]
        if int(lengths.min()) < place + 8:
            chosen &= _WITHIN[np.clip(lengths - place, 0, 8)]
        prints ^= chosen
        prints *= _MULTIPLIER
        prints ^= prints >> np.uint64(29)
    prints.sort()
    return bool((prints[1:] != prints[:-1]).all())


def _bits(mask: Mask) -> pa.Buffer:
    return pa.py_buffer(np.packbits(mask, bitorder="little"))


def _unpacked(bits: pa.Buffer, array: pa.Array) -> Mask:
    unpacked = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), bitorder="little")
    found: Mask = unpacked[array.offset : array.offset + len(array)].astype(bool)
    return found


def one_chunk(column: pa.ChunkedArray | Sequence[pa.Array]) -> pa.Array:
    """Join the chunks of a column."""
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else list(column)
    return chunks[0] if len(chunks) == 1 else pa.concat_arrays(chunks)


def _holding(array: pa.StringArray, places: Ints) -> Mask:
    """Tell in which texts some places in the bytes of all texts are."""
    found = np.zeros(len(array), dtype=bool)
    if len(places):
        bounds = starts(array)
        found[np.searchsorted(bounds - bounds[0], places, side="right") - 1] = True
    return found


def _is_one_of(data: Bytes, characters: bytes) -> Mask:
    if len(characters) > _FEW:
        is_one = np.zeros(256, dtype=bool)
        is_one[list(characters)] = True
        return is_one[data]
    found: Mask = np.logical_or.reduce([data == character for character in characters])
    return found
