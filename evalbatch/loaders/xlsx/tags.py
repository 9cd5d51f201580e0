"""The tags of rows in the plain form in which programs write them, found many at once.

What has another form is left to the XML parser, which decides what a part says: rows are read here
only where the parser cannot differ.
"""

import re
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from evalbatch.arrow import Bytes, Ints, Mask
from evalbatch.characters import WITHIN
from evalbatch.loaders.xlsx.plain import holds_plain_characters

Words = npt.NDArray[np.uint64]

_LAST_ROW, _LAST_COLUMN = 1 << 20, 1 << 14
_ROW_ATTRIBUTES = re.compile(rb'(?: [A-Za-z][A-Za-z0-9:]*="[^"&<>]*")*')
_MOST_DIGITS = 7
_ATTRIBUTES = re.compile(rb'(?: [st]="[A-Za-z0-9]+"){0,2}/?>')
_PAIR = re.compile(rb' ([A-Za-z0-9:]+)="([^"]*)"')
_STARTS = (
    b'row r="',
    b"/row>",
    b'c r="',
    b"/c>",
    b"v>",
    b"/v>",
    b"is>",
    b"/is>",
    b"t>",
    b"/t>",
    b"t xml:sp",
)
_ROW_TAG, _ROW_END, _CELL, _CELL_END, _V, _V_END, _IS, _IS_END, _T, _T_END, _SPACED = range(1, 12)
_SPACED_T = b't xml:space="preserve">'
_PADDING = 32
_MOST_FORMS = 64
_START_WORDS = np.array(
    [0, *(int.from_bytes(start, "little") for start in _STARTS)], dtype=np.uint64
)
_START_MASKS = WITHIN[[0, *map(len, _STARTS)]]
_BY_TWO_BYTES = np.zeros(1 << 16, dtype=np.uint8)
_BY_TWO_BYTES[[int.from_bytes(start[:2], "little") for start in _STARTS]] = range(1, 12)


class Form(NamedTuple):
    """What stands in a cell's tag behind its reference: its type, and the number of its style."""

    type: str
    style: int | None


@dataclass(frozen=True, slots=True)
class Tags:
    """The cells of n whole rows: cell i stands in row `row[i]` (from 0) and column `column[i]`.

    `numbers` are the rows' own numbers, `is_hidden` tells which of them are. Cell i has the form
    `forms[form[i]]`; its content is in the bytes `begin[i]` to `end[i]`, inside an `is` element
    where `is_inline`, and it has none where `lacks`.
    """

    numbers: Ints
    is_hidden: Mask
    row: Ints
    column: Ints
    form: Ints
    forms: list[Form]
    begin: Ints
    end: Ints
    is_inline: Mask
    lacks: Mask


def find(data: bytes) -> Tags | None:
    """Find the tags of whole rows; None if one is not plain, or they are out of order."""
    if not holds_plain_characters(data):
        return None
    padded = data + bytes(_PADDING)
    byte = np.frombuffer(padded, dtype=np.uint8)
    # A word of 8 bytes from every byte on.
    word: Words = np.ndarray((len(data) + _PADDING - 7,), "<u8", padded, strides=(1,))
    opening, closing = np.flatnonzero(byte == ord("<")), np.flatnonzero(byte == ord(">"))
    if len(opening) != len(closing) or not len(opening):
        return None
    if not ((opening < closing).all() and (closing[:-1] < opening[1:]).all()):
        return None
    kind = _kinds(word, opening)
    units = np.flatnonzero((kind >= _ROW_TAG) & (kind <= _CELL))
    sizes = np.diff(np.append(units, len(kind)))
    if not _is_in_order(kind, units, sizes):
        return None
    row_tags = np.flatnonzero(kind == _ROW_TAG)
    rows = _rows(byte, opening[row_tags], closing[row_tags])
    if rows is None:
        return None
    numbers, lengths, is_hidden = rows
    if numbers[-1] > _LAST_ROW or not (np.diff(numbers) > 0).all():
        return None
    is_cell = kind[units] == _CELL
    cell, size = units[is_cell], sizes[is_cell]
    row = np.cumsum(kind[units] == _ROW_TAG)[is_cell] - 1
    at = _references(byte, word, opening[cell], row, opening[row_tags], lengths)
    if at is None:
        return None
    column, behind = at
    same_row = row[1:] == row[:-1]
    if column.max(initial=0) >= _LAST_COLUMN or (np.diff(column)[same_row] <= 0).any():
        return None
    forms = _forms(byte, word, behind, closing[cell])
    if forms is None:
        return None
    begin = np.where(size == 6, closing[np.minimum(cell + 2, len(kind) - 1)], 0)
    begin = np.where(size == 4, closing[np.minimum(cell + 1, len(kind) - 1)], begin) + 1
    end = np.where(size == 6, opening[np.minimum(cell + 3, len(kind) - 1)], begin)
    end = np.where(size == 4, opening[np.minimum(cell + 2, len(kind) - 1)], end)
    lacks = size < 4
    begin[lacks] = end[lacks] = closing[cell][lacks]
    if ((size == 1) != (byte[closing[cell] - 1] == ord("/"))).any():
        return None
    return Tags(numbers, is_hidden, row, column, *forms, begin, end, size == 6, lacks)


