"""What the drawings of a page show: a bar of counts, and shares on an axis from 0% to 100%."""

from typing import NamedTuple

from evalbatch.coverage import Coverage, percentage
from evalbatch.words import counted


class Segment(NamedTuple):
    """A part of a bar: `number` of `total`, beginning where the parts before it end.

    `kind` chooses its pattern: passed, failed, scored, held or invalid. `begin` and `size` are
    shares of the bar.
    """

    kind: str
    label: str
    meaning: str
    number: int
    total: int
    begin: float

    @property
    def size(self) -> float:
        """Its share of the bar."""
        return self.number / self.total if self.total else 0.0


class Mark(NamedTuple):
    """Something drawn on the axis: a point with an interval around it, or a range alone.

    `low`, `high` and `at` are shares, and None where there is nothing to draw; `words` say the same
    with the denominators, and `label` is short enough to stand in the drawing.
    """

    label: str
    words: str
    low: float | None = None
    high: float | None = None
    at: float | None = None


def coverage_bar(coverage: Coverage) -> list[Segment]:
    """Show where every case or field ended."""
    found = coverage
    return bar(found.total, found.scored, found.held, found.invalid, found.passed)


def bar(total: int, scored: int, held: int, invalid: int, passed: int | None) -> list[Segment]:
    """Show counts that add up to `total`; `passed` of the scored ones, None for fields."""
    if passed is None:
        parts = [("scored", "Scored", "one current text, and no more", scored)]
    else:
        parts = [
            ("passed", "Scored, passed", "the answer is the label", passed),
            ("failed", "Scored, failed", "the answer is not the label", scored - passed),
        ]
    parts += [
        ("held", "Held", "to be settled by the reviewers", held),
        ("invalid", "Invalid", "to be mended in the sheet", invalid),
    ]
    segments: list[Segment] = []
    before = 0
    for kind, label, meaning, number in parts:
        begin = before / total if total else 0.0
        segments.append(Segment(kind, label, meaning, number, total, begin))
        before += number
    return segments


def pass_rate_marks(coverage: Coverage) -> list[Mark]:
    """Show the pass rate of the scored cases, and between what that of all of them lies.

    Spans have no pass rate, and no marks.
    """
    rate, bounds = coverage.pass_rate, coverage.full_pass_rate_bounds
    if rate is None or bounds is None:
        return []
    low, high = rate.interval95 or (None, None)
    words = str(rate)
    label = "scored cases only" if coverage.scored else "scored cases only: n/a"
    return [
        Mark(label, words[0].upper() + words[1:], low, high, rate.value),
        _bounds(coverage, rate.numerator, *bounds),
    ]


def _bounds(coverage: Coverage, passed: int, low: float, high: float) -> Mark:
    is_part = coverage.part_of is not None
    label = "all cases of this part" if is_part else "full evaluation"
    name = f"Pass rate of {label}" if is_part else f"Pass rate of the {label}"
    missing = coverage.total - coverage.scored
    if not missing:
        words = f"{percentage(low)} ({passed:,} of {coverage.total:,}), for each of them is scored"
    else:
        words = (
            f"between {percentage(low)} and {percentage(high)} ({passed:,} to "
            f"{passed + missing:,} of {coverage.total:,}), whatever becomes of the "
            f"{counted(missing, 'case')} not scored"
        )
    return Mark(label, f"{name}: {words}", low, high)
