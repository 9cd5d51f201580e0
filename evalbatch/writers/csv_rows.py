"""The rows of a sheet out as CSV, put together of single columns and of combinations of them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evalbatch import arrow, characters
from evalbatch.arrow import Bytes, Ints, Mask
from evalbatch.outputs import Few, OutColumn, SheetOut

LINE_END = "\r\n"
# To write a combination once is worth its while where it is found in so many rows.
_ROWS_A_COMBINATION = 64
_MOST_COMBINATIONS = 1 << 14

FormedCells = tuple[pa.StringArray, Mask]
"""Cells as they stand in a row, null where they are empty, and which of them were escaped."""


class Lines(NamedTuple):
    """The bytes of some rows, and how many of their cells were escaped."""

    data: Bytes
    is_ascii: bool
    escaped: int


class _Texts(NamedTuple):
    """Texts, the place among them of the one that each row has, and how many were escaped."""

    texts: pa.StringArray
    places: Ints
    escaped: int


_Part = Callable[[Ints], _Texts]


class Rows:
    """Writes the rows of a sheet out; `form` writes the cells of a column at some places.

    Adjacent columns of few distinct cells are written once for each combination of these.
    """

    def __init__(
        self, sheet: SheetOut, form: Callable[[OutColumn, Ints], FormedCells], delimiter: str
    ) -> None:
        self._form = form
        self._delimiter = delimiter
        self._signs = arrow.texts([delimiter, LINE_END])
        most = min(sheet.count // _ROWS_A_COMBINATION, _MOST_COMBINATIONS)
        self._parts = [self._part(columns) for columns in _grouped(sheet.columns, most)]

    def lines(self, places: Ints) -> Lines:
        """Write some rows."""
        parts = [part(places) for part in self._parts]
        texts, width = [self._signs], 2 * len(parts)
        chosen = np.empty((len(places), width), dtype=np.int64)
        begin = len(self._signs)
        for number, part in enumerate(parts):
            chosen[:, 2 * number] = part.places + begin
            chosen[:, 2 * number + 1] = number + 1 == len(parts)
            texts.append(part.texts)
            begin += len(part.texts)
        # The texts of the rows one behind the other are the lines.
        data = arrow.view(arrow.take(pa.concat_arrays(texts), chosen.ravel()))
        return Lines(data, characters.is_ascii(data), sum(part.escaped for part in parts))

    def _part(self, columns: OutColumn | list[Few]) -> _Part:
        return self._combined(columns) if isinstance(columns, list) else self._single(columns)

    def _single(self, column: OutColumn) -> _Part:
        def part(places: Ints) -> _Texts:
            texts, escaped = self._form(column, places)
            return _Texts(texts, np.arange(len(texts)), int(np.count_nonzero(escaped)))

        return part

    def _combined(self, columns: Sequence[Few]) -> _Part:
        sizes = [few.count for few in columns]
        combinations = np.unravel_index(np.arange(np.prod(sizes)), sizes)
        formed = [self._form(few.column, np.arange(few.count)) for few in columns]
        both = list(zip(formed, combinations, strict=True))
        texts = arrow.joined(
            *(arrow.take(cells, codes) for (cells, _), codes in both),
            separator=self._delimiter,
            null="",
        )
        escaped = np.sum([mask[codes] for (_, mask), codes in both], axis=0)

        def part(places: Ints) -> _Texts:
            codes = np.zeros(len(places), dtype=np.int64)
            for few in columns:
                codes *= few.count
                codes += few.codes(places)
            return _Texts(texts, codes, int(escaped[codes].sum()))

        return part


def _grouped(columns: Sequence[OutColumn], most: int) -> list[OutColumn | list[Few]]:
    """Group adjacent columns that have no more than `most` combinations of cells."""
    groups: list[OutColumn | list[Few]] = []
    group: list[Few] = []
    combinations = 1
    for column in columns:
        few = column.few() if column.few is not None and most else None
        if few is None or few.count > most:
            groups.append(column)
            group = []
        elif group and combinations * few.count <= most:
            group.append(few)
            combinations *= few.count
        else:
            group = [few]
            groups.append(group)
            combinations = few.count
    return groups
