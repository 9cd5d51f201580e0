"""The comparison of several candidates, as CSV and as a sheet of a workbook."""

from pathlib import Path

from evalbatch.candidates import Candidates
from evalbatch.writers.csv import SheetWriter
from evalbatch.writers.tables import write_table


def write_csv(path: Path, candidates: Candidates, writer: SheetWriter) -> None:
    """Write one row a candidate."""
    rows = candidates.rows()
    texts = [[None if cell is None else str(cell) for cell in row.values()] for row in rows]
    writer.write_rows(path, [list(rows[0]), *texts])


def write_workbook(path: Path, candidates: Candidates) -> None:
    """Write the same as the sheet `comparison`, under the sentence that says what it is over."""
    rows = candidates.rows()
    cells = [list(row.values()) for row in rows]
    write_table(path, "comparison", candidates.statement, list(rows[0]), cells)
