"""The report of one evaluation, for somebody who never saw the sheet."""

import json
from collections.abc import Iterator, Mapping, Sequence

from evalbatch.coverage import Coverage, percentage
from evalbatch.reasons import BY_CODE
from evalbatch.records import Disposition
from evalbatch.result import Result
from evalbatch.spellings import Spellings
from evalbatch.writers.html import text
from evalbatch.writers.html.cases import OPEN, ListedCase, list_cases
from evalbatch.writers.html.figures import coverage_bar, pass_rate_marks
from evalbatch.writers.html.page import page

_TASKS = {"answer-key": "an answer key", "spans": "transcription marks"}
_SOURCE = "the sheet that was evaluated"
_COVERAGE = "coverage.json"


def report(
    result: Result, coverage: Coverage, spellings: Spellings, formats: Sequence[str]
) -> bytes:
    """Give the report of one evaluation.

    `coverage` is the result's with what was noted in writing; `formats` are those written beside
    the report, which names the file that holds what it leaves out.
    """
    noun = "case" if coverage.task == "answer-key" else "field"
    cases = list_cases(result.evaluation, result.sheets, spellings)
    wholes = {one: _whole(one, formats) for one in OPEN}
    return page(
        "report.html",
        coverage=coverage,
        noun=noun,
        task=_TASKS[coverage.task],
        covered=_covered(coverage, noun),
        segments=coverage_bar(coverage),
        marks=pass_rate_marks(coverage),
        explanation=_explanation(coverage),
        open_cases=coverage.held + coverage.invalid,
        reasons=[(BY_CODE[code], number) for code, number in coverage.reasons.items()],
        cases=cases,
        reasons_listed=sorted({reason for case in cases for reason in case.reasons}),
        row_noun="row" if result.evaluation.sheet.addressed else "item",
        listing=_listing(coverage, cases, noun, wholes),
        facts=list(_facts(coverage)),
        wholes=wholes,
        whole=_COVERAGE,
    )


def _whole(disposition: Disposition, formats: Sequence[str]) -> str:
    """Say where all cases of a disposition stand, and their cells in full."""
    if "csv" in formats:
        return f"{disposition}.csv"
    return f"the sheet {disposition} of results.xlsx" if "xlsx" in formats else _SOURCE


def _covered(coverage: Coverage, noun: str) -> str:
    of_part = "" if coverage.part_of is None else " of this part"
    decided = f", {coverage.adjudicated:,} of them on a recorded decision"
    return (
        f"{coverage.scored:,} of {coverage.total:,} {noun}s{of_part} scored "
        f"({percentage(coverage.coverage)}{decided if coverage.adjudicated else ''})"
    )


def _explanation(coverage: Coverage) -> str:
    missing = coverage.total - coverage.scored
    if not (coverage.passed is not None and coverage.scored and missing):
        return ""
    return (
        "The interval tells how far the scored cases can speak for others like them. It says "
        f"nothing of the {missing:,} of {coverage.total:,} not scored, which are no chance sample; "
        "the range below it does."
    )


def _listing(
    coverage: Coverage, cases: Sequence[ListedCase], noun: str, wholes: Mapping[Disposition, str]
) -> str:
    """Say how many are listed, of how many, and where the rest is."""
    found = coverage.held + coverage.invalid
    of_all = f"of {coverage.total:,} {noun}s"
    if len(cases) == found:
        return f"All {found:,} that are held or invalid, {of_all}, in the order of the sheet."
    held = sum(case.disposition == "held" for case in cases)
    invalid = len(cases) - held
    return (
        f"{len(cases):,} of the {found:,} that are held or invalid, {of_all}, in the order of the "
        f"sheet: the first {held:,} of {coverage.held:,} held and the first {invalid:,} of "
        f"{coverage.invalid:,} invalid ones. "
        f"All of them are in {' and '.join(dict.fromkeys(wholes.values()))}."
    )


def _facts(coverage: Coverage) -> Iterator[tuple[str, str]]:
    source = coverage.source
    yield "File", text.value(source.name, _COVERAGE)
    if source.sheet is not None:
        yield "Sheet", text.value(source.sheet, _COVERAGE)
    yield "SHA-256", source.sha256 or "none: it was no file"
    if coverage.convention is not None:
        yield "Convention", coverage.convention
    given = [
        f"{name.replace('_', '-')} {json.dumps(value, ensure_ascii=False)}"
        for name, value in coverage.options.items()
    ]
    yield "Options", text.message("; ".join(given) or "none", _COVERAGE)
    yield "Made by", f"evalbatch {coverage.version}"
