"""The rows of a sheet, one by one or in blocks, gathered into columns."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from evalbatch import arrow
from evalbatch.arrow import Ints
from evalbatch.loaders.xlsx.block import Block, BlockColumn, Kinds
from evalbatch.loaders.xlsx.parser import Row
from evalbatch.records import Column, Kind, Pieces


class Gathered:
    """Gathers rows that are not blank into columns, those of the header and those with data.

    Rows come one by one or in blocks; `_texts` and `_kinds` hold those that came one by one since
    the last block, `_chunks` by place the parts before them, each with the row where it begins.
    """

    def __init__(self, width: int) -> None:
        self.last_row = 0
        self.hidden: list[int] = []
        self.struck: dict[int, list[int]] = {}
        self.pieces: dict[int, dict[int, Pieces]] = {}
        self.blank_behind = 0
        self._count = 0
        self._numbers: list[Ints] = []
        self._recent: list[int] = []
        self._texts: dict[int, list[str | None]] = {}
        self._kinds: dict[int, list[int]] = {}
        self._chunks: dict[int, list[tuple[int, BlockColumn]]] = {
            place: [] for place in range(width)
        }

    def add(self, row: Row) -> None:
        """Take one row; a blank one is only counted."""
        self.last_row = row.number
        if not any(cell.text for cell in row.cells):
            self.blank_behind += bool(row.cells)
            return
        self.blank_behind = 0
        index = len(self._recent)
        self._recent.append(row.number)
        if row.is_hidden:
            self.hidden.append(row.number)
        for cell in row.cells:
            texts = self._texts.setdefault(cell.column, [])
            kinds = self._kinds.setdefault(cell.column, [])
            if len(texts) < index:
                lacking = index - len(texts)
                texts += [None] * lacking
                kinds += [Kind.EMPTY] * lacking
            texts.append(cell.text)
            kinds.append(cell.kind)
            if cell.is_struck and cell.text:
                self.struck.setdefault(cell.column, []).append(self._count + index)
                if cell.pieces:
                    self.pieces.setdefault(cell.column, {})[self._count + index] = cell.pieces

    def add_block(self, block: Block) -> None:
        """Take the rows of a block, as if they had come one by one."""
        self._flush()
        self.last_row = int(block.numbers[-1])
        has_text = np.zeros(len(block.numbers), dtype=bool)
        has_cells = np.zeros(len(block.numbers), dtype=bool)
        for column in block.columns.values():
            has_text |= ~arrow.empty(column.text)
            has_cells |= column.kind != Kind.EMPTY
        kept = np.flatnonzero(has_text)
        self.blank_behind = int(has_cells[kept[-1] + 1 if len(kept) else 0 :].sum()) + (
            0 if len(kept) else self.blank_behind
        )
        self.hidden += block.numbers[has_text & block.is_hidden].tolist()
        columns = block.columns
        if len(kept) < len(has_text):
            columns = {place: column.take(kept) for place, column in columns.items()}
        self._append(block.numbers[kept], columns)

    def numbers(self) -> Ints:
        """Give the rows' numbers."""
        self._flush()
        return np.concatenate([np.array([], dtype=np.int64), *self._numbers])

    def columns(self, names: Sequence[str | None]) -> tuple[Column, ...]:
        """Give the columns, by the names of the header; what was gathered is handed over."""
        self._flush()
        found = []
        for place in sorted(self._chunks):
            texts, kinds = self._joined(self._chunks.pop(place))
            name = names[place] if place < len(names) else None
            found.append(Column(name or "", place, arrow.encoded_if_few(texts), kinds))
        return tuple(found)

    def _joined(self, chunks: Sequence[tuple[int, BlockColumn]]) -> tuple[pa.StringArray, Kinds]:
        """Join a column's parts; where there is none, its cells are empty."""
        texts: list[pa.StringArray] = [arrow.texts([])]
        kinds = np.zeros(self._count, dtype=np.uint8)
        end = 0
        for begin, column in chunks:
            texts += [pa.nulls(begin - end, pa.string()), column.text]
            end = begin + len(column.kind)
            kinds[begin:end] = column.kind
        return arrow.one_chunk([*texts, pa.nulls(self._count - end, pa.string())]), kinds

    def _flush(self) -> None:
        """Make a part of the rows that came one by one."""
        columns = {
            place: BlockColumn(arrow.texts(texts), np.array(self._kinds[place], dtype=np.uint8))
            for place, texts in self._texts.items()
        }
        self._append(np.array(self._recent, dtype=np.int64), columns)
        self._recent, self._texts, self._kinds = [], {}, {}

    def _append(self, numbers: Ints, columns: Mapping[int, BlockColumn]) -> None:
        if len(numbers):
            for place, column in columns.items():
                self._chunks.setdefault(place, []).append((self._count, column))
            self._numbers.append(numbers)
            self._count += len(numbers)
