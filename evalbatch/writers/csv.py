"""CSV sheets that a spreadsheet opens as they are, and that can be fed back without a loss."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch.columns import distinct, replace_where, true
from evalbatch.coverage import Coverage
from evalbatch.loaders.csv import last_column
from evalbatch.outputs import OutColumn, SheetOut
from evalbatch.progress import Progress
from evalbatch.readings import BLANK_MARKER, Spellings, read
from evalbatch.reasons import CATALOGUE
from evalbatch.records import Cell, Column, Disposition, Ints, Kind
from evalbatch.sheets_out import MARKED, MARKED_ROLES, mark, would_run
from evalbatch.words import trim

_BATCH = 1 << 16
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
        self._spellings = spellings
        self._bom = bom
        self.escaped = 0

    def write(self, path: Path, sheet: SheetOut, progress: Progress) -> None:
        """Write one sheet: a header and `sheet.count` rows, with CRLF line ends."""
        with path.open("wb") as file:
            header = self.row([column.name for column in sheet.columns])
            is_ascii = header.isascii()
            file.write(header)
            for begin in range(0, sheet.count, _BATCH):
                places = np.arange(begin, min(begin + _BATCH, sheet.count))
                columns = [self._cells(one, sheet.disposition, places) for one in sheet.columns]
                lines = self._lines(columns)
                is_ascii = is_ascii and lines.isascii()
                file.write(lines)
                progress(f"writing {path.name}", begin + len(places), sheet.count)
        if self._bom and not is_ascii:
            _prepend_bom(path)

    def row(self, cells: Sequence[str | None]) -> bytes:
        """Write one row of texts; None is an empty cell."""
        columns = [pa.array([cell], pa.string()) for cell in cells]
        return self._lines([self._quoted(self._escaped(column)) for column in columns])

    def _lines(self, columns: Sequence[pa.StringArray]) -> bytes:
        *others, last = columns
        lines = pc.binary_join_element_wise(
            *others,
            pc.binary_join_element_wise(pc.fill_null(last, ""), "\r\n", ""),
            self._delimiter,
            null_handling="replace",
            null_replacement="",
        )
        offsets = np.frombuffer(lines.buffers()[1], dtype=np.int32)[: len(lines) + 1]
        data: bytes = lines.buffers()[2].slice(offsets[0], offsets[-1] - offsets[0]).to_pybytes()
        return data

    def _cells(self, column: OutColumn, disposition: Disposition, places: Ints) -> pa.StringArray:
        if column.original is not None and column.role is not None:
            texts = self._in_role(column.original(places), column.role, disposition)
        elif column.role is not None:
            exact = np.full(len(places), Kind.STRING, dtype=np.uint8)
            cells = Column(column.name, 0, column.cells(places), exact)
            texts = self._in_role(cells, column.role, disposition)
        else:
            texts = column.cells(places)
        if column.kind in (Kind.BOOLEAN, Kind.NUMBER):
            return texts
        return self._quoted(self._escaped(texts))

    def _in_role(self, column: Column, role: str, disposition: Disposition) -> pa.StringArray:
        """Write the cells of a role so that they are read as the same again."""
        doubtful = true(pc.match_substring_regex(column.text, rf"(?s)^{MARKED.pattern}$"))
        if role == "text":
            doubtful |= true(pc.equal(pc.binary_length(column.text), 0))
            for word in self._spellings.blank | {BLANK_MARKER}:
                doubtful |= true(pc.match_substring(column.text, word, ignore_case=True))
        if column.kind is not None:
            plain = Kind.STRING if role in ("id", "text") else Kind.WORD
            doubtful |= column.kind > plain
        if not doubtful.any():
            return column.text
        rows = np.flatnonzero(doubtful)
        kind = None if column.kind is None else column.kind[rows]
        some = Column(column.name, column.position, column.text.take(pa.array(rows)), kind)
        codes, cells = distinct(some)
        written = [self._cell(role, cell, disposition) for cell in cells]
        return replace_where(
            column.text, doubtful, lambda _: [written[code] for code in codes.tolist()]
        )

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
        number = pc.sum(runs).as_py() or 0
        if not number:
            return texts
        self.escaped += number
        return pc.if_else(runs, pc.binary_join_element_wise("'", texts, ""), texts)

    def _quoted(self, texts: pa.StringArray) -> pa.StringArray:
        special = pc.match_substring_regex(texts, f'["\r\n{_in_class(self._delimiter)}]')
        needed = pc.or_(special, pc.equal(pc.binary_length(texts), 0))
        if not pc.any(needed).as_py():
            return texts
        doubled = pc.replace_substring(texts, '"', '""')
        return pc.if_else(needed, pc.binary_join_element_wise('"', doubled, '"', ""), texts)


def source_rows(path: Path, delimiter: str) -> list[int]:
    """Read a written sheet again, and give the source row of each of its rows."""
    return [int(cell) for cell in last_column(path.read_bytes(), delimiter)]


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


def _in_class(character: str) -> str:
    return character if character.isalnum() else "\\" + character


def _prepend_bom(path: Path) -> None:
    """Excel takes a sheet that holds other than ASCII for its own code page without one."""
    beside = path.with_suffix(".bom")
    with path.open("rb") as source, beside.open("wb") as target:
        target.write(_BOM)
        shutil.copyfileobj(source, target)
    beside.replace(path)
