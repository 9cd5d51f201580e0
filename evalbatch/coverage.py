"""Coverage: how much of a sheet was scored, and rates that cannot be had without saying so."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalbatch.batch import Evaluation
from evalbatch.core import edit_marks
from evalbatch.records import DISPOSITIONS, Note, Source, Task
from evalbatch.sheets_out import share

# The normal quantile of a two-sided 95% interval.
_Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class PassRate:
    """The share of scored cases that passed, never without the set that it speaks of.

    `value` is None where nothing was scored. `interval95` is Wilson's score interval (Wilson 1927)
    for the scored cases. `scope` says which cases these are, out of how many.
    """

    value: float | None
    numerator: int
    denominator: int
    scope: str
    interval95: tuple[float, float] | None

    def __str__(self) -> str:
        if self.value is None or self.interval95 is None:
            return f"pass rate n/a: {self.scope}"
        low, high = map(percentage, self.interval95)
        return (
            f"pass rate {percentage(self.value)} ({self.numerator} of {self.denominator}, "
            f"95% interval {low} to {high}): {self.scope}"
        )


@dataclass(frozen=True, slots=True)
class Coverage:
    """The counts of one evaluation, and everything that is said on top of them.

    scored + held + invalid = total. `reasons` counts the deciding reason of each held or invalid
    case. `passed` is None for spans, which have no pass rate. `part_of` is the number of cases of
    the evaluation that a fed-back part comes from. `adjudicated` counts the scored cases that rest
    on a recorded decision.
    """

    task: Task
    source: Source
    total: int
    scored: int
    held: int
    invalid: int
    blank_rows: int
    reasons: Mapping[str, int]
    notes: Sequence[Note]
    options: Mapping[str, Any]
    version: str
    passed: int | None = None
    part_of: int | None = None
    adjudicated: int = 0

    @property
    def coverage(self) -> float:
        """Scored cases as a share of all."""
        return self.scored / self.total if self.total else 0.0

    @property
    def share(self) -> str:
        """The coverage as it stands on every row of the sheets out."""
        return share(self.scored, self.total, self.part_of)

    @property
    def complete(self) -> bool:
        """Whether this is the full evaluation: everything scored, and the sheet no part."""
        return self.scored == self.total > 0 and self.part_of is None

    @property
    def pass_rate(self) -> PassRate | None:
        """The pass rate of the scored cases; None for spans."""
        if self.passed is None:
            return None
        return PassRate(
            self.passed / self.scored if self.scored else None,
            self.passed,
            self.scored,
            f"the scored cases only, {self.share}",
            wilson(self.passed, self.scored),
        )

    @property
    def full_pass_rate_bounds(self) -> tuple[float, float] | None:
        """Between what the rate lies once every case is scored; None for spans."""
        if self.passed is None or not self.total:
            return None
        open_cases = self.held + self.invalid
        return self.passed / self.total, (self.passed + open_cases) / self.total

    @property
    def convention(self) -> str | None:
        """What a mark means in this evaluation; None for answer keys, which have none."""
        if self.task == "answer-key":
            return None
        is_by_format = self.options.get("marks") == "formatting"
        return edit_marks.CONVENTION_BY_FORMAT if is_by_format else edit_marks.CONVENTION

    @property
    def statement(self) -> str:
        """The result in one sentence, with its denominators; it comes first everywhere."""
        noun = "cases" if self.task == "answer-key" else "fields"
        of_part = "" if self.part_of is None else " of this part"
        decided = f", {self.adjudicated} of them on a recorded decision" if self.adjudicated else ""
        covered = (
            f"{self.scored} of {self.total} {noun}{of_part} scored "
            f"({percentage(self.coverage)}{decided})"
        )
        if self.part_of is not None:
            start = f"Part of an evaluation of {self.part_of} {noun}: "
        else:
            start = ""
        if self.passed is not None:
            start += (
                f"{self.passed} of {self.scored} scored cases passed; "
                if self.scored
                else "pass rate n/a; "
            )
        if self.complete:
            rate = (
                "" if self.passed is None else f", pass rate {percentage(self.passed / self.total)}"
            )
            return _sentence(f"{start}{covered}: the full evaluation{rate}.")
        missing = f"{covered}, {self.held} held, {self.invalid} invalid: not the full evaluation"
        if self.full_pass_rate_bounds is None:
            return _sentence(f"{start}{missing}.")
        low, high = map(percentage, self.full_pass_rate_bounds)
        if self.part_of is not None and self.scored == self.total:
            bounds = f"; the pass rate of this part is {low}."
        elif self.part_of is not None:
            bounds = f"; the pass rate of this part lies between {low} and {high}."
        else:
            bounds = f", whose pass rate lies between {low} and {high}."
        return _sentence(start + missing + bounds)

    def as_dict(self) -> dict[str, Any]:
        """Give `coverage.json`, statement first."""
        rate = self.pass_rate
        bounds = self.full_pass_rate_bounds
        found: dict[str, Any] = {
            "statement": self.statement,
            "task": self.task,
            "source": {
                "name": self.source.name,
                "sheet": self.source.sheet,
                "sha256": self.source.sha256,
                "part_of": self.part_of,
            },
            "total": self.total,
            "scored": self.scored,
            "adjudicated": self.adjudicated,
            "held": self.held,
            "invalid": self.invalid,
            "blank_rows": self.blank_rows,
            "coverage": self.coverage,
            "complete": self.complete,
        }
        if rate is not None:
            found |= {
                "passed": self.passed,
                "failed": self.scored - rate.numerator,
                "pass_rate": {
                    "value": rate.value,
                    "numerator": rate.numerator,
                    "denominator": rate.denominator,
                    "scope": rate.scope,
                    "interval95": rate.interval95 and list(rate.interval95),
                },
                "full_pass_rate_bounds": bounds and list(bounds),
            }
        else:
            found["convention"] = self.convention
        return found | {
            "reasons": dict(self.reasons),
            "notes": [
                {"code": note.code, "text": note.text, "cells": list(note.cells)}
                for note in self.notes
            ],
            "options": dict(self.options),
            "version": self.version,
        }


def count(
    evaluation: Evaluation, notes: Sequence[Note], options: Mapping[str, Any], version: str
) -> Coverage:
    """Count an evaluation's outcomes."""
    ends = dict.fromkeys(DISPOSITIONS, 0)
    reasons: dict[str, int] = {}
    passed = adjudicated = 0
    for outcome, number in evaluation.tally():
        ends[outcome.disposition] += number
        passed += number if outcome.passed else 0
        adjudicated += number if outcome.adjudicated and outcome.disposition == "scored" else 0
        if outcome.reasons and number:
            reasons[outcome.reasons[0]] = reasons.get(outcome.reasons[0], 0) + number
    sheet = evaluation.sheet
    return Coverage(
        task=sheet.task,
        source=sheet.source,
        total=sum(ends.values()),
        **ends,
        blank_rows=sheet.blank_rows,
        reasons=dict(sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))),
        notes=notes,
        options=options,
        version=version,
        passed=passed if sheet.task == "answer-key" else None,
        part_of=None if sheet.part is None else sheet.part.total,
        adjudicated=adjudicated,
    )


def wilson(successes: int, trials: int) -> tuple[float, float] | None:
    """Give Wilson's 95% score interval of a share; None where nothing was tried."""
    if not trials:
        return None
    share_of = successes / trials
    spread = _Z95**2 / trials
    centre = (share_of + spread / 2) / (1 + spread)
    half = _Z95 * math.sqrt(share_of * (1 - share_of) / trials + spread / (4 * trials))
    half /= 1 + spread
    # Exact at the ends, where rounding would leave a hair beside 0 or 1.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == trials else min(1.0, centre + half)
    return low, high


def percentage(value: float) -> str:
    """Write a share with one decimal; 100.0% and 0.0% only where it is exactly that."""
    if 0 < value < 1:
        return f"{min(max(value, 0.001), 0.999):.1%}"
    return f"{value:.1%}"


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
