"""`evalbatch verify`: worked-out cases, compared type for type."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalbatch import EvalbatchError
from evalbatch.cli import main
from evalbatch.verification import same, verify
from tests import sheets

CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize(("name", "count"), [("spans.json", 6), ("answer_key.json", 3)])
def test_filled_cases_as_json_and_as_a_sheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, count: int
) -> None:
    """Both give the same, and exit 0."""
    cases = json.loads((CASES / name).read_text())
    rows = [[case["id"], json.dumps(case["input"]), json.dumps(case["expected"])] for case in cases]
    sheet = tmp_path / "cases.csv"
    sheet.write_bytes(sheets.csv_bytes([["id", "input", "expected"], *rows]))
    for path in (CASES / name, sheet):
        assert main(["verify", str(path)]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed == {"checked": count, "caseIds": [case["id"] for case in cases]}


def test_a_wrong_expected_value_exits_1_and_shows_the_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """For a program on stdout, for a person on stderr."""
    cases = json.loads((CASES / "spans.json").read_text())
    cases[0]["expected"]["current"] = "15"
    path = tmp_path / "cases.json"
    path.write_text(json.dumps(cases))
    assert main(["verify", str(path)]) == 1
    output = capsys.readouterr()
    [mismatch] = json.loads(output.out)["mismatches"]
    assert (mismatch["id"], mismatch["expected"]["current"], mismatch["actual"]["current"]) == (
        "one-replacement", "15", "14",
    )  # fmt: skip
    assert '"current": "15"' in output.err
    assert '"current": "14"' in output.err


def test_null_is_an_expected_value_like_any_other(tmp_path: Path) -> None:
    """It only never comes out; and the list may stand under a key."""
    path = tmp_path / "cases.json"
    path.write_text('{"cases": [{"id": "a", "input": {"spans": []}, "expected": null}]}')
    assert [mismatch["expected"] for mismatch in verify(path)["mismatches"]] == [None]


@pytest.mark.parametrize(
    ("left", "right", "is_same"),
    [
        pytest.param({"a": [1, "x", None]}, {"a": [1, "x", None]}, True, id="same"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, True, id="key-order"),
        pytest.param(True, 1, False, id="true-is-not-1"),
        pytest.param(1, 1.0, False, id="1-is-not-1.0"),
        pytest.param([1, 2], [2, 1], False, id="list-order"),
        pytest.param({"a": None}, {}, False, id="null-is-not-absent"),
    ],
)
def test_same(left: Any, right: Any, is_same: bool) -> None:
    """Type for type, and key for key."""
    assert same(left, right) is is_same


@pytest.mark.parametrize(
    ("row", "message"),
    [
        pytest.param(["a", "{", "{}"], "B2: input is no JSON", id="input"),
        pytest.param(["a", '{"spans": []}', None], "C2: expected is no JSON", id="expected"),
        pytest.param(
            ["a", '{"rows": []}', "{}"], "the input of 'a': the document has", id="document"
        ),
        pytest.param([None, '{"spans": []}', "{}"], "A2: id is absent", id="no-id"),
        pytest.param(["a", "{}", "{}", "x"], "expected 3 cells and found 4", id="malformed"),
    ],
)
def test_a_sheet_that_cannot_be_checked_is_refused(
    tmp_path: Path, row: list[str | None], message: str
) -> None:
    """Where a case cannot be read, nothing is said of the others either."""
    path = tmp_path / "cases.csv"
    path.write_bytes(sheets.csv_bytes([["id", "input", "expected"], row]))
    with pytest.raises(EvalbatchError, match=message):
        verify(path)
