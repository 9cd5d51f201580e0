"""A workbook's sheet: the one that is meant, its header, and its rows as columns of cells."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa

from evalbatch import arrow
from evalbatch.arrow import Ints
from evalbatch.columns import kinds as column_kinds
from evalbatch.errors import EvalbatchError
from evalbatch.loaders.nameless import without_nameless
from evalbatch.loaders.options import ReadOptions
from evalbatch.loaders.xlsx.block import Block, BlockColumn, Kinds
from evalbatch.loaders.xlsx.book import Book, SheetEntry, open_book
from evalbatch.loaders.xlsx.package import damaged
from evalbatch.loaders.xlsx.worksheet import Merge, Row, Worksheet
from evalbatch.parts import recognise
from evalbatch.progress import Progress, silent
from evalbatch.records import Column, Kind, Note, Pieces, Sheet, Source
from evalbatch.schema import FORMATTED_SPANS, SPAN_ROWS, Schema
from evalbatch.words import counted, listed, shown

_CELLS_IN_A_NOTE = 100
_SEARCHED_FOR_HEADER = 200
_ROWS_BETWEEN_REPORTS = 5_000


def load(
    data: bytes, source: Source, schema: Schema, options: ReadOptions, progress: Progress = silent
) -> Sheet:
    """Read a sheet of a workbook. Raises EvalbatchError where it cannot be read without guessing.

    Without `options.sheet` it is the one visible sheet whose header fits the schema.
    """
    book = open_book(data)
    entry = _chosen(book, schema, options)
    worksheet = Worksheet(book, entry)
    # Until the header is found there are rows only.
    stream = worksheet.rows_and_blocks()
    rows = (row for row in stream if isinstance(row, Row))
    header = _header_row(rows, options.header_row)
    if header is None:
        empty = "is empty" if options.header_row is None else f"has no row {options.header_row}"
        raise EvalbatchError(f"the sheet {shown(entry.name)} {empty}; it needs a header row.")
    names = _names(header)
    match = schema.match(names)
    if match is None:
        raise EvalbatchError(_misfit(entry, header, rows, schema, options))
    columns = _Columns(len(names))
    worksheet.takes_blocks = True
    for some in stream:
        if isinstance(some, Row):
            columns.add(some)
        else:
            columns.add_block(some)
        if isinstance(some, Block) or not some.number % _ROWS_BETWEEN_REPORTS:
            progress(f"reading {source.name}", columns.last_row, 0)
    numbers = columns.numbers()
    if not len(numbers):
        raise EvalbatchError(
            f"the sheet {shown(entry.name)} has a header and no cases; add a row for each case."
        )
    sheet = Sheet(
        source=replace(source, sheet=entry.name),
        match=match,
        columns=columns.columns(names),
        source_rows=numbers,
        malformed={},
        blank_rows=int(numbers[-1]) - header.number - len(numbers) + columns.blank_behind,
        notes=tuple(_hidden(columns)),
    )
    sheet = without_nameless(recognise(_with_merges(sheet, worksheet.merges)))
    if "text" not in match.roles:
        return sheet
    place = sheet.role("text").position
    struck = frozenset(columns.struck.get(place, ()))
    return replace(sheet, struck_texts=struck, pieces=columns.pieces.get(place, {}))


class _Columns:
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
        self._flush()
        found = []
        for place in sorted(self._chunks):
            texts, kinds = self._joined(self._chunks.pop(place))
            name = names[place] if place < len(names) else None
            found.append(Column(name or "", place, texts, kinds))
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


def _chosen(book: Book, schema: Schema, options: ReadOptions) -> SheetEntry:
    if options.sheet is not None:
        named = [entry for entry in book.sheets if entry.name == options.sheet]
        if not named:
            raise EvalbatchError(
                f"no sheet is named {shown(options.sheet)}; there are "
                f"{listed([shown(entry.name) for entry in book.sheets])}."
            )
        return named[0]
    visible = [entry for entry in book.sheets if entry.is_visible]
    if len(visible) == 1:
        return visible[0]
    lacks = {entry.name: _lacks(book, entry, schema, options) for entry in visible}
    fitting = [entry for entry in visible if lacks[entry.name] is None]
    preferred = [entry for entry in fitting if entry.name == options.preferred]
    if len(fitting) == 1 or preferred:
        return (preferred or fitting)[0]
    told = "; ".join(f"{shown(name)} {lack or 'fits'}" for name, lack in lacks.items())
    raise EvalbatchError(
        f"{'several' if fitting else 'none'} of the visible sheets can be read: "
        f"{told or 'there is none'}. "
        + (
            options.hint("Name the one that is meant with --sheet.")
            or "Hide all but the one meant."
        )
    )


def _lacks(book: Book, entry: SheetEntry, schema: Schema, options: ReadOptions) -> str | None:
    rows = Worksheet(book, entry).rows()
    header = _header_row(rows, options.header_row)
    if header is None:
        return "is empty"
    lacking = schema.lacks(_names(header))
    lower = None if lacking is None else _lower_row(rows, schema, options)
    if lower is None:
        return lacking
    return f"has its header in row {lower}{options.hint(f' (--header-row {lower})')}"


def _header_row(rows: Iterator[Row], wanted: int | None) -> Row | None:
    for row in rows:
        if row.number == wanted or (wanted is None and any(cell.text for cell in row.cells)):
            return row
    return None


def _names(row: Row) -> list[str | None]:
    named = [cell for cell in row.cells if cell.text.strip()]
    names: list[str | None] = [None] * (max((cell.column for cell in named), default=-1) + 1)
    for cell in named:
        names[cell.column] = cell.text
    return names


def _lower_row(rows: Iterable[Row], schema: Schema, options: ReadOptions) -> int | None:
    if options.header_row is None:
        for row in rows:
            if row.number > _SEARCHED_FOR_HEADER:
                break
            if schema.lacks(_names(row)) is None:
                return row.number
    return None


def _misfit(
    entry: SheetEntry, header: Row, rows: Iterable[Row], schema: Schema, options: ReadOptions
) -> str:
    lower = _lower_row(rows, schema, options)
    if lower is not None:
        return (
            f"row {header.number} of the sheet {shown(entry.name)}, the first that is not empty, "
            f"is no header; row {lower} is. Delete the rows above it"
            f"{options.hint(f', or run with --header-row {lower}')}."
        )
    return (
        f"row {header.number} of the sheet {shown(entry.name)} is no header that evalbatch knows. "
        f"{schema.misfit(_names(header))} If the sheet has no header row, add one."
    )


def _hidden(columns: _Columns) -> Iterator[Note]:
    if columns.hidden:
        where = tuple(f"row {number}" for number in columns.hidden[:_CELLS_IN_A_NOTE])
        text = f"{counted(len(columns.hidden), 'hidden row')} read like the others"
        yield Note("hidden-rows", text, where)


def _with_merges(sheet: Sheet, merges: Sequence[Merge]) -> Sheet:
    """Tell which cells of roles are covered by a merged one.

    A vertically merged id of a sheet with several rows for a field covers its rows.
    """
    if not merges:
        return sheet
    columns = list(sheet.columns)
    for role, place in sheet.match.roles.items():
        spreads = role == "id" and sheet.match.layout in (SPAN_ROWS, FORMATTED_SPANS)
        columns[place] = _covered(columns[place], sheet, merges, spreads=spreads)
    return replace(sheet, columns=tuple(columns))


def _covered(column: Column, sheet: Sheet, merges: Sequence[Merge], *, spreads: bool) -> Column:
    texts = kind = None
    here = [one for one in merges if one.first_column <= column.position <= one.last_column]
    here.sort()
    for above, below in pairwise(here):
        if below.first_row <= above.last_row:
            raise damaged(f"merged cells overlap in row {below.first_row}")
    for merge in here:
        begin, end = np.searchsorted(sheet.source_rows, [merge.first_row, merge.last_row + 1])
        rows: Ints = np.arange(begin, end)
        is_top = rows[:1][sheet.source_rows[rows[:1]] == merge.first_row]
        covered = rows[len(is_top) :] if column.position == merge.first_column else rows
        if not len(covered):
            continue
        if texts is None or kind is None:
            texts, kind = column.text.to_pylist(), column_kinds(column).astype(np.uint8)
        if spreads and len(is_top) and merge.first_column == merge.last_column:
            for row in covered.tolist():
                # What a covered cell holds of its own was meant for something else.
                is_own = texts[row] and texts[row] != texts[begin]
                kind[row] = Kind.MERGED if is_own else kind[begin]
                texts[row] = texts[row] if is_own else texts[begin]
        else:
            for row in covered.tolist():
                texts[row] = texts[row] or ""
            kind[covered] = Kind.MERGED
    if texts is None or kind is None:
        return column
    return replace(column, text=arrow.texts(texts), kind=kind)
