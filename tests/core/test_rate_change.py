"""The change of a pass rate: the same cases, and the set of cases."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from evalbatch.core.rate_change import RateChange, Scored, change

outcomes = st.lists(
    st.tuples(st.sampled_from([True, False, None]), st.sampled_from([True, False, None]))
)


def scored(passes: list[bool]) -> Scored:
    """Count some scored cases."""
    return Scored(sum(passes), len(passes))


def test_a_smaller_denominator_is_no_progress() -> None:
    """Two failing cases are no longer scored: the rate rises, and not one case is better."""
    found = change(Scored(2, 4), Scored(2, 2), Scored(2, 2), Scored(2, 2))
    assert found == RateChange(Fraction(1, 2), Fraction(0), Fraction(1, 2))


def test_without_a_common_case_there_are_no_parts() -> None:
    """Nothing is known of the same cases."""
    assert change(Scored(1, 2), Scored(1, 1), Scored(0, 0), Scored(0, 0)) == RateChange(
        Fraction(1, 2), None, None
    )


def test_without_a_scored_case_there_is_no_change() -> None:
    """No rate, no difference."""
    assert change(Scored(0, 0), Scored(1, 1), Scored(0, 0), Scored(0, 0)) == RateChange(
        None, None, None
    )


@given(outcomes)
def test_the_parts_add_up(cases: list[tuple[bool | None, bool | None]]) -> None:
    """Exactly, whatever was scored before and now."""
    common = [(old, new) for old, new in cases if old is not None and new is not None]
    found = change(
        scored([old for old, _ in cases if old is not None]),
        scored([new for _, new in cases if new is not None]),
        scored([old for old, _ in common]),
        scored([new for _, new in common]),
    )
    if common:
        assert found.same_cases is not None
        assert found.scored_set is not None
        assert found.whole == found.same_cases + found.scored_set
        fixed = sum(new and not old for old, new in common)
        regressed = sum(old and not new for old, new in common)
        assert found.same_cases == Fraction(fixed - regressed, len(common))
