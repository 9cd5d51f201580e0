"""`evalbatch.evaluate`: documents in, results out."""

import json
from pathlib import Path
from typing import Any

import pytest

import evalbatch
from evalbatch import EvalbatchError

CASES = Path(__file__).parent / "cases"


def filled_cases() -> list[Any]:
    """Give each filled case with its id."""
    return [
        pytest.param(case["input"], case["expected"], id=case["id"])
        for path in sorted(CASES.glob("*.json"))
        for case in json.loads(path.read_text())
    ]


@pytest.mark.parametrize(("document", "expected"), filled_cases())
def test_filled_cases_come_out_exactly(document: Any, expected: Any) -> None:
    """The worked-out cases hold, field for field."""
    assert evalbatch.evaluate(document) == expected


@pytest.mark.parametrize(
    ("document", "message"),
    [
        pytest.param({}, "no keys; it must be", id="empty"),
        pytest.param({"rows": []}, "'rows'; it must be", id="neither"),
        pytest.param({"cases": [], "spans": []}, "'cases', 'spans'; it must be", id="both"),
        pytest.param([], "is a list; it must be", id="a-list"),
        pytest.param({"cases": {}}, "cases is a dict; it must be a list", id="cases-no-list"),
        pytest.param({"spans": [1]}, "item 1 of spans is a int", id="span-no-object"),
    ],
)
def test_a_document_that_is_neither_is_refused(document: Any, message: str) -> None:
    """The error says what was found and what is wanted."""
    with pytest.raises(EvalbatchError, match=message):
        evalbatch.evaluate(document)
