"""Many rows of a worksheet at once: their cells as columns, where they are of a plain form."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.loaders.xlsx import tags
from evalbatch.loaders.xlsx.book import Book, Format
from evalbatch.loaders.xlsx.numbers import read_number
from evalbatch.loaders.xlsx.plain import decoded
from evalbatch.loaders.xlsx.tags import Form, Tags
from evalbatch.records import Kind

Kinds = npt.NDArray[np.uint8]

_WORDS = ("false", "true")
_MOST_DIGITS = 8


@dataclass(frozen=True, slots=True)
class BlockColumn:
    """A column's n texts, null where no cell is, and the kinds of its cells."""

    text: pa.StringArray
    kind: Kinds

    def take(self, rows: Ints) -> "BlockColumn":
        """Give some of the cells."""
        return BlockColumn(arrow.take(self.text, rows), self.kind[rows])


@dataclass(frozen=True, slots=True)
class Block:
    """n rows: their numbers, which of them are hidden, and by place each column with a cell."""

    numbers: Ints
    is_hidden: Mask
    columns: dict[int, BlockColumn]


def read(data: bytes, book: Book) -> Block | None:
    """Read whole rows; None where the XML parser has to decide."""
    found = tags.find(data)
    if found is None:
        return None
    reader = _Reader(data, book, found)
    if not all(reader.read(number, form) for number, form in enumerate(found.forms)):
        return None
    places = np.unique(found.column[reader.kind != Kind.EMPTY]).tolist()
    columns = {place: reader.column(place) for place in places}
    return Block(found.numbers, found.is_hidden, columns)


class _Reader:
    """Reads the cells of one form after the other, and puts them together as columns.

    Of each cell the kind, and where its text comes from: its content, the shared strings, or
    `_pool`.
    """

    def __init__(self, data: bytes, book: Book, found: Tags) -> None:
        count = len(found.row)
        self._data = data
        self._book = book
        self._tags = found
        self._sizes = found.end - found.begin
        self._from_content = np.zeros(count, dtype=bool)
        self._shared = np.full(count, -1, dtype=np.int64)
        self._pooled = np.full(count, -1, dtype=np.int64)
        self._pool: list[str] = [*_WORDS]
        self.kind = np.zeros(count, dtype=np.uint8)
        # Each content is text 2i of the bytes, and what stands between two is text 2i + 1.
        bounds = np.column_stack([found.begin, found.end]).ravel().astype(np.int32)
        self._texts = pa.StringArray.from_buffers(
            max(2 * count - 1, 0), pa.py_buffer(bounds), pa.py_buffer(data)
        )

    def read(self, number: int, form: Form) -> bool:
        """Read the cells of a form; False where the XML parser has to decide."""
        style = Format.PLAIN
        if form.style is not None and self._book.styles:
            if form.style >= len(self._book.styles) or self._book.styles[form.style].is_struck:
                return False
            style = self._book.styles[form.style].number
        cells = np.flatnonzero((self._tags.form == number) & ~self._tags.lacks)
        if (self._tags.is_inline[cells] != (form.type == "inlineStr")).any():
            return False
        if form.type in ("inlineStr", "str"):
            return self._take_contents(cells, Kind.TEXT)
        cells = cells[self._sizes[cells] > 0]
        if form.type == "s":
            return self._take_shared(cells)
        if form.type == "b":
            return self._take_booleans(cells)
        if form.type == "n":
            return self._take_numbers(cells, style)
        return form.type == "e" and self._take_contents(cells, Kind.ERROR)

    def column(self, place: int) -> BlockColumn:
        """Give the cells of one column."""
        count = len(self._tags.numbers)
        here = np.flatnonzero((self._tags.column == place) & (self.kind != Kind.EMPTY))
        kind = np.zeros(count, dtype=np.uint8)
        kind[self._tags.row[here]] = self.kind[here]

        def taken(texts: pa.StringArray, numbers: Ints) -> pa.StringArray | None:
            some = numbers[here]
            if not (some >= 0).any():
                return None
            spread = np.full(count, -1, dtype=np.int64)
            spread[self._tags.row[here]] = some
            return arrow.take(texts, spread, spread < 0)

        own = np.where(self._from_content, 2 * np.arange(len(self.kind)), -1)
        contents = taken(self._texts, own)
        parts = [
            # In errors nothing is escaped.
            None if contents is None else decoded(contents, self._data, kind == Kind.TEXT),
            taken(self._book.strings.texts, self._shared),
            taken(arrow.texts(self._pool), self._pooled),
        ]
        return BlockColumn(kernels.coalesce(*(part for part in parts if part is not None)), kind)

    def _take_contents(self, cells: Ints, kind: Kind) -> bool:
        self._from_content[cells] = True
        self.kind[cells] = kind
        return True

    def _take_shared(self, cells: Ints) -> bool:
        strings = self._book.strings
        begin, sizes = self._tags.begin[cells], self._sizes[cells]
        if sizes.max(initial=0) > _MOST_DIGITS:
            return False
        byte = np.frombuffer(self._data, dtype=np.uint8)
        index = np.zeros(len(cells), dtype=np.int64)
        for place in range(int(sizes.max(initial=0))):
            within = sizes > place
            digit = byte[begin + np.where(within, place, 0)].astype(np.int64) - ord("0")
            if ((digit < 0) | (digit > 9)).any():
                return False
            index = np.where(within, index * 10 + digit, index)
        if index.max(initial=-1) >= len(strings) or np.isin(index, list(strings.rich)).any():
            return False
        self._shared[cells] = index
        self.kind[cells] = Kind.TEXT
        return True

    def _take_booleans(self, cells: Ints) -> bool:
        found = np.frombuffer(self._data, dtype=np.uint8)[self._tags.begin[cells]]
        self._pooled[cells] = found == ord("1")
        self.kind[cells] = Kind.BOOLEAN
        return bool((self._sizes[cells] == 1).all() and np.isin(found, list(b"01")).all())

    def _take_numbers(self, cells: Ints, style: Format) -> bool:
        encoded = kernels.dictionary_encode(arrow.take(self._texts, 2 * cells))
        found = [
            read_number(text, style, self._book.is_1904) for text in encoded.dictionary.to_pylist()
        ]
        known = [one for one in found if one is not None]
        if len(known) < len(found):
            return False
        codes = arrow.numbers(encoded.indices)
        self._pooled[cells] = codes + len(self._pool)
        self._pool += [text for text, _ in known]
        self.kind[cells] = np.array([kind for _, kind in known], dtype=np.uint8)[codes]
        return True
