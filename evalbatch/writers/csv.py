"""CSV sheets that a spreadsheet opens as they are, and that can be fed back without a loss."""

import json
import shutil
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch import arrow
from evalbatch.arrow import Ints
from evalbatch.columns import distinct, replace_where
from evalbatch.coverage import Coverage
from evalbatch.loaders.arrow_csv import read_last_column
from evalbatch.loaders.tokens import rows
from evalbatch.outputs import OutColumn, SheetOut
from evalbatch.progress import Progress
from evalbatch.readings import BLANK_MARKER, Spellings, read
from evalbatch.reasons import CATALOGUE
from evalbatch.records import Cell, Column, Disposition, Kind
from evalbatch.sheets_out import MARKED, MARKED_ROLES, mark, would_run
from evalbatch.words import trim

_BATCH = 1 << 16
_HEAD = 1 << 16
_BOM = b"\xef\xbb\xbf"
_TYPE_FAULTS = frozenset(
    {
        "id-not-text",
        "expected-not-boolean",
        "answer-not-boolean",
        "observation-text",
        "observation-label",
    }
)


class SheetWriter:
    """Writes sheets out as CSV, and counts the texts that it had to escape."""

    def __init__(self, delimiter: str, spellings: Spellings, *, bom: bool) -> None:
        self._delimiter = delimiter
        self._special = b'"\r\n' + delimiter.encode()
        self._spellings = spellings
        self._bom = bom
        self._counting = threading.Lock()
        self.escaped = 0

    def write(self, path: Path, sheet: SheetOut, progress: Progress) -> None:
        """Write one sheet: a header and `sheet.count` rows, with CRLF line ends."""
        with path.open("wb") as file:
            header = self.row([column.name for column in sheet.columns])
            is_ascii = header.isascii()
            file.write(header)
            done = 0
            for places, lines in self._batches(sheet):
                is_ascii = is_ascii and lines.isascii()
                file.write(lines)
                done += len(places)
                progress(f"writing {path.name}", done, sheet.count)
        if self._bom and not is_ascii:
            _prepend_bom(path)

    def row(self, cells: Sequence[str | None]) -> bytes:
        """Write one row of texts; None is an empty cell."""
        return self._lines([self._written(arrow.texts([cell])) for cell in cells])

    def _batches(self, sheet: SheetOut) -> Iterator[tuple[Ints, bytes]]:
        """Write the rows of a sheet, on both cores where they are many."""
        batches = [
            np.arange(begin, min(begin + _BATCH, sheet.count))
            for begin in range(0, sheet.count, _BATCH)
        ]

        def lines(places: Ints) -> bytes:
            return self._lines([self._cells(one, sheet, places) for one in sheet.columns])

        if len(batches) < 2:
            yield from ((places, lines(places)) for places in batches)
            return
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(2) as pool:
            yield from zip(batches, pool.map(lines, batches), strict=True)

    def _lines(self, columns: Sequence[pa.StringArray]) -> bytes:
        *others, last = columns
        ended = arrow.joined(arrow.filled(last, ""), "\r\n")
        return arrow.raw(arrow.joined(*others, ended, separator=self._delimiter, null=""))

    def _cells(self, column: OutColumn, sheet: SheetOut, places: Ints) -> pa.StringArray:
        if column.original is not None and column.role is not None:
            texts = self._in_role(column.original(places), column.role, sheet.disposition)
        elif column.role is not None:
            texts = self._in_role(_exact(column, places), column.role, sheet.disposition)
        else:
            texts = column.cells(places)
        if column.kind in (Kind.BOOLEAN, Kind.NUMBER):
            return texts
        return self._written(texts)

    def _written(self, texts: pa.StringArray) -> pa.StringArray:
        return self._quoted(self._escaped(texts))

    def _in_role(self, column: Column, role: str, disposition: Disposition) -> pa.StringArray:
        """Write the cells of a role so that they are read as the same again."""
        doubtful = np.zeros(len(column.text), dtype=bool)
        if b")" in arrow.raw(column.text):
            pattern = rf"(?s)^{MARKED.pattern}$"
            doubtful |= arrow.true(pc.match_substring_regex(column.text, pattern))
        if role == "text":
            column = self._blanks_shown(column, disposition)
            for word in self._spellings.blank | {BLANK_MARKER}:
                doubtful |= arrow.may_hold(column.text, word)
        if column.kind is not None:
            plain = Kind.STRING if role in ("id", "text") else Kind.WORD
            doubtful |= column.kind > plain
        if not doubtful.any():
            return column.text
        rows = np.flatnonzero(doubtful)
        kind = None if column.kind is None else column.kind[rows]
        some = Column(column.name, column.position, column.text.take(arrow.ints(rows)), kind)
        codes, cells = distinct(some)
        written = [self._cell(role, cell, disposition) for cell in cells]
        return replace_where(
            column.text, doubtful, lambda _: [written[code] for code in codes.tolist()]
        )

    def _blanks_shown(self, column: Column, disposition: Disposition) -> Column:
        blank = arrow.empty(column.text) & ~arrow.null(column.text)
        if not blank.any():
            return column
        shown = arrow.scalar(self._cell("text", Cell("", Kind.STRING), disposition) or "")
        texts = pc.if_else(arrow.booleans(blank), shown, column.text)
        kind = None if column.kind is None else np.where(blank, Kind.WORD, column.kind)
        return replace(column, text=texts, kind=kind)

    def _cell(self, role: str, cell: Cell, disposition: Disposition) -> str | None:
        if cell.text is None:
            return None
        reading = read(role, cell, self._spellings)
        if role == "text" and reading.value == "" and not reading.reasons:
            return BLANK_MARKER
        if role in MARKED_ROLES[disposition] and MARKED.fullmatch(cell.text):
            return mark(cell.text, cell.kind)
        if cell.kind == Kind.WORD:
            return cell.text
        plain = read(role, Cell(cell.text, Kind.WORD), self._spellings)
        differs = (plain.value, plain.reasons[:1]) != (reading.value, reading.reasons[:1])
        is_type_fault = trim(cell.text) and not _TYPE_FAULTS.isdisjoint(reading.reasons)
        return mark(cell.text, cell.kind) if differs or is_type_fault else cell.text

    def _escaped(self, texts: pa.StringArray) -> pa.StringArray:
        runs = would_run(texts)
        if not runs.any():
            return texts
        with self._counting:
            self.escaped += int(runs.sum())
        escaped = arrow.joined("'", texts)
        return pc.if_else(arrow.booleans(runs), escaped, texts)

    def _quoted(self, texts: pa.StringArray) -> pa.StringArray:
        # A cell in quotes without characters is an empty text; a bare one is absent.
        needed = arrow.holds_any(texts, self._special) | (arrow.empty(texts) & ~arrow.null(texts))
        if not needed.any():
            return texts
        quoted = arrow.joined('"', arrow.doubled(texts, b'"'), '"')
        return quoted if needed.all() else pc.if_else(arrow.booleans(needed), quoted, texts)


