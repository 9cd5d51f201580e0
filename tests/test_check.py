"""The check before a sheet is handed in: what a run would say, grouped, and nothing written."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalbatch import checking
from evalbatch.cli import main
from evalbatch.findings import find
from evalbatch.result import Result
from tests import sheets

KEY = """\
id,state,expected,answer,note
a,agreed,yes,TRUE,
b,agreed,pass,TRUE,
c,agreed,yes,,
d,disputed,,,
d,agreed,TRUE,TRUE,
e,agreed,TRUE,TRUE,
f,disputed,x,,
g,agreed,TRUE,TRUE,a,b
,agreed,TRUE,yes,
"""
SPANS = """\
id,text,struck
a,x,false
b,,no
a,y,false
c,z,no
,q,true
d,v,true
"""
ARRAYS = """\
id;spans
a;[{"text": "x", "struck": 1}, {"text": 7, "struck": true}]
b;[{"text": 7, "struck": false}]
b;[]
c;x
d;[]
"""


def found(result: Result) -> list[tuple[Any, ...]]:
    """Give the findings as rows."""
    return [(one.reason, one.what, *one.cells) for one in find(result.evaluation)]


def test_findings_of_a_key(tmp_path: Path) -> None:
    """By reason, then by what stands there, the most frequent first; held cases last."""
    yes = "expected is the text 'yes'"
    assert found(sheets.run(tmp_path, KEY)) == [
        ("expected-not-boolean", yes, "C2", "C4"),
        ("expected-not-boolean", "expected is the text 'pass'", "C3"),
        ("id-duplicate", "the id 'd' is in rows 5, 6", "A5", "A6"),
        ("answer-missing", "answer is absent", "D4"),
        ("answer-not-boolean", "answer is the text 'yes'", "D10"),
        ("id-missing", "id is absent", "A10"),
        (
            "row-malformed",
            "row 9: expected 5 cells and found 6; surplus: 'b'; delete it, or quote the cell that "
            "holds the delimiter",
            "row 9",
        ),
        ("disputed", "The reviewers do not agree on the label", "A8"),
    ]


def test_findings_of_spans(tmp_path: Path) -> None:
    """Faults of a field as such are told with all its rows."""
    assert found(sheets.run(tmp_path, SPANS)) == [
        ("field-scattered", "the rows of the field 'a' stand apart (rows 2, 4)", "A2", "A4"),
        ("observation-label", "struck is the text 'no'", "C3", "C5"),
        ("id-missing", "id is absent", "A6"),
        ("observation-text", "text is absent", "B3"),
        ("rows-without-id", "no id in row 6 below, which may belong to the field 'c'", "A5"),
        ("review-none", "No text of the field is unstruck, so that it has no current text", "A7"),
    ]


def test_findings_of_json_cells(tmp_path: Path) -> None:
    """Each with its span."""
    assert found(sheets.run(tmp_path, ARRAYS)) == [
        ("id-duplicate", "the id 'b' is in rows 3, 4", "A3", "A4"),
        ("observation-text", "text is the number 7", "B2 span 2", "B3 span 1"),
        ("observation-label", "struck is the number 1", "B2 span 1"),
        ("spans-not-json", "spans is no JSON: Expecting value at line 1, column 1", "B5"),
        ("review-none", "No text of the field is unstruck, so that it has no current text", "A6"),
    ]


def test_each_invalid_case_has_a_finding_for_each_of_its_reasons(tmp_path: Path) -> None:
    """A finding is told wherever the invalid sheet tells a problem, in the same words."""
    for text in (KEY, SPANS, ARRAYS):
        result = sheets.run(tmp_path, text)
        told = " ".join(result.invalid["problem"])
        for one in find(result.evaluation):
            if one.disposition == "invalid":
                assert one.what in told
                assert all(cell.split()[0] in told for cell in one.cells)


def test_the_words_of_a_check(tmp_path: Path) -> None:
    """The statement first, then each group with the edit or option that mends it."""
    lines = list(checking.lines("sheet.csv", sheets.run(tmp_path, KEY)))
    assert lines[:7] == [
        "sheet.csv: 1 of 1 scored cases passed; 1 of 9 cases scored (11.1%), 1 held, 7 invalid: "
        "not the full evaluation, whose pass rate lies between 11.1% and 100.0%.",
        "",
        "expected-not-boolean (invalid), 3 cells",
        "  expected is the text 'yes': C2, C4",
        "    it must be TRUE or FALSE (if this one means TRUE here, run with --true yes)",
        "  expected is the text 'pass': C3",
        "    it must be TRUE or FALSE",
    ]
    assert lines[-1].startswith("  expected and answer hold words that look like Booleans")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("id,state,expected,answer\na,agreed,TRUE,TRUE\n", 0, id="sound"),
        pytest.param("id,state,expected,answer\na,disputed,,\n", 0, id="held-is-no-fault"),
        pytest.param(KEY, 1, id="invalid"),
        pytest.param("id,state\na,b\n", 2, id="no-sheet"),
    ],
)
def test_the_exit_code(tmp_path: Path, text: str, code: int) -> None:
    """1 if anything is invalid; and nothing is written."""
    path = tmp_path / "key.csv"
    path.write_text(text)
    assert main(["check", str(path)]) == code
    assert list(tmp_path.iterdir()) == [path]


def test_several_sheets_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that cannot be read does not stop the others."""
    (tmp_path / "a.csv").write_text(KEY)
    assert main(["check", "--json", str(tmp_path / "nix.csv"), str(tmp_path / "a.csv")]) == 2
    first, second = json.loads(capsys.readouterr().out)
    assert first == {
        "name": "nix.csv",
        "error": f"{tmp_path / 'nix.csv'}: cannot be read: No such file or directory.",
    }
    assert second["coverage"]["invalid"] == 7
    assert second["findings"][0] == {
        "reason": "expected-not-boolean",
        "disposition": "invalid",
        "what": "expected is the text 'yes'",
        "mend": "it must be TRUE or FALSE (if this one means TRUE here, run with --true yes)",
        "cells": ["C2", "C4"],
        "count": 2,
    }


def test_each_sheet_is_checked_with_each_candidate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So that no sheet of answers goes unchecked."""
    (tmp_path / "key.csv").write_text("id,state,expected\na,agreed,TRUE\n")
    for name, word in (("good", "TRUE"), ("bad", "yes")):
        (tmp_path / f"{name}.csv").write_text(f"id,answer\na,{word}\n")
    answers = [f"--answers={tmp_path / name}.csv" for name in ("good", "bad")]
    assert main(["check", str(tmp_path / "key.csv"), *answers]) == 1
    assert "answer is the text 'yes': bad.csv B2" in capsys.readouterr().err
