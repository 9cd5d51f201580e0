"""The first sheet of results.xlsx: the coverage, as a person wants to read it."""

import math
from collections.abc import Iterator

from evalbatch import arrow
from evalbatch.coverage import Coverage, percentage
from evalbatch.reasons import BY_CODE
from evalbatch.writers.workbook import parts
from evalbatch.writers.workbook.cells import PLAIN_STYLE, text_xml

_WIDTHS = (26, 14, 84)
_LINE = 15.5
_STATEMENT_LINE = 18.5
_FIRST_LINE = 3

Line = tuple[str, bool | int | str | None, str]


def boolean_cells(coverage: Coverage) -> str | None:
    """Give the cells of this sheet from which a decision is chosen; None where none is.

    They are real Booleans, for a list of words gives texts where Booleans have other names.
    """
    for number, line in enumerate(_lines(coverage), _FIRST_LINE):
        if line[1] is True:
            return f"coverage!$B${number}:$B${number + 1}"
    return None


def summary_xml(coverage: Coverage) -> bytes:
    """Write the sheet: the statement, the counts, the bounds, the reasons, the notes."""
    whole = sum(_WIDTHS)
    height = _STATEMENT_LINE * math.ceil(len(coverage.statement) / (whole * 0.75))
    statement = parts.text_cell("A1", _xml(coverage.statement), parts.STATEMENT_STYLE)
    rows = [f'<row r="1" ht="{height}" customHeight="1">{statement}</row>']
    for number, line in enumerate(_lines(coverage), _FIRST_LINE):
        rows.append(_row(number, line))
    start = parts.sheet_start(_WIDTHS, [PLAIN_STYLE] * len(_WIDTHS), is_frozen=False)
    return (start + "".join(rows) + parts.sheet_end(3, 0, None, ["A1:C1"])).encode()


def _lines(coverage: Coverage) -> Iterator[Line]:
    noun = "cases" if coverage.task == "answer-key" else "fields"
    marks = (
        ""
        if coverage.passed is None
        else (f"{coverage.passed:,} passed, {coverage.scored - coverage.passed:,} failed")
    )
    yield noun.capitalize(), None, ""
    yield "scored", coverage.scored, marks
    yield "held", coverage.held, "to be settled: the sheet held" if coverage.held else ""
    yield "invalid", coverage.invalid, "to be mended: the sheet invalid" if coverage.invalid else ""
    yield "all", coverage.total, ""
    yield "coverage", percentage(coverage.coverage), coverage.share
    if coverage.pass_rate is not None:
        yield from _rates(coverage)
    else:
        yield "", None, ""
        yield "Convention", None, coverage.convention or ""
    if coverage.held:
        yield from _settling(coverage)
    if coverage.reasons:
        yield "", None, ""
        yield "Reasons", None, ""
        for code, number in coverage.reasons.items():
            yield code, number, f"{BY_CODE[code].meaning} {BY_CODE[code].remedy}"
    if coverage.notes:
        yield "", None, ""
        yield "Notes", None, ""
        for note in coverage.notes:
            yield note.code, None, note.text
    yield "", None, ""
    yield "Source", None, ""
    yield "file", None, coverage.source.name
    if coverage.source.sheet is not None:
        yield "sheet", None, coverage.source.sheet
    yield "SHA-256", None, coverage.source.sha256 or ""
    apart = coverage.options.get("answers")
    for what, sources in (
        ("answers", [apart] if apart else []),
        ("decisions", coverage.options.get("adjudications", [])),
    ):
        for source in sources:
            yield what, None, f"{source['name']} (SHA-256 {source['sha256']})"
    yield "evalbatch", None, coverage.version


def _settling(coverage: Coverage) -> Iterator[Line]:
    yield "", None, ""
    yield "To settle a held case", None, ""
    how = "in the sheet held, with who decided and when"
    if coverage.task == "answer-key":
        yield "decision", True, f"if the label is TRUE: {how}"
        yield "", False, "if it is FALSE"
    else:
        yield "decision", None, f"the current text, or [blank] if a blank was seen: {how}"
    yield "then", None, "evaluate the sheet again, with this workbook as --adjudications"


def _rates(coverage: Coverage) -> Iterator[Line]:
    rate, bounds = coverage.pass_rate, coverage.full_pass_rate_bounds
    yield "", None, ""
    yield "Pass rate", None, ""
    if rate is not None and rate.value is not None and rate.interval95 is not None:
        low, high = map(percentage, rate.interval95)
        yield (
            "of the scored cases only",
            percentage(rate.value),
            f"{rate.numerator} of {rate.denominator}, 95% interval {low} to {high}; "
            f"{coverage.share} cases are scored",
        )
    else:
        yield "of the scored cases only", "n/a", f"{coverage.share} cases are scored"
    if bounds is not None:
        low, high = map(percentage, bounds)
        passed = coverage.passed or 0
        most = passed + coverage.held + coverage.invalid
        whole = "of this part" if coverage.part_of is not None else "of the full evaluation"
        span = f"{low} to {high}" if low != high else low
        counts = f"{passed} to {most} of {coverage.total}"
        yield whole, span, f"{counts}, whatever becomes of the cases that are not scored"


def _row(number: int, line: Line) -> str:
    label, value, text = line
    is_heading = value is None and not text
    cells = ""
    if label:
        style = parts.LABEL_STYLE if is_heading else parts.WRAPPED_STYLE
        cells += parts.text_cell(f"A{number}", _xml(label), style)
    if isinstance(value, bool):
        cells += f'<c r="B{number}" s="{parts.BOOLEAN_STYLE}" t="b"><v>{int(value)}</v></c>'
    elif isinstance(value, int):
        cells += f'<c r="B{number}" s="{parts.NUMBER_STYLE}"><v>{value}</v></c>'
    elif value is not None:
        cells += parts.text_cell(f"B{number}", _xml(value), parts.NUMBER_STYLE)
    if text:
        cells += parts.text_cell(f"C{number}", _xml(text), parts.WRAPPED_STYLE)
    lines = max(1, math.ceil(len(text) / (_WIDTHS[2] * 1.15)))
    return f'<row r="{number}" ht="{lines * _LINE}" customHeight="1">{cells}</row>'


def _xml(text: str) -> str:
    found: str = text_xml(arrow.texts([text]))[0].as_py()
    return found
