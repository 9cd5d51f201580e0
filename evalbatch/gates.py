"""Gates: what a run was asked to reach, judged on the full set and never on its scored part."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalbatch.coverage import Coverage, percentage
from evalbatch.errors import EvalbatchError
from evalbatch.records import Task

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates asked for; None or False for those that were not.

    A part is judged against the whole evaluation that it comes from: what stands elsewhere counts
    as not scored and not passed.
    """

    require_complete: bool = False
    min_coverage: "Fraction | None" = None
    min_pass_rate: "Fraction | None" = None

    def refuse_meaningless(self, task: Task) -> None:
        """Raise EvalbatchError for a gate that the task has no figure for."""
        if self.min_pass_rate is not None and task != "answer-key":
            raise EvalbatchError("--min-pass-rate: spans have no pass rate; use --min-coverage.")

    def unmet(self, found: Coverage) -> list[str]:
        """Say which gates are not met, and by how much."""
        whole = found.part_of or found.total
        lines = []
        if self.require_complete and not found.complete:
            lines.append(f"--require-complete; {found.scored} of {whole} scored")
        if self.min_coverage is not None and found.scored < self.min_coverage * whole:
            share = f"{found.scored} of {whole} scored ({percentage(found.scored / whole)})"
            lines.append(f"--min-coverage {float(self.min_coverage)}; {share}")
        passed = found.passed or 0
        if self.min_pass_rate is not None and passed < self.min_pass_rate * whole:
            share = f"{passed} of {whole} are known to pass ({percentage(passed / whole)})"
            lines.append(
                f"--min-pass-rate {float(self.min_pass_rate)}; {share}, whatever the rest does"
            )
        return lines
