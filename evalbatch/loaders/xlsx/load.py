"""A workbook's sheet: the one that is meant, its header, and its rows as columns of cells."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from evalbatch import arrow
from evalbatch.arrow import Ints
from evalbatch.columns import kinds as column_kinds
from evalbatch.errors import EvalbatchError
from evalbatch.loaders.nameless import without_nameless
from evalbatch.loaders.options import ReadOptions
from evalbatch.loaders.xlsx.book import Book, SheetEntry, open_book
from evalbatch.loaders.xlsx.worksheet import Merge, Row, Worksheet
from evalbatch.parts import recognise
from evalbatch.records import Column, Kind, Note, Sheet, Source
from evalbatch.schema import SPAN_ROWS, Schema
from evalbatch.words import counted, listed, shown

_CELLS_IN_A_NOTE = 100
_SEARCHED_FOR_HEADER = 200


def load(data: bytes, source: Source, schema: Schema, options: ReadOptions) -> Sheet:
    """Read a sheet of a workbook. Raises EvalbatchError where it cannot be read without guessing.

    Without `options.sheet` it is the one visible sheet whose header fits the schema.
    """
    book = open_book(data)
    entry = _chosen(book, schema, options)
    worksheet = Worksheet(book, entry)
    rows = worksheet.rows()
    header = _header_row(rows, options.header_row)
    if header is None:
        raise EvalbatchError(f"the sheet {shown(entry.name)} is empty.")
    names = _names(header)
    match = schema.match(names)
    if match is None:
        raise EvalbatchError(_misfit(entry, header, rows, schema, options))
    columns = _Columns(len(names))
    for row in rows:
        columns.add(row)
    if not columns.numbers:
        raise EvalbatchError(
            f"the sheet {shown(entry.name)} has a header and no cases; add a row for each case."
        )
    numbers = np.array(columns.numbers, dtype=np.int64)
    sheet = Sheet(
        source=replace(source, sheet=entry.name),
        match=match,
        columns=columns.columns(names),
        source_rows=numbers,
        malformed={},
        blank_rows=int(numbers[-1]) - header.number - len(numbers),
        notes=tuple(_hidden(columns)),
    )
    sheet = without_nameless(recognise(_with_merges(sheet, worksheet.merges)))
    struck = columns.struck.get(sheet.role("text").position) if "text" in match.roles else None
    return replace(sheet, struck_texts=frozenset(struck or ()))


class _Columns:
    """Gathers rows that are not blank into columns."""

    def __init__(self, width: int) -> None:
        self.numbers: list[int] = []
        self.hidden: list[int] = []
        self.struck: dict[int, list[int]] = {}
        self._texts: list[list[str | None]] = [[] for _ in range(width)]
        self._kinds: list[list[int]] = [[] for _ in range(width)]

    def add(self, row: Row) -> None:
        if not any(cell.text for cell in row.cells):
            return
        index = len(self.numbers)
        self.numbers.append(row.number)
        if row.is_hidden:
            self.hidden.append(row.number)
        for cell in row.cells:
            while cell.column >= len(self._texts):
                self._texts.append([])
                self._kinds.append([])
            texts, kinds = self._texts[cell.column], self._kinds[cell.column]
            if len(texts) < index:
                lacking = index - len(texts)
                texts += [None] * lacking
                kinds += [Kind.EMPTY] * lacking
            texts.append(cell.text)
            kinds.append(cell.kind)
            if cell.is_struck:
                self.struck.setdefault(cell.column, []).append(index)

    def columns(self, names: Sequence[str | None]) -> tuple[Column, ...]:
        count = len(self.numbers)
        found = []
        for place, (texts, kinds) in enumerate(zip(self._texts, self._kinds, strict=True)):
            lacking = count - len(texts)
            found.append(
                Column(
                    (names[place] if place < len(names) else None) or "",
                    place,
                    arrow.texts([*texts, *[None] * lacking]),
                    np.array([*kinds, *[Kind.EMPTY] * lacking], dtype=np.uint8),
                )
            )
        return tuple(found)


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
    if len(fitting) == 1:
        return fitting[0]
    told = "; ".join(f"{shown(name)} {lack or 'fits'}" for name, lack in lacks.items())
    raise EvalbatchError(
        f"{'several' if fitting else 'none'} of the visible sheets can be read: "
        f"{told or 'there is none'}. Name the one that is meant with --sheet."
    )


def _lacks(book: Book, entry: SheetEntry, schema: Schema, options: ReadOptions) -> str | None:
    header = _header_row(Worksheet(book, entry).rows(), options.header_row)
    return "is empty" if header is None else schema.lacks(_names(header))


def _header_row(rows: Iterator[Row], wanted: int | None) -> Row | None:
    for row in rows:
        if row.number == wanted or (wanted is None and any(cell.text for cell in row.cells)):
            return row
    return None


def _names(row: Row) -> list[str | None]:
    width = max((cell.column for cell in row.cells), default=-1) + 1
    names: list[str | None] = [None] * width
    for cell in row.cells:
        names[cell.column] = cell.text
    return names


def _misfit(
    entry: SheetEntry, header: Row, rows: Iterable[Row], schema: Schema, options: ReadOptions
) -> str:
    if options.header_row is None:
        for row in rows:
            if row.number > _SEARCHED_FOR_HEADER:
                break
            if schema.lacks(_names(row)) is None:
                return (
                    f"row {header.number} of the sheet {shown(entry.name)}, the first that is not "
                    f"empty, is no header; row {row.number} is. Delete the rows above it, or run "
                    f"with --header-row {row.number}."
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
        spreads = role == "id" and sheet.match.layout == SPAN_ROWS
        columns[place] = _covered(columns[place], sheet, merges, spreads=spreads)
    return replace(sheet, columns=tuple(columns))


def _covered(column: Column, sheet: Sheet, merges: Sequence[Merge], *, spreads: bool) -> Column:
    texts = kind = None
    for merge in merges:
        if not merge.first_column <= column.position <= merge.last_column:
            continue
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
                texts[row], kind[row] = texts[begin], kind[begin]
        else:
            for row in covered.tolist():
                texts[row] = texts[row] or ""
            kind[covered] = Kind.MERGED
    if texts is None or kind is None:
        return column
    return replace(column, text=arrow.texts(texts), kind=kind)