def _kinds(word: Words, opening: Ints) -> Bytes:
    """Tell what each tag is by how it starts; 0 for whatever else there is."""
    head = word[opening + 1]
    # The first two bytes tell which start it can be.
    kind: Bytes = _BY_TWO_BYTES[head & np.uint64(0xFFFF)]
    kind[(head & _START_MASKS[kind]) != _START_WORDS[kind]] = 0
    spaced = np.flatnonzero(head == _START_WORDS[_SPACED])
    for place in (8, 16):
        part = _SPACED_T[place:][:8]
        found = word[opening[spaced] + 1 + place] & WITHIN[len(part)]
        kind[spaced[found != int.from_bytes(part, "little")]] = 0
    kind[kind == _SPACED] = _T
    return kind


def _is_in_order(kind: Bytes, units: Ints, sizes: Ints) -> bool:
    """Prove that the tags are rows of cells, and each cell empty, a value or an inline text."""
    if not len(units) or units[0] != 0:
        return False
    first = kind[units]
    begins_row = first == _ROW_TAG
    if not begins_row[0] or first[-1] != _ROW_END:
        return False
    if (begins_row[1:] != (first[:-1] == _ROW_END)).any() or (sizes[first != _CELL] != 1).any():
        return False
    for size, inside in (
        (1, ()),
        (2, (_CELL_END,)),
        (4, (_V, _V_END, _CELL_END)),
        (6, (_IS, _T, _T_END, _IS_END, _CELL_END)),
    ):
        some = units[sizes == size]
        if any((kind[some + place] != one).any() for place, one in enumerate(inside, 1)):
            return False
    return bool(np.isin(sizes, (1, 2, 4, 6)).all())


def _rows(byte: Bytes, opening: Ints, closing: Ints) -> tuple[Ints, Ints, Mask] | None:
    """Read the rows' tags: their numbers, how many digits those have, and which are hidden."""
    at = opening + len('<row r="')
    numbers = np.zeros(len(at), dtype=np.int64)
    lengths = np.zeros(len(at), dtype=np.int64)
    is_digit = np.ones(len(at), dtype=bool)
    for place in range(_MOST_DIGITS):
        one = byte[at + place] - np.uint8(ord("0"))
        is_digit &= one < 10
        numbers = np.where(is_digit, numbers * 10 + one, numbers)
        lengths += is_digit
    behind = at + lengths
    # Without a digit, or with a zero before the others, it is no row's number.
    if (byte[at] - np.uint8(ord("1")) > 8).any() or (byte[behind] != ord('"')).any():
        return None
    hidden: dict[bytes, bool] = {}
    rest = [b""]
    if (behind + 1 < closing).any():
        ends = zip((behind + 1).tolist(), closing.tolist(), strict=True)
        data = byte.tobytes()
        rest = [data[begin:end] for begin, end in ends]
    for attributes in set(rest):
        pairs = _PAIR.findall(attributes)
        names = {name for name, _ in pairs}
        if not _ROW_ATTRIBUTES.fullmatch(attributes) or len(names) != len(pairs) or b"r" in names:
            return None
        hidden[attributes] = (b"hidden", b"1") in pairs or (b"hidden", b"true") in pairs
    is_hidden = np.zeros(len(at), dtype=bool)
    is_hidden[:] = [hidden[attributes] for attributes in rest]
    return numbers, lengths, is_hidden


def _references(
    byte: Bytes, word: Words, cells: Ints, row: Ints, rows: Ints, lengths: Ints
) -> tuple[Ints, Ints] | None:
    """Read each cell's column, and where its reference ends; None if it names another row.

    `cells` and `rows` are the places of their tags; `lengths` counts the digits of the rows.
    """
    at = cells + len('<c r="')
    column = np.zeros(len(at), dtype=np.int64)
    is_letter = np.ones(len(at), dtype=bool)
    letters = np.zeros(len(at), dtype=np.int64)
    for place in range(3):
        one = byte[at + place] - np.uint8(ord("A"))
        is_letter &= one < 26
        if not is_letter.any():
            break
        column = np.where(is_letter, column * 26 + one + 1, column)
        letters += is_letter
    # The digits must be those of the row's own number.
    within, wanted = WITHIN[lengths], word[rows + len('<row r="')]
    found = word[at + letters] & within[row]
    behind = at + letters + lengths[row]
    if (letters == 0).any() or (found != (wanted & within)[row]).any():
        return None
    return None if (byte[behind] != ord('"')).any() else (column - 1, behind + 1)


def _forms(byte: Bytes, word: Words, begin: Ints, end: Ints) -> tuple[Ints, list[Form]] | None:
    """Read what stands behind the references; a sheet has few distinct ones."""
    sizes = end - begin + 1
    if sizes.max(initial=0) > 24:
        return None
    words = [word[begin + place] & WITHIN[np.clip(sizes - place, 0, 8)] for place in (0, 8, 16)]
    form = np.full(len(begin), -1, dtype=np.int64)
    forms: list[Form] = []
    rest = np.arange(len(begin))
    while len(rest):
        if len(forms) == _MOST_FORMS:
            return None
        first = rest[0]
        text = byte[begin[first] : end[first] + 1].tobytes()
        pairs = dict(_PAIR.findall(text))
        if not _ATTRIBUTES.fullmatch(text) or len(pairs) != text.count(b"="):
            return None
        style = pairs.get(b"s")
        if style is not None and not (style.isdigit() and len(style) < 7):
            return None
        same = np.ones(len(rest), dtype=bool)
        for one in words:
            same &= one[rest] == one[first]
        form[rest[same]] = len(forms)
        forms.append(Form(pairs.get(b"t", b"n").decode(), None if style is None else int(style)))
        rest = rest[~same]
    return form, forms
