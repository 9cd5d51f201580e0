"""The change of a pass rate between two evaluations, in two parts that add up."""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Scored:
    """How many cases were scored, and how many of them passed."""

    passed: int
    scored: int

    @property
    def rate(self) -> Fraction | None:
        """The pass rate; None where nothing was scored."""
        return Fraction(self.passed, self.scored) if self.scored else None


@dataclass(frozen=True, slots=True)
class RateChange:
    """The change of a pass rate, exactly: on the cases scored in both, and all the rest of it.

    The rest comes from which cases were scored, so that a smaller set never looks like progress.
    Each is None where there is no such figure: the whole where either evaluation scored nothing,
    the parts where no case was scored in both.
    """

    whole: Fraction | None
    same_cases: Fraction | None
    scored_set: Fraction | None


def change(old: Scored, new: Scored, old_common: Scored, new_common: Scored) -> RateChange:
    """Take a change apart; the common ones are the cases scored in both, with each one's passes."""
    if old.rate is None or new.rate is None:
        return RateChange(None, None, None)
    whole = new.rate - old.rate
    if old_common.rate is None or new_common.rate is None:
        return RateChange(whole, None, None)
    same = new_common.rate - old_common.rate
    return RateChange(whole, same, whole - same)
