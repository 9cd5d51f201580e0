"""A workbook's sheet: the one that is meant, its header, and its rows as columns of cells."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from evalbatch.errors import EvalbatchError
from evalbatch.loaders.nameless import without_nameless
from evalbatch.loaders.options import ReadOptions
from evalbatch.loaders.xlsx.block import Block
from evalbatch.loaders.xlsx.book import Book, SheetEntry, open_book
from evalbatch.loaders.xlsx.gathered import Gathered
from evalbatch.loaders.xlsx.merges import with_merges
from evalbatch.loaders.xlsx.parser import Row
from evalbatch.loaders.xlsx.worksheet import Worksheet
from evalbatch.parts import recognise
from evalbatch.progress import Progress, silent
from evalbatch.records import Note, Sheet, Source
from evalbatch.schema import Schema
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
    columns = Gathered(len(names))
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
    sheet = without_nameless(recognise(with_merges(sheet, worksheet.merges)))
    if "text" not in match.roles:
        return sheet
    place = sheet.role("text").position
    struck = frozenset(columns.struck.get(place, ()))
    return replace(sheet, struck_texts=struck, pieces=columns.pieces.get(place, {}))


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


def _hidden(columns: Gathered) -> Iterator[Note]:
    if columns.hidden:
        where = tuple(f"row {number}" for number in columns.hidden[:_CELLS_IN_A_NOTE])
        text = f"{counted(len(columns.hidden), 'hidden row')} read like the others"
        yield Note("hidden-rows", text, where)
