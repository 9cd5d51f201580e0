"""The adjudication rule: only a complete decision that nothing contradicts settles a case."""

from typing import Any

import pytest

from evalbatch.core.adjudication import Basis, Decision, Ruling, weigh

ANN, BO = ("Ann", "2026-08-03"), ("Bo", "2026-08-04")


def decision(
    value: Any, who: tuple[str | None, str | None] = ANN, basis: Basis = "unknown"
) -> Decision:
    """Build a decision that is complete but for what is given as None."""
    return Decision(value, *who, basis)


@pytest.mark.parametrize(
    ("decisions", "ruling"),
    [
        pytest.param([decision(True)], Ruling(True, (), (0,)), id="complete"),
        pytest.param([decision(False)], Ruling(False, (), (0,)), id="complete-false"),
        pytest.param([decision(True), decision(True, BO)], Ruling(True, (), (0, 1)), id="agree"),
        pytest.param(
            [decision(True), decision(False, BO)], Ruling(None, ("conflict",)), id="differ"
        ),
        pytest.param([decision(None)], Ruling(None, ("incomplete",)), id="nothing-decided"),
        pytest.param([decision(True, (None, "x"))], Ruling(None, ("incomplete",)), id="no-name"),
        pytest.param([decision(True, ("Ann", None))], Ruling(None, ("incomplete",)), id="no-date"),
        pytest.param([decision("yes")], Ruling(None, ("not-boolean",)), id="word"),
        pytest.param([decision(1)], Ruling(None, ("not-boolean",)), id="one-is-not-true"),
        pytest.param([decision(True, ANN, "stale")], Ruling(None, ("stale",)), id="stale"),
        pytest.param(
            [decision("yes", (None, None), "stale")],
            Ruling(None, ("incomplete", "not-boolean", "stale")),
            id="all-that-is-wrong",
        ),
        pytest.param(
            [decision(True, (None, None)), decision(True, BO)],
            Ruling(True, (), (1,)),
            id="an-incomplete-one-that-agrees",
        ),
        pytest.param(
            [decision(False, (None, None)), decision(True, BO)],
            Ruling(None, ("conflict",)),
            id="an-incomplete-one-that-differs",
        ),
        pytest.param(
            [decision(True, ANN, "stale"), decision(False, BO)],
            Ruling(None, ("conflict",)),
            id="a-stale-one-that-differs",
        ),
        pytest.param(
            [decision(True, ANN, "stale"), decision(False, BO, "current")],
            Ruling(False, (), (1,)),
            id="decided-anew-of-the-case-as-it-is",
        ),
        pytest.param(
            [decision(True, ANN, "stale"), decision(False, BO, "current"), decision(True)],
            Ruling(None, ("conflict",)),
            id="decided-anew-and-contradicted",
        ),
        pytest.param(
            [decision(True, ANN, "stale"), decision(False, (None, None), "current")],
            Ruling(None, ("incomplete", "conflict", "stale")),
            id="decided-anew-without-a-name",
        ),
        pytest.param(
            [decision("yes"), decision(True, BO)],
            Ruling(None, ("not-boolean",)),
            id="a-word-beside-a-complete-one",
        ),
    ],
)
def test_decisions_on_a_label(decisions: list[Decision], ruling: Ruling) -> None:
    """Held unless one settles it; and the order of the decisions never matters."""
    assert weigh(decisions, bool) == ruling
    turned = weigh(decisions[::-1], bool)
    assert (turned.value, set(turned.faults)) == (ruling.value, set(ruling.faults))


@pytest.mark.parametrize(
    ("values", "ruling"),
    [
        pytest.param(["12"], Ruling("12", (), (0,)), id="text"),
        pytest.param([""], Ruling("", (), (0,)), id="known-blank"),
        pytest.param([14], Ruling(None, ("not-text",)), id="number"),
        pytest.param([True], Ruling(None, ("not-text",)), id="Boolean"),
        pytest.param(["12", "12 "], Ruling(None, ("conflict",)), id="a-space-is-a-difference"),
    ],
)
def test_decisions_on_a_field(values: list[Any], ruling: Ruling) -> None:
    """The decision is the current text, exactly."""
    assert weigh([decision(value) for value in values], str) == ruling
