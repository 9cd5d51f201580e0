"""The batch: a sheet's cells become records, records go through an evaluator, outcomes come back.

Each distinct input is judged once, by the one rule in `core`, and its outcome is spread over the
rows by index. Faults of the sheet itself come before the evaluator.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from evalbatch import arrow, ids, kernels
from evalbatch.arrow import Ints
from evalbatch.columns import read_column
from evalbatch.core import answer_key, edit_marks
from evalbatch.errors import ConservationError
from evalbatch.faults import ROW_FAULTS, row_faults
from evalbatch.ids import Ids
from evalbatch.records import DISPOSITIONS, Column, Disposition, Outcome, Readings, Sheet
from evalbatch.spellings import Spellings

if TYPE_CHECKING:
    from evalbatch.fields import Fields

_CASE_ROLES = ("state", "expected", "answer")
# So many fit a processor's cache; more are numbered anew.
_MOST_COMBINATIONS = 1 << 16


@dataclass(frozen=True)
class Evaluation:
    """A sheet judged: unit i (a case or a field, in input order) has `outcomes[codes[i]]`.

    `cells` holds what the role columns were read as; `fields` groups the rows of a span sheet.
    `decisions` are the decision columns by row, where decisions were recorded.
    """

    sheet: Sheet
    ids: Ids
    cells: dict[str, Readings]
    codes: Ints
    outcomes: Sequence[Outcome]
    fields: "Fields | None" = None
    decisions: tuple[Column, ...] = ()

    @property
    def first_rows(self) -> Ints:
        """The row of each case, or the first row of each field."""
        return np.arange(len(self.codes)) if self.fields is None else self.fields.first_rows

    def units(self, disposition: Disposition) -> Ints:
        """Give the cases or fields that end there, in input order."""
        return self._units[disposition]

    @cached_property
    def _units(self) -> Mapping[Disposition, Ints]:
        ends = [DISPOSITIONS.index(one.disposition) for one in self.outcomes]
        end_of = np.array(ends, dtype=np.uint8)[self.codes]
        return {
            disposition: np.flatnonzero(end_of == end)
            for end, disposition in enumerate(DISPOSITIONS)
        }

    def tally(self) -> list[tuple[Outcome, int]]:
        """Give each outcome with the number of cases or fields that have it."""
        counts = np.bincount(self.codes, minlength=len(self.outcomes)).tolist()
        return list(zip(self.outcomes, counts, strict=True))


def evaluate(sheet: Sheet, spellings: Spellings, *, scattered: bool = False) -> Evaluation:
    """Judge every case or field of a sheet.

    `scattered` declares that rows of one span sheet field may stand apart. Raises
    ConservationError if the outcomes do not cover every row exactly once.
    """
    found = ids.read_ids(sheet, spellings)
    if sheet.task == "answer-key":
        evaluation = _cases(sheet, found, spellings)
    else:
        evaluation = _fields(sheet, found, spellings, scattered)
    check_conservation(evaluation)
    return evaluation


def _cases(sheet: Sheet, found: Ids, spellings: Spellings) -> Evaluation:
    cells = {role: read_column(role, sheet.role(role), spellings) for role in _CASE_ROLES}
    faults = row_faults(sheet, found)

    def judge(fault: int, *codes: int) -> Outcome:
        read = {
            role: readings.readings[code]
            for (role, readings), code in zip(cells.items(), codes, strict=True)
        }
        judgement = answer_key.judge(*(reading.value for reading in read.values()))
        why = [reason for role in judgement.faults for reason in read[role].reasons[:1]]
        deeper = [reason for role in judgement.faults for reason in read[role].reasons[1:]]
        if fault:
            own = () if ROW_FAULTS[fault] == "row-malformed" else (*why, *deeper)
            return Outcome("invalid", (ROW_FAULTS[fault], *own), faults=judgement.faults)
        if judgement.disposition == "held":
            return Outcome("held", ("disputed",))
        reasons = tuple(dict.fromkeys([*why, *deeper]))
        return Outcome(judgement.disposition, reasons, judgement.passed, judgement.faults)

    inputs = [faults, *(readings.codes for readings in cells.values())]
    codes, outcomes = spread(judge, inputs)
    return Evaluation(sheet, found, cells, codes, outcomes)


def _fields(sheet: Sheet, found: Ids, spellings: Spellings, scattered: bool) -> Evaluation:
    # Most runs have none.
    from evalbatch import fields

    group = fields.group(sheet, found, row_faults(sheet, found), spellings, scattered)
    patterns, distinct = group.patterns()

    def judge(faults: int, cell: int, pattern: int) -> Outcome:
        spans = distinct[pattern]
        named = [reason for bit, reason in enumerate(fields.FAULTS) if faults >> bit & 1]
        named += group.cell.readings[cell].reasons
        if "row-malformed" in named:
            return Outcome("invalid", ("row-malformed",))
        # Spans are known by their places: the rule never looks into a text.
        result = edit_marks.evaluate(
            [
                {"text": str(place) if span.is_text else None, "struck": span.struck}
                for place, span in enumerate(spans)
            ]
        )
        own = [result["error"]] if "error" in result else []
        if named or own:
            by_cell = [reasons for kind in (0, 1) for reasons in (s.reasons[kind] for s in spans)]
            why = [reason for reasons in by_cell for reason in reasons[:1]]
            deeper = [reason for reasons in by_cell for reason in reasons[1:]]
            return Outcome("invalid", tuple(dict.fromkeys([*named, *own, *why, *deeper])))
        old, candidates = (tuple(map(int, result[key])) for key in ("old", "candidates"))
        if result["status"] == "accepted":
            current = int(result["current"])
            return Outcome("scored", (), None, (), old, candidates, current)
        reason = "review-several" if candidates else "review-none"
        return Outcome("held", (reason,), None, (), old, candidates)

    codes, outcomes = spread(judge, [group.faults, group.cell.codes, patterns])
    return Evaluation(sheet, found, group.cells, codes, outcomes, group)


def settled_case(evaluation: Evaluation, row: int, label: object) -> Outcome:
    """Judge a disputed case as agreed, with a recorded decision as its label."""
    answers = evaluation.cells["answer"]
    answer = answers.readings[answers.codes[row]]
    judgement = answer_key.judge(answer_key.AGREED, label, answer.value)
    reasons = answer.reasons if judgement.faults else ()
    return Outcome(
        judgement.disposition, reasons, judgement.passed, judgement.faults, adjudicated=True
    )


def settled_field(held: Outcome) -> Outcome:
    """Give what becomes of a field in review whose current text is a recorded decision."""
    return replace(held, disposition="scored", reasons=(), adjudicated=True)


def spread(judge: Callable[..., Outcome], inputs: Sequence[Ints]) -> tuple[Ints, list[Outcome]]:
    """Judge each distinct combination of input codes once.

    `inputs` are k arrays of n codes; `judge` takes k codes. Returns n codes into the outcomes, of
    which equal ones are one.
    """
    combined, many = inputs[0], int(inputs[0].max(initial=-1)) + 1
    for codes in inputs[1:]:
        size = int(codes.max(initial=-1)) + 1
        if many * size > _MOST_COMBINATIONS:
            combined, many = _renumbered(combined)
        combined = combined * np.int64(size) + codes
        many *= size
    if many > _MOST_COMBINATIONS:
        combined, many = _renumbered(combined)
    first = np.full(many, len(combined), dtype=np.int64)
    first[combined[::-1]] = np.arange(len(combined))[::-1]
    found = np.argsort(first, kind="stable")
    found = found[first[found] < len(combined)]
    numbers: dict[Outcome, int] = {}
    number_of = [
        numbers.setdefault(judge(*(int(codes[row]) for codes in inputs)), len(numbers))
        for row in first[found].tolist()
    ]
    outcome_of = np.zeros(many, dtype=np.int32)
    outcome_of[found] = number_of
    return outcome_of[combined], list(numbers)


def _renumbered(codes: Ints) -> tuple[Ints, int]:
    """Give codes without gaps for the same rows, and how many there are."""
    encoded = kernels.dictionary_encode(arrow.ints(codes))
    return arrow.codes(encoded.indices, -1), len(encoded.dictionary)


def check_conservation(evaluation: Evaluation) -> None:
    """Raise ConservationError unless every case or field ends in exactly one place."""
    ends = np.concatenate([evaluation.units(disposition) for disposition in DISPOSITIONS])
    counts = np.bincount(ends, minlength=len(evaluation.codes))
    if len(counts) > len(evaluation.codes) or (counts != 1).any():
        raise ConservationError(
            "the evaluation lost a case or counted one twice; please report this."
        )
