"""What there is to mend and to settle in a sheet: grouped by reason, and then by what stands there.

The words are those of the problems of the invalid sheet; here each is told once, with its cells.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from evalbatch.arrow import Ints
from evalbatch.batch import Evaluation
from evalbatch.field_problems import FieldProblems
from evalbatch.fields import Fields
from evalbatch.problems import Problems
from evalbatch.reasons import BY_CODE
from evalbatch.records import Column, Readings


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong in the same way in some cells, or that holds some cases.

    `reason` is a code of the catalogue; `cells` are all the places, `what` stands there, and how to
    `mend` it: the one edit or option.
    """

    reason: str
    disposition: Literal["held", "invalid"]
    what: str
    mend: str
    cells: tuple[str, ...]


def find(evaluation: Evaluation) -> list[Finding]:
    """Group what keeps the cases of an evaluation from being scored.

    Invalid before held; in each the most frequent reason first, and in it the most frequent cell.
    """
    found = [*_invalid(evaluation), *_held(evaluation)]
    totals: dict[str, int] = {}
    for one in found:
        totals[one.reason] = totals.get(one.reason, 0) + len(one.cells)
    return sorted(
        found,
        key=lambda one: (
            one.disposition == "held",
            -totals[one.reason],
            one.reason,
            -len(one.cells),
        ),
    )


def _invalid(evaluation: Evaluation) -> Iterator[Finding]:
    sheet, fields = evaluation.sheet, evaluation.fields
    units = evaluation.units("invalid")
    rows = units if fields is None else np.sort(fields.rows_of(units)[0])
    for row, problem in sheet.malformed.items():
        place = f"{'row' if sheet.addressed else 'item'} {sheet.source_rows[row]}"
        remedy = BY_CODE["row-malformed"].remedy
        yield Finding("row-malformed", "invalid", problem, remedy, (place,))
    sound = rows[~np.isin(rows, list(sheet.malformed))]
    problems = Problems(evaluation)
    yield from _cells(evaluation, evaluation.ids.column, evaluation.ids.readings, sound)
    yield from _repeated_ids(evaluation, problems, sound)
    if fields is not None:
        yield from _field_faults(evaluation, fields)
        if "spans" in sheet.match.roles:
            yield from _spans(evaluation, fields, sound)
    for role, readings in evaluation.cells.items():
        at_fault = sound
        if fields is None:
            faulty = np.array([role in one.faults for one in evaluation.outcomes], dtype=bool)
            at_fault = sound[faulty[evaluation.codes[sound]]]
        yield from _cells(evaluation, sheet.role(role), readings, at_fault)


def _cells(
    evaluation: Evaluation, column: Column, readings: Readings, rows: Ints
) -> Iterator[Finding]:
    """Group the faulty cells of one column by what they were read as."""
    codes = readings.codes[rows]
    for code in np.unique(codes).tolist():
        reading = readings.readings[code]
        if reading.reasons:
            places = evaluation.sheet.places(column, rows[codes == code]).to_pylist()
            yield _invalid_finding(reading.reasons[0], reading.what, reading.mend, places)


def _repeated_ids(evaluation: Evaluation, problems: Problems, rows: Ints) -> Iterator[Finding]:
    if "text" in evaluation.sheet.match.roles:
        return
    codes = evaluation.ids.codes[rows]
    for code, (what, mend) in problems.repeated_ids.items():
        places = evaluation.sheet.places(evaluation.ids.column, rows[codes == code]).to_pylist()
        yield _invalid_finding("id-duplicate", what, mend, places)


def _field_faults(evaluation: Evaluation, fields: Fields) -> Iterator[Finding]:
    for fault, words in FieldProblems(evaluation, fields).field_faults.items():
        for unit, (what, mend) in words.items():
            rows, _ = fields.rows_of(np.array([unit]))
            places = evaluation.sheet.places(evaluation.ids.column, rows).to_pylist()
            yield _invalid_finding(fault, what, mend, places)


def _spans(evaluation: Evaluation, fields: Fields, rows: Ints) -> Iterator[Finding]:
    """Group the faulty spans of JSON cells."""
    column = evaluation.sheet.role("spans")
    spans, offsets = fields.spans_of(rows)
    owners = np.repeat(rows, np.diff(offsets))
    numbers = spans - np.repeat(fields.span_offsets[rows], np.diff(offsets)) + 1
    where = evaluation.sheet.places(column, owners).to_pylist()
    for readings in (fields.text, fields.struck):
        codes = readings.codes[spans]
        for code in np.unique(codes).tolist():
            reading = readings.readings[code]
            if reading.reasons:
                hits = np.flatnonzero(codes == code).tolist()
                places = [f"{where[hit]} span {numbers[hit]}" for hit in hits]
                yield _invalid_finding(reading.reasons[0], reading.what, reading.mend, places)


def _held(evaluation: Evaluation) -> Iterator[Finding]:
    units = evaluation.units("held")
    by_reason: dict[str, list[int]] = {}
    for unit in units.tolist():
        reason = evaluation.outcomes[evaluation.codes[unit]].reasons[0]
        by_reason.setdefault(reason, []).append(unit)
    for reason, some in by_reason.items():
        rows = evaluation.first_rows[np.array(some)]
        places = evaluation.sheet.places(evaluation.ids.column, rows).to_pylist()
        known = BY_CODE[reason]
        yield Finding(reason, "held", known.meaning.rstrip("."), known.remedy, tuple(places))


def _invalid_finding(reason: str, what: str, mend: str, places: Iterable[str]) -> Finding:
    return Finding(reason, "invalid", what, mend, tuple(places))
