"""The characters of texts in Arrow arrays, looked at as the bytes of all texts at once."""

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Bytes, Ints, Mask

# So many bytes, and what is worked out of them, stay in a processor's cache.
_WINDOW = 1 << 18
# To compare with more characters takes longer than to look each byte up.
_FEW = 8
_FINGERPRINTED = 64
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
WITHIN = np.array([256**size - 1 for size in range(9)], dtype=np.uint64)
"""Masks of the low 0 to 8 bytes of a word."""


def is_utf8(data: bytes) -> bool:
    """Tell whether some bytes are text in UTF-8."""
    if data.isascii():
        return True
    whole = arrow.binaries(np.array([0, len(data)]), np.frombuffer(data, dtype=np.uint8))
    try:
        whole.view(pa.string()).validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def is_ascii(data: Bytes) -> bool:
    """Tell whether all characters in some bytes are ASCII."""
    return bool(data.max(initial=0) < 128)


def first_bytes(array: pa.StringArray) -> Bytes:
    """Give the first byte of each text; 0 for one without characters."""
    bounds, data = arrow.starts(array), arrow.view(array)
    if not len(data):
        return np.zeros(len(array), dtype=np.uint8)
    begins = bounds[:-1] - bounds[0]
    lacking = bounds[1:] == bounds[:-1]
    found: Bytes = data[np.minimum(begins, len(data) - 1) if lacking[-1] else begins]
    found[lacking] = 0
    return found


def hold(array: pa.StringArray | pa.DictionaryArray, characters: bytes) -> bool:
    """Tell whether one of some ASCII characters stands in any of the texts."""
    if isinstance(array, pa.DictionaryArray):
        return hold(array.dictionary, characters)
    data = arrow.view(array)
    return any(
        bool(_is_one_of(data[begin : begin + _WINDOW], characters).any())
        for begin in range(0, len(data), _WINDOW)
    )


def holds_any(array: pa.StringArray, characters: bytes) -> Mask:
    """Tell which texts hold one of some ASCII characters."""
    return _holding(array, places_of(array, characters))


def may_hold(array: pa.StringArray, word: str) -> Mask:
    """Find the texts that hold a word in some ASCII letter case, and perhaps a few more."""
    data, wanted = arrow.view(array), word.encode()
    both_cases = [{*bytes([byte]).lower(), *bytes([byte]).upper()} for byte in wanted]
    # What is no letter is rarer.
    pivot = next((place for place, cases in enumerate(both_cases) if len(cases) == 1), 0)
    places = places_of(array, bytes(both_cases[pivot])) - pivot
    places = places[(places >= 0) & (places <= len(data) - len(wanted))]
    for offset, cases in enumerate(both_cases):
        places = places[_is_one_of(data[places + offset], bytes(cases))]
    return _holding(array, places)


def places_of(array: pa.StringArray, characters: bytes) -> Ints:
    """Find some ASCII characters: their places in the bytes of all texts."""
    data = arrow.view(array)
    found = [
        np.flatnonzero(_is_one_of(data[begin : begin + _WINDOW], characters)) + begin
        for begin in range(0, len(data), _WINDOW)
    ]
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def counts_before(array: pa.StringArray, places: Ints) -> Ints:
    """Count the places before each of the n + 1 bounds of n texts."""
    found: Ints = np.searchsorted(places, arrow.starts(array) - arrow.starts(array)[0])
    return found


def doubled(array: pa.StringArray, byte: bytes) -> pa.StringArray:
    """Double an ASCII character wherever it stands."""
    where = places_of(array, byte)
    if not len(where):
        return array
    moved = arrow.starts(array) - arrow.starts(array)[0] + counts_before(array, where)
    return pa.StringArray.from_buffers(
        len(array),
        pa.py_buffer(moved.astype(np.int32)),
        pa.py_buffer(arrow.raw(array).replace(byte, byte * 2)),
        arrow.bits(~arrow.null(array)) if array.null_count else None,
    )


def surely_differ(array: pa.StringArray) -> bool:
    """Prove that all texts differ, by their order or by 64-bit fingerprints; False leaves it open.

    It is much cheaper than to tell which are the same, and mostly enough.
    """
    bounds = arrow.starts(array)
    begins, lengths = bounds[:-1] - bounds[0], np.diff(bounds)
    longest = int(lengths.max(initial=0))
    if array.null_count:
        return False
    if arrow.true(kernels.less(array.slice(0, len(array) - 1), array.slice(1))).all():
        # Ids are often numbered in their order.
        return True
    if longest > _FINGERPRINTED:
        return False
    data = arrow.raw(array) + bytes(_FINGERPRINTED + 8)
    # A word of 8 bytes from every byte on.
    words = np.ndarray(shape=(len(data) - 7,), dtype="<u8", buffer=data, strides=(1,))
    prints = lengths.astype(np.uint64)
    for place in range(0, longest, 8):
        chosen = words[begins + place]
        if int(lengths.min()) < place + 8:
            chosen &= WITHIN[np.clip(lengths - place, 0, 8)]
        prints ^= chosen
        prints *= _MULTIPLIER
        prints ^= prints >> np.uint64(29)
    prints.sort()
    return bool((prints[1:] != prints[:-1]).all())


def _holding(array: pa.StringArray, places: Ints) -> Mask:
    """Tell in which texts some places in the bytes of all texts are."""
    found = np.zeros(len(array), dtype=bool)
    if len(places):
        bounds = arrow.starts(array)
        found[np.searchsorted(bounds - bounds[0], places, side="right") - 1] = True
    return found


def _is_one_of(data: Bytes, characters: bytes) -> Mask:
    if len(characters) > _FEW:
        is_one = np.zeros(256, dtype=bool)
        is_one[list(characters)] = True
        return is_one[data]
    found: Mask = np.logical_or.reduce([data == character for character in characters])
    return found
