"""Several candidates on one key: compared only over the cases that all of them have scored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from evalbatch.arrow import Mask
from evalbatch.coverage import PassRate, percentage, wilson
from evalbatch.errors import EvalbatchError
from evalbatch.result import Result
from evalbatch.words import fold, shown

OWN_FILES = ("comparison.csv", "comparison.xlsx", "report.html", "manifest.json")
"""What stands beside the candidates' folders."""


@dataclass(frozen=True)
class Candidates:
    """The results of at least two candidates by name, on one key.

    `folder` is where they were published, None if they were not.
    """

    results: Mapping[str, Result]
    folder: Path | None = None

    @cached_property
    def common(self) -> int:
        """How many cases all candidates have scored."""
        return int(self._in_common.sum())

    @property
    def total(self) -> int:
        """How many cases the key has."""
        return len(self._in_common)

    @property
    def statement(self) -> str:
        """What the comparison is over, in one sentence."""
        share = percentage(self.common / self.total)
        return (
            f"{len(self.results)} candidates, compared over {self._scope} ({share}); each one's "
            "own coverage stands beside it."
        )

    def pass_rate(self, name: str) -> PassRate:
        """Give a candidate's pass rate over the cases that all have scored."""
        passed = int((_passed(self.results[name]) & self._in_common).sum())
        value = passed / self.common if self.common else None
        return PassRate(value, passed, self.common, self._scope, wilson(passed, self.common))

    def rows(self) -> list[dict[str, Any]]:
        """Give the comparison as a table: one row a candidate, each figure with its denominator."""
        return [self._row(name, result) for name, result in self.results.items()]

    def as_dict(self) -> dict[str, Any]:
        """Give the comparison and each candidate's coverage, for a program."""
        coverage = {name: one.coverage.as_dict() for name, one in self.results.items()}
        return {"statement": self.statement, "comparison": self.rows(), "candidates": coverage}

    @property
    def _scope(self) -> str:
        number = len(self.results)
        who = "both candidates" if number == 2 else f"all {number} candidates"
        return f"the {self.common} of {self.total} cases that {who} have scored"

    @cached_property
    def _in_common(self) -> Mask:
        scored = [_ends(result, "scored") for result in self.results.values()]
        found: Mask = np.logical_and.reduce(scored)
        return found

    def _row(self, name: str, result: Result) -> dict[str, Any]:
        rate, own = self.pass_rate(name), result.coverage
        low, high = rate.interval95 or (None, None)
        least, most = own.full_pass_rate_bounds or (None, None)
        return {
            "candidate": name,
            "common_passed": rate.numerator,
            "common_scored": rate.denominator,
            "common_pass_rate": rate.value,
            "common_low95": low,
            "common_high95": high,
            "common_scope": rate.scope,
            "coverage": own.share,
            "passed": own.passed,
            "scored": own.scored,
            "adjudicated": own.adjudicated,
            "held": own.held,
            "invalid": own.invalid,
            "total": own.total,
            "full_pass_rate_low": least,
            "full_pass_rate_high": most,
            "unmatched": 0 if result.unmatched is None else len(result.unmatched.rows),
            "statement": own.statement,
        }

    def __str__(self) -> str:
        rates = [f"{name}: {self.pass_rate(name)}" for name in self.results]
        return "\n".join([self.statement, *rates])

    __repr__ = __str__


def candidate_names(paths: Sequence[Path]) -> list[str]:
    """Name each candidate by its file's stem. Raises EvalbatchError where two would be the same."""
    names: dict[str, Path] = {}
    for path in paths:
        taken = names.get(fold(path.stem))
        if taken is not None or path.stem in OWN_FILES or path.stem.startswith("."):
            why = f"is the name of {taken} too" if taken else "is no name for a results folder"
            raise EvalbatchError(
                f"--answers {path}: the candidate's name {shown(path.stem)} {why}; rename the file."
            )
        names[fold(path.stem)] = path
    return [path.stem for path in paths]


def _ends(result: Result, disposition: str) -> Mask:
    evaluation = result.evaluation
    ends = np.array([one.disposition == disposition for one in evaluation.outcomes], dtype=bool)
    found: Mask = ends[evaluation.codes]
    return found


def _passed(result: Result) -> Mask:
    evaluation = result.evaluation
    passes = np.array([bool(one.passed) for one in evaluation.outcomes], dtype=bool)
    found: Mask = passes[evaluation.codes]
    return found