def _exact(column: OutColumn, places: Ints) -> Column:
    """Give the cells of a result column, whose texts are exactly what they are."""
    texts = column.cells(places)
    kind = np.where(arrow.null(texts), Kind.EMPTY, Kind.STRING).astype(np.uint8)
    return Column(column.name, 0, texts, kind)


def source_rows(path: Path, delimiter: str) -> Ints:
    """Read a written sheet again, and give the source row of each of its rows."""
    data = path.read_bytes()
    header = next(rows(data[:_HEAD].decode("utf-8-sig", errors="ignore"), delimiter))
    cells = read_last_column(data, len(header.cells), delimiter)
    if cells is None:
        # A cell too long for Arrow's blocks.
        found = [row.cells[-1] for row in rows(data.decode("utf-8-sig"), delimiter)][1:]
        return np.array(found, dtype=np.int64)
    return arrow.numbers(cells.slice(1).cast("int64"))


def write_coverage(path: Path, coverage: Coverage, delimiter: str) -> None:
    """Write the summary as one row, of the same columns for every sheet, so that weeks stack."""
    rate = coverage.pass_rate
    low, high = (rate.interval95 if rate else None) or (None, None)
    bounds = coverage.full_pass_rate_bounds or (None, None)
    cells: dict[str, object] = {
        "statement": coverage.statement,
        "source": coverage.source.name,
        "sheet": coverage.source.sheet,
        "task": coverage.task,
        "total": coverage.total,
        "scored": coverage.scored,
        "held": coverage.held,
        "invalid": coverage.invalid,
        "blank_rows": coverage.blank_rows,
        "coverage": coverage.coverage,
        "complete": coverage.complete,
        "part_of": coverage.part_of,
        "passed": coverage.passed,
        "failed": None if rate is None else coverage.scored - rate.numerator,
        "pass_rate": rate and rate.value,
        "pass_rate_scope": rate and rate.scope,
        "pass_rate_low95": low,
        "pass_rate_high95": high,
        "full_pass_rate_low": bounds[0],
        "full_pass_rate_high": bounds[1],
        **{reason.code: coverage.reasons.get(reason.code, 0) for reason in CATALOGUE},
        "notes": json.dumps([note.code for note in coverage.notes]),
        "sha256": coverage.source.sha256,
        "version": coverage.version,
    }
    writer = SheetWriter(delimiter, Spellings(), bom=True)
    values = [None if value is None else _text(value) for value in cells.values()]
    path.write_bytes(writer.row(list(cells)) + writer.row(values))
    if not path.read_bytes().isascii():
        _prepend_bom(path)


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _prepend_bom(path: Path) -> None:
    """Excel takes a sheet that holds other than ASCII for its own code page without one."""
    beside = path.with_suffix(".bom")
    with path.open("rb") as source, beside.open("wb") as target:
        target.write(_BOM)
        shutil.copyfileobj(source, target)
    beside.replace(path)
