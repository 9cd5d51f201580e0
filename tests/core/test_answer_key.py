"""The answer-key rule, as a truth table."""

import pytest

from evalbatch.core.answer_key import Judgement, evaluate, judge


@pytest.mark.parametrize(
    ("state", "expected", "answer", "judgement"),
    [
        pytest.param("agreed", True, True, Judgement("scored", True), id="agrees"),
        pytest.param("agreed", True, False, Judgement("scored", False), id="differs"),
        pytest.param("agreed", False, False, Judgement("scored", True), id="both-false"),
        pytest.param("disputed", True, True, Judgement("held"), id="disputed"),
        pytest.param("disputed", None, "junk", Judgement("held"), id="disputed-unread"),
        pytest.param(
            "pending", True, True, Judgement("invalid", None, ("state",)), id="other-state"
        ),
        pytest.param(
            "Agreed", True, True, Judgement("invalid", None, ("state",)), id="letter-case"
        ),
        pytest.param(None, True, True, Judgement("invalid", None, ("state",)), id="no-state"),
        pytest.param(
            "agreed", 1, True, Judgement("invalid", None, ("expected",)), id="one-is-not-true"
        ),
        pytest.param(
            "agreed", True, "true", Judgement("invalid", None, ("answer",)), id="text-is-not-true"
        ),
        pytest.param(
            "agreed", None, None, Judgement("invalid", None, ("expected", "answer")), id="absent"
        ),
        pytest.param(
            "", None, 0, Judgement("invalid", None, ("state", "expected", "answer")), id="all-wrong"
        ),
    ],
)
def test_judge(state: object, expected: object, answer: object, judgement: Judgement) -> None:
    """A case is scored only if it is agreed and both its Booleans are real."""
    assert judge(state, expected, answer) == judgement


def test_results_keep_the_input_order_and_repeated_ids() -> None:
    """Two cases with one id are two cases to the rule."""
    cases: list[dict[str, object]] = [
        {"id": "b", "state": "agreed", "expected": True, "answer": False},
        {"id": "a", "state": "disputed"},
        {"id": "b", "state": "agreed", "expected": True, "answer": True},
        {"state": "agreed"},
    ]
    assert evaluate(cases) == {
        "scored": [{"id": "b", "pass": False}, {"id": "b", "pass": True}],
        "held": ["a"],
        "invalid": [None],
    }
