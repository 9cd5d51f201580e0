"""The edit-mark rule, as a truth table."""

from typing import Any

import pytest

from evalbatch.core.edit_marks import evaluate


def span(text: object, struck: object) -> dict[str, object]:
    """Make one span."""
    return {"text": text, "struck": struck}


def read(old: list[str], candidates: list[str], current: str | None, status: str) -> dict[str, Any]:
    """Make the result of a field without an error."""
    return {"old": old, "current": current, "candidates": candidates, "status": status}


@pytest.mark.parametrize(
    ("spans", "result"),
    [
        pytest.param([], read([], [], None, "review"), id="no-spans"),
        pytest.param([span("14", False)], read([], ["14"], "14", "accepted"), id="one"),
        pytest.param([span("", False)], read([], [""], "", "accepted"), id="known-blank"),
        pytest.param([span("12", True)], read(["12"], [], None, "review"), id="all-struck"),
        pytest.param(
            [span("12", True), span("13", True), span("14", False)],
            read(["12", "13"], ["14"], "14", "accepted"),
            id="replaced-twice",
        ),
        pytest.param(
            [span("14", False), span("14", False)],
            read([], ["14", "14"], None, "review"),
            id="the-same-twice-is-still-two",
        ),
        pytest.param(
            [span("", False), span("14", False)],
            read([], ["", "14"], None, "review"),
            id="a-blank-is-a-candidate",
        ),
        pytest.param([span(None, False)], {"error": "observation-text"}, id="null-text"),
        pytest.param([{"struck": False}], {"error": "observation-text"}, id="absent-text"),
        pytest.param([span(14, False)], {"error": "observation-text"}, id="number-text"),
        pytest.param([span("14", "false")], {"error": "observation-label"}, id="text-mark"),
        pytest.param([span("14", 0)], {"error": "observation-label"}, id="number-mark"),
        pytest.param([{"text": "14"}], {"error": "observation-label"}, id="absent-mark"),
        pytest.param(
            [span("14", None), span(None, True)],
            {"error": "observation-text"},
            id="texts-before-marks",
        ),
    ],
)
def test_evaluate(spans: list[dict[str, object]], result: dict[str, Any]) -> None:
    """Exactly one unstruck text is the current one; nothing else ever is."""
    assert evaluate(spans) == result
