"""The workbook around the cells: its sheets, their layout, and the check of what was written."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

import numpy as np
import pyarrow as pa

from evalbatch import arrow
from evalbatch.arrow import Ints
from evalbatch.coverage import Coverage
from evalbatch.errors import ConservationError, EvalbatchError
from evalbatch.loaders.xlsx.package import Package, is_bomb
from evalbatch.outputs import OutColumn, SheetOut
from evalbatch.progress import Progress
from evalbatch.spellings import Spellings
from evalbatch.writers.workbook import parts
from evalbatch.writers.workbook.cells import (
    column_xml,
    row_numbers,
    style,
    text_xml,
)
from evalbatch.writers.workbook.summary import boolean_cells, summary_xml

MOST_ROWS, MOST_COLUMNS = (1 << 20) - 1, 1 << 14
_BATCH = 1 << 14
_SAMPLED = 200
_LAST_NUMBER = re.compile(rb"<v>([0-9]+)</v></c>$")
_LEVEL = 3
_NARROWEST, _WIDEST = 8, 70
_LETTERS_IN_A_LINE, _LINE, _MOST_LINES = 68, 15, 12


def write(
    path: Path,
    sheets: Sequence[SheetOut],
    coverage: Coverage,
    spellings: Spellings,
    progress: Progress,
) -> None:
    """Write the coverage summary and the three sheets; one of too many rows goes on in another."""
    widest = max(len(sheet.columns) for sheet in sheets)
    if widest > MOST_COLUMNS:
        raise EvalbatchError(
            f"the sheets out have {widest:,} columns, and a workbook holds {MOST_COLUMNS:,}; leave "
            "xlsx out of --to."
        )
    _write_book(path, sheets, coverage, spellings, progress, zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(path) as book:
        is_refused = any(map(is_bomb, book.infolist()))
    if is_refused:
        # Texts that repeat themselves pack so well that readers take the workbook for an attack.
        _write_book(path, sheets, coverage, spellings, progress, zipfile.ZIP_STORED)


def _write_book(
    path: Path,
    sheets: Sequence[SheetOut],
    coverage: Coverage,
    spellings: Spellings,
    progress: Progress,
    method: int,
) -> None:
    pieces = [piece for sheet in sheets for piece in _pieces(sheet)]
    names = ["coverage", *(piece.name for piece in pieces)]
    with zipfile.ZipFile(path, "w", method, compresslevel=_LEVEL) as book:
        for part, text in parts.fixed(names).items():
            _write_part(book, part, [text.encode()])
        _write_part(book, "xl/worksheets/sheet1.xml", [summary_xml(coverage)])
        for number, piece in enumerate(pieces, 2):
            lines = _sheet_xml(piece, boolean_cells(coverage), spellings, progress)
            _write_part(book, f"xl/worksheets/sheet{number}.xml", lines)


def check(path: Path, sheets: Sequence[SheetOut]) -> None:
    """Read the workbook again: each sheet must be whole, and hold the rows that were written."""
    package = Package(path.read_bytes())
    number = 1
    for sheet in sheets:
        found: list[int] = []
        for _ in _pieces(sheet):
            number += 1
            found += _source_rows(package, f"xl/worksheets/sheet{number}.xml")
        if found != sheet.source_rows.tolist():
            raise ConservationError.after_writing(
                path.name,
                f"does not hold the {sheet.count} rows of the sheet {sheet.disposition} that were "
                "written",
            )


def _source_rows(package: Package, part: str) -> list[int]:
    """Give the last cell of each row but the header, from XML that parses to its end."""
    parser = expat.ParserCreate()
    found: list[int] = []
    rest = b""
    for chunk in package.chunks(part):
        parser.Parse(chunk, False)
        *rows, rest = (rest + chunk).split(b"</row>")
        found += [int(last[1]) for row in rows if (last := _LAST_NUMBER.search(row))]
    parser.Parse(b"", True)
    return found


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sheet of the workbook: its name, and the places of the sheet out that it holds."""

    name: str
    sheet: SheetOut
    begin: int
    end: int


def _pieces(sheet: SheetOut) -> Iterator[_Piece]:
    for begin in range(0, max(sheet.count, 1), MOST_ROWS):
        number = begin // MOST_ROWS + 1
        name = sheet.disposition if number == 1 else f"{sheet.disposition} ({number})"
        yield _Piece(name, sheet, begin, min(begin + MOST_ROWS, sheet.count))


def _sheet_xml(
    piece: _Piece, booleans: str | None, spellings: Spellings, progress: Progress
) -> Iterator[bytes]:
    columns = piece.sheet.columns
    count = piece.end - piece.begin
    sample = np.arange(piece.begin, min(piece.begin + _SAMPLED, piece.end))
    widths = [_width(column, sample) for column in columns]
    yield parts.sheet_start(widths, [style(column) for column in columns]).encode()
    names = text_xml(arrow.texts([column.name for column in columns])).to_pylist()
    yield parts.header_row(names).encode()
    for begin in range(0, count, _BATCH):
        places = np.arange(piece.begin + begin, piece.begin + min(begin + _BATCH, count))
        numbers = row_numbers(begin + 2, len(places))
        cells = [
            column_xml(column, piece.sheet.disposition, place, places, numbers, spellings)
            for place, column in enumerate(columns)
        ]
        heights = _heights(columns, places)
        yield arrow.raw(arrow.joined('<row r="', numbers, '"', heights, ">", *cells, "</row>"))
        progress(f"writing the sheet {piece.name}", begin + len(places), count)
    decisions = [place for place, column in enumerate(columns) if column.name == "decision"]
    drop_down = (decisions[0], booleans) if decisions and booleans and count else None
    yield parts.sheet_end(len(columns), count, drop_down).encode()


def _heights(columns: Sequence[OutColumn], places: Ints) -> pa.StringArray | str:
    """Give rows the height that their problem takes, for no spreadsheet works it out on opening."""
    problem = next((column for column in columns if column.name == "problem"), None)
    if problem is None:
        return ""
    lengths = np.diff(arrow.starts(problem.cells(places)))
    lines = np.clip(np.ceil(lengths / _LETTERS_IN_A_LINE), 1, _MOST_LINES).astype(np.int64)
    known = arrow.texts(
        f' ht="{count * _LINE}" customHeight="1"' if count > 1 else ""
        for count in range(_MOST_LINES + 1)
    )
    return arrow.take(known, lines)


def _width(column: OutColumn, sample: Ints) -> int:
    lengths = [len(text or "") for text in column.cells(sample).to_pylist()]
    if column.name == "problem":
        return _WIDEST
    longest = max([len(column.name) + 3, *(length + 1 for length in lengths)])
    return min(max(longest, _NARROWEST), _WIDEST)


def _write_part(book: zipfile.ZipFile, part: str, chunks: Iterable[bytes]) -> None:
    # Without a time of its own, the same input gives the same bytes.
    info = zipfile.ZipInfo(part, date_time=(1980, 1, 1, 0, 0, 0))
    info.compress_type = book.compression
    with book.open(info, "w", force_zip64=True) as file:
        for chunk in chunks:
            file.write(chunk)
