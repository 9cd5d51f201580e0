"""Gates: what a run was asked to reach, judged on the full set and never on its scored part."""

from dataclasses import dataclass

from evalbatch.coverage import Coverage, percentage
from evalbatch.errors import EvalbatchError
from evalbatch.records import Task


@dataclass(frozen=True, slots=True)
class Gates:
    """The gates asked for; None or False for those that were not.

    A part is judged against the whole evaluation that it comes from: what stands elsewhere counts
    as not scored and not passed.
    """

    require_complete: bool = False
    min_coverage: float | None = None
    min_pass_rate: float | None = None

    def refuse_meaningless(self, task: Task) -> None:
        """Raise EvalbatchError for a gate that the task has no figure for."""
        if self.min_pass_rate is not None and task != "answer-key":
            raise EvalbatchError("--min-pass-rate: spans have no pass rate; use --min-coverage.")

    def unmet(self, found: Coverage) -> list[str]:
        """Say which gates are not met, and by how much."""
        whole = max(found.total, found.part_of or 0)
        lines = []
        if self.require_complete and not found.complete:
            lines.append(f"--require-complete; {found.scored} of {whole} scored")
        if self.min_coverage is not None and found.scored < self.min_coverage * whole:
            lines.append(
                f"--min-coverage {self.min_coverage}; {found.scored} of {whole} scored "
                f"({percentage(found.scored / whole)})"
            )
        passed = found.passed or 0
        if self.min_pass_rate is not None and passed < self.min_pass_rate * whole:
            lines.append(
                f"--min-pass-rate {self.min_pass_rate}; {passed} of {whole} are known to pass "
                f"({percentage(passed / whole)}), whatever becomes of the rest"
            )
        return lines
