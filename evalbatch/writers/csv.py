"""CSV sheets that a spreadsheet opens as they are, and that can be fed back without a loss."""

import shutil
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch import arrow
from evalbatch.arrow import Ints, Mask
from evalbatch.loaders.arrow_csv import read_last_column
from evalbatch.loaders.tokens import rows
from evalbatch.outputs import OutColumn, SheetOut
from evalbatch.progress import Progress
from evalbatch.records import Kind
from evalbatch.sheets_out import would_run
from evalbatch.spellings import Spellings
from evalbatch.writers.role_cells import cells_in_role

_BATCH = 1 << 15
_CORES = 2
_HEAD = 1 << 16
_BOM = b"\xef\xbb\xbf"


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
        self._finish(path, is_ascii)

    def write_rows(self, path: Path, rows: Sequence[Sequence[str | None]]) -> None:
        """Write a small sheet of texts; None is an empty cell."""
        lines = b"".join(map(self.row, rows))
        path.write_bytes(lines)
        self._finish(path, lines.isascii())

    def _finish(self, path: Path, is_ascii: bool) -> None:
        if self._bom and not is_ascii:
            _prepend_bom(path)

    def row(self, cells: Sequence[str | None]) -> bytes:
        """Write one row of texts; None is an empty cell."""
        texts = self._quoted(_escaped(arrow.texts(cells))[0]).to_pylist()
        return (self._delimiter.join(text or "" for text in texts) + "\r\n").encode()

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
        # Small sheets need no threads, and what is imported for them takes its time.
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(_CORES) as pool:
            # No more than what is at work, or the whole sheet might wait in memory to be written.
            ahead = deque(pool.submit(lines, places) for places in batches[:_CORES])
            for number, places in enumerate(batches, _CORES):
                done = ahead.popleft().result()
                ahead.extend(pool.submit(lines, more) for more in batches[number : number + 1])
                yield places, done

    def _lines(self, columns: Sequence[pa.StringArray]) -> bytes:
        rows = arrow.joined(*columns, separator=self._delimiter, null="")
        whole = arrow.lists(np.array([0, len(rows)]), rows)
        return arrow.raw(pc.binary_join(whole, arrow.scalar("\r\n"))) + b"\r\n"

    def _cells(self, column: OutColumn, sheet: SheetOut, places: Ints) -> pa.StringArray:
        if column.in_quotes is not None:
            # JSON arrays: no spreadsheet runs them.
            return column.in_quotes(places)
        texts = cells_in_role(column, sheet.disposition, places, self._spellings, "csv")
        if column.kind in (Kind.BOOLEAN, Kind.NUMBER):
            return texts
        texts, escaped = _escaped(texts)
        with self._counting:
            self.escaped += escaped
        return self._quoted(texts)

    def _quoted(self, texts: pa.StringArray) -> pa.StringArray:
        # A cell in quotes without characters is an empty text; a bare one is absent.
        needed = arrow.empty(texts) & ~arrow.null(texts)
        needed |= arrow.holds_any(texts, self._special)
        if not needed.any():
            return texts
        # Most texts need no quotes: they are not touched.
        some = texts if needed.all() else texts.take(arrow.ints(np.flatnonzero(needed)))
        quoted = arrow.joined('"', arrow.doubled(some, b'"'), '"')
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


def _escaped(texts: pa.StringArray) -> tuple[pa.StringArray, int]:
    """Put an apostrophe before what a spreadsheet would run, and count it."""
    runs = would_run(texts)
    if not runs.any():
        return texts, 0
    some = arrow.joined("'", texts.take(arrow.ints(np.flatnonzero(runs))))
    return _replaced(texts, runs, some), int(runs.sum())


def _replaced(texts: pa.StringArray, where: Mask, others: pa.StringArray) -> pa.StringArray:
    """Put others in the places of some texts."""
    places = np.arange(len(texts))
    places[where] = len(texts) + np.arange(len(others))
    return pa.concat_arrays([texts, others]).take(arrow.ints(places))


def source_rows(path: Path, delimiter: str) -> Ints:
    """Read a written sheet again, and give the source row of each of its rows."""
    with path.open("rb") as file:
        head = file.read(_HEAD).decode("utf-8-sig", errors="ignore")
    header = next(rows(head, delimiter))
    cells = read_last_column(path, len(header.cells), delimiter)
    if cells is None:
        # A cell too long for Arrow's blocks.
        found = [row.cells[-1] for row in rows(path.read_text("utf-8-sig"), delimiter)][1:]
        return np.array(found, dtype=np.int64)
    return arrow.numbers(cells.slice(1).cast("int64"))


def _prepend_bom(path: Path) -> None:
    """Excel takes a sheet that holds other than ASCII for its own code page without one."""
    beside = path.with_suffix(".bom")
    with path.open("rb") as source, beside.open("wb") as target:
        target.write(_BOM)
        shutil.copyfileobj(source, target)
    beside.replace(path)
