"""Writers: an evaluation to the files of a results folder, and the check of what was written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from evalbatch.coverage import Coverage
from evalbatch.errors import EvalbatchError
from evalbatch.progress import Progress
from evalbatch.records import Note, Sheet
from evalbatch.result import Result
from evalbatch.schema import FORMATTED_SPANS
from evalbatch.spellings import Spellings
from evalbatch.words import counted, shown
from evalbatch.writers import csv
from evalbatch.writers.summaries import coverage_json, coverage_row

if TYPE_CHECKING:
    from evalbatch.candidates import Candidates

FORMATS = ("csv", "xlsx", "json", "html")


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Which files are written, and how: `formats` of FORMATS, and whether CSV may have a BOM.

    Without `formats` it is the sheet's own format, JSON and HTML.
    """

    formats: Sequence[str] | None = None
    bom: bool = True

    def __post_init__(self) -> None:
        for name in self.formats or ():
            if name not in FORMATS:
                raise EvalbatchError(
                    f"--to names {shown(name)}; the formats are {', '.join(FORMATS)}."
                )


def write(
    folder: Path,
    result: Result,
    spellings: Spellings,
    options: WriteOptions,
    progress: Progress,
) -> Coverage:
    """Write the results into a folder, read them again and count them.

    Returns the coverage with what was noted in writing. Raises ConservationError where a sheet does
    not hold what was written.
    """
    evaluation, coverage = result.evaluation, result.coverage
    delimiter = evaluation.sheet.delimiter or ","
    formats = options.formats or (_own_format(evaluation.sheet), "json", "html")
    writer = csv.SheetWriter(delimiter, spellings, bom=options.bom)
    if result.unmatched is not None:
        path, unmatched = folder / "unmatched.csv", result.unmatched.out()
        csv.check([writer.write(path, unmatched, progress)], delimiter)
    if "csv" in formats:
        sheets = [
            writer.write(folder / f"{sheet.disposition}.csv", sheet, progress)
            for sheet in result.sheets
        ]
        csv.check(sheets, delimiter)
        coverage = _with_notes(coverage, _strikes_left_out(result))
    if writer.escaped:
        coverage = _with_notes(coverage, [_escaped(writer.escaped)])
    if "json" in formats:
        from evalbatch.writers import json

        results = json.write_results(folder / "results.json", evaluation, coverage, progress)
        json.check_results(results)
    if "xlsx" in formats:
        # Most runs write none.
        from evalbatch.writers import workbook

        workbook.write(folder / "results.xlsx", result.sheets, coverage, spellings, progress)
        workbook.check(folder / "results.xlsx", result.sheets)
    if "html" in formats:
        # Jinja takes longer to import than a small sheet to write.
        from evalbatch.writers import html

        report = html.report(result, coverage, spellings, formats)
        html.save(folder / "report.html", report)
    text = coverage_json(coverage)
    (folder / "coverage.json").write_text(f"{text}\n", encoding="utf-8")
    row = coverage_row(coverage)
    writer.write_rows(folder / "coverage.csv", [list(row), list(row.values())])
    return coverage


def write_candidates(folder: Path, candidates: "Candidates", options: WriteOptions) -> None:
    """Write the comparison of several candidates beside their folders."""
    from evalbatch.writers import candidates as comparison

    comparison.write_csv(folder / "comparison.csv", candidates, bom=options.bom)
    comparison.write_workbook(folder / "comparison.xlsx", candidates)
    if options.formats is None or "html" in options.formats:
        from evalbatch.writers import html
        from evalbatch.writers.html.candidates import candidates_page

        html.save(folder / "report.html", candidates_page(candidates))


def _own_format(sheet: Sheet) -> str:
    """Name the format of the sheet itself; CSV for sources that are no sheet."""
    return "xlsx" if sheet.addressed and sheet.delimiter is None else "csv"


def _with_notes(coverage: Coverage, notes: Sequence[Note]) -> Coverage:
    return replace(coverage, notes=[*coverage.notes, *notes]) if notes else coverage


def _strikes_left_out(result: Result) -> list[Note]:
    evaluation = result.evaluation
    if evaluation.sheet.match.layout != FORMATTED_SPANS or evaluation.fields is None:
        return []
    rows, _ = evaluation.fields.rows_of(evaluation.units("invalid"))
    number = len(evaluation.sheet.struck_texts.intersection(rows.tolist()))
    if not number:
        return []
    text = (
        f"the strike-through of {counted(number, 'text')} is not in invalid.csv, for CSV has none; "
        "mend the workbook, or the sheet invalid of results.xlsx (--to xlsx)"
    )
    return [Note("strike-through-left-out", text)]


def _escaped(number: int) -> Note:
    return Note(
        "texts-escaped",
        f"{counted(number, 'text')} in the CSV sheets got a leading apostrophe, for a spreadsheet "
        "would run what stands there; it is taken off again where the sheet is fed back",
    )
