"""CSV sheets that a spreadsheet opens as they are, and that can be fed back without a loss."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from evalbatch import arrow, characters
from evalbatch.arrow import Ints, Mask
from evalbatch.errors import ConservationError
from evalbatch.loaders.arrow_csv import read_last_column
from evalbatch.outputs import OutColumn, SheetOut
from evalbatch.progress import Progress
from evalbatch.records import Disposition, Kind
from evalbatch.sheets_out import would_run
from evalbatch.spellings import Spellings
from evalbatch.threads import in_order
from evalbatch.writers.csv_rows import LINE_END, Rows
from evalbatch.writers.role_cells import cells_in_role

_BATCH = 1 << 15
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Written:
    """A sheet that was written; `ends` are the places in the file behind its header and batches."""

    path: Path
    sheet: SheetOut
    header: bytes
    ends: Sequence[int]


class SheetWriter:
    """Writes sheets out as CSV, and counts the texts that it had to escape."""

    def __init__(self, delimiter: str, spellings: Spellings, *, bom: bool) -> None:
        self._delimiter = delimiter
        self._special = b'"\r\n' + delimiter.encode()
        self._spellings = spellings
        self._bom = bom
        self.escaped = 0

    def write(self, path: Path, sheet: SheetOut, progress: Progress) -> Written:
        """Write one sheet: a header and `sheet.count` rows, with CRLF line ends."""
        rows = Rows(sheet, partial(self._form, sheet.disposition), self._delimiter)
        header = self.row([column.name for column in sheet.columns])
        is_ascii = header.isascii()
        ends = [len(header)]
        done = 0
        with path.open("wb") as file:
            file.write(header)
            batches = _batches(sheet)
            for lines in in_order(rows.lines, batches, is_long=len(batches) > 1):
                file.write(lines.data.data)
                is_ascii = is_ascii and lines.is_ascii
                self.escaped += lines.escaped
                ends.append(ends[-1] + len(lines.data))
                done += len(batches[len(ends) - 2])
                progress(f"writing {path.name}", done, sheet.count)
        if self._finish(path, is_ascii):
            header = _BOM + header
            ends = [len(_BOM) + end for end in ends]
        return Written(path, sheet, header, ends)

    def write_rows(self, path: Path, rows: Sequence[Sequence[str | None]]) -> None:
        """Write a small sheet of texts; None is an empty cell."""
        lines = b"".join(map(self.row, rows))
        path.write_bytes(lines)
        self._finish(path, lines.isascii())

    def _finish(self, path: Path, is_ascii: bool) -> bool:
        """Put a byte order mark before a sheet that needs one, and tell whether it did."""
        needs_bom = self._bom and not is_ascii
        if needs_bom:
            _prepend_bom(path)
        return needs_bom

    def row(self, cells: Sequence[str | None]) -> bytes:
        """Write one row of texts; None is an empty cell."""
        texts = self._quoted(_escaped(arrow.texts(cells))[0]).to_pylist()
        return (self._delimiter.join(text or "" for text in texts) + LINE_END).encode()

    def _form(
        self, disposition: Disposition, column: OutColumn, places: Ints
    ) -> tuple[pa.StringArray, Mask]:
        """Give cells as they stand in a row, and which of them were escaped."""
        nowhere = np.zeros(len(places), dtype=bool)
        if column.in_quotes is not None:
            # JSON arrays: no spreadsheet runs them.
            return column.in_quotes(places), nowhere
        texts = cells_in_role(column, disposition, places, self._spellings, "csv")
        if column.kind in (Kind.BOOLEAN, Kind.NUMBER):
            return texts, nowhere
        texts, escaped = _escaped(texts)
        return self._quoted(texts), escaped

    def _quoted(self, texts: pa.StringArray) -> pa.StringArray:
        # A cell in quotes without characters is an empty text; a bare one is absent.
        needed = arrow.empty(texts) & ~arrow.null(texts)
        needed |= characters.holds_any(texts, self._special)
        if not needed.any():
            return texts
        # Most texts need no quotes: they are not touched.
        some = texts if needed.all() else arrow.take(texts, np.flatnonzero(needed))
        quoted = arrow.joined('"', characters.doubled(some, b'"'), '"')
        return quoted if needed.all() else _replaced(texts, needed, quoted)


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    bom: bool = False,
    delimiter: str = ",",
) -> bytes:
    """Write a small table; None is an empty cell, and a Boolean true or false."""
    writer = SheetWriter(delimiter, Spellings(), bom=bom)
    texts = [[None if cell is None else _word(cell) for cell in row] for row in rows]
    lines = b"".join(map(writer.row, [header, *texts]))
    return _BOM + lines if bom and not lines.isascii() else lines


def _word(cell: object) -> str:
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def _escaped(texts: pa.StringArray) -> tuple[pa.StringArray, Mask]:
    """Put an apostrophe before what a spreadsheet would run, and tell where."""
    runs = would_run(texts)
    if not runs.any():
        return texts, runs
    some = arrow.joined("'", arrow.take(texts, np.flatnonzero(runs)))
    return _replaced(texts, runs, some), runs


def _replaced(texts: pa.StringArray, where: Mask, others: pa.StringArray) -> pa.StringArray:
    """Put others in the places of some texts."""
    places = np.arange(len(texts))
    places[where] = len(texts) + np.arange(len(others))
    return arrow.take(pa.concat_arrays([texts, others]), places)


def check(sheets: Sequence[Written], delimiter: str) -> None:
    """Read written sheets again, and count their rows.

    Raises ConservationError for one that does not hold what was written.
    """
    for written in sheets:
        with written.path.open("rb") as file:
            head = file.read(written.ends[0])
        if head != written.header or written.path.stat().st_size != written.ends[-1]:
            raise _lost(written)
    pieces = [(one, number) for one in sheets for number in range(len(one.ends) - 1)]

    def holds(piece: tuple[Written, int]) -> bool:
        return _holds(*piece, delimiter)

    is_long = sum(one.sheet.count for one in sheets) > _BATCH
    for (written, _), is_there in zip(
        pieces, in_order(holds, pieces, is_long=is_long), strict=True
    ):
        if not is_there:
            raise _lost(written)


def _holds(written: Written, number: int, delimiter: str) -> bool:
    """Tell whether a batch of rows is there, each with its source row in its last cell."""
    begin, end = written.ends[number : number + 2]
    with written.path.open("rb", buffering=0) as file:
        file.seek(begin)
        data = file.read(end - begin)
    cells = read_last_column(data, len(written.sheet.columns), delimiter)
    rows = written.sheet.source_rows[number * _BATCH : (number + 1) * _BATCH]
    return cells is not None and np.array_equal(cells, rows)


def _lost(written: Written) -> ConservationError:
    what = f"does not hold the {written.sheet.count} rows that were written"
    return ConservationError.after_writing(written.path.name, what)


def _batches(sheet: SheetOut) -> list[Ints]:
    return [
        np.arange(begin, min(begin + _BATCH, sheet.count))
        for begin in range(0, sheet.count, _BATCH)
    ]


def _prepend_bom(path: Path) -> None:
    """Excel takes a sheet that holds other than ASCII for its own code page without one."""
    beside = path.with_suffix(".bom")
    with path.open("rb") as source, beside.open("wb") as target:
        target.write(_BOM)
        shutil.copyfileobj(source, target)
    beside.replace(path)
