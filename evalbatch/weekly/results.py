"""What a weekly run came to."""

from dataclasses import dataclass

from evalbatch.history.record import Recorded
from evalbatch.history.runs import SheetRun
from evalbatch.weekly.job import Job


@dataclass(frozen=True, slots=True)
class Batch:
    """What a weekly run came to.

    `skipped` are files that a glob matched and that are no sheets, with why; `gone` the sheets that
    the run before had, and that the job does not name any more. `recorded` says where the run
    stands in the history.
    """

    job: Job
    sheets: tuple[SheetRun, ...]
    skipped: tuple[tuple[str, str], ...]
    gone: tuple[str, ...]
    recorded: Recorded

    @property
    def failed(self) -> list[SheetRun]:
        """The sheets that could not be evaluated or published."""
        return [sheet for sheet in self.sheets if sheet.error is not None]

    @property
    def unmet(self) -> list[SheetRun]:
        """The sheets that miss a gate."""
        return [sheet for sheet in self.sheets if sheet.unmet]

    @property
    def passed(self) -> bool:
        """Whether every sheet was evaluated and meets its gates."""
        return not self.failed and not self.unmet
