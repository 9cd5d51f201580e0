"""What was: runs, their sheets, a case's way through them, and cases that are held."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalbatch.history.runs import End


@dataclass(frozen=True, slots=True)
class SheetFigures:
    """A sheet in a run: its coverage as in coverage.json, or the error with which it failed."""

    name: str
    error: str | None
    coverage: Mapping[str, Any] | None
    unmet: tuple[str, ...]
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A recorded run, and the times at which it was run over again with nothing changed.

    Times are local ones, as ISO 8601 with the offset from UTC.
    """

    number: int
    job: str
    ended: str
    version: str
    repeats: tuple[str, ...]
    sheets: tuple[SheetFigures, ...]

    @property
    def last_ended(self) -> str:
        """When it was run last, itself or over again."""
        return self.repeats[-1] if self.repeats else self.ended


@dataclass(frozen=True, slots=True)
class Step:
    """A case in one run: its end, or the error of its sheet; neither where it was not there."""

    run: Run
    end: End | None
    error: str | None = None

    def __str__(self) -> str:
        if self.error is not None:
            return f"the sheet failed: {self.error}"
        if self.end is None:
            return "not in the sheet"
        if self.end.passed is None:
            return f"{self.end.disposition} {self.end.reason}".rstrip()
        why = f" ({self.end.reason})" if self.end.reason else ""
        return f"{self.end.disposition}, {'passed' if self.end.passed else 'failed'}{why}"


@dataclass(frozen=True, slots=True)
class CasePath:
    """A case of one sheet, with a step for each run that had the sheet since it first had it."""

    case: str
    job: str
    sheet: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A case that is held now: since which run without a break, and in how many runs.

    `days` lie between that run and the latest time that the job was run. A run in which its sheet
    failed breaks nothing.
    """

    case: str
    job: str
    sheet: str
    reason: str
    since: Run
    runs: int
    days: int
