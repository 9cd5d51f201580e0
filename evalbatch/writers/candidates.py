"""The comparison of several candidates, as CSV and as a sheet of a workbook."""

from pathlib import Path

from evalbatch.candidates import Candidates
from evalbatch.writers.csv import table
from evalbatch.writers.tables import write_table


def write_csv(path: Path, candidates: Candidates, *, bom: bool) -> None:
    """Write one row a candidate."""
    rows = candidates.rows()
    path.write_bytes(table(list(rows[0]), [list(row.values()) for row in rows], bom=bom))


def write_workbook(path: Path, candidates: Candidates) -> None:
    """Write the same as the sheet `comparison`, under the sentence that says what it is over."""
    rows = candidates.rows()
    cells = [list(row.values()) for row in rows]
    write_table(path, "comparison", candidates.statement, list(rows[0]), cells)
