"""The sheets out, written out as literal rows."""

import json
from pathlib import Path

import pytest

from evalbatch import EvalbatchError
from tests import sheets

KEY = """\
id,state,note,expected,answer
C1,agreed,"neat, mostly",TRUE,true
C2,disputed,,,FALSE
C3,agreed,=SUM(A1),pass,true
C4,agreed,"",FALSE,true
"""
SPANS = """\
field_id,page,text,struck
F1,1,12,TRUE
F1,1,14,FALSE
F2,1,[Blank],FALSE
F3,2,a,FALSE
F3,3,"b ""c"", d",FALSE
F4,3,,FALSE
"""


def test_sheets_of_an_answer_key(tmp_path: Path) -> None:
    """The input's columns as they were, then the result's."""
    out = sheets.publish(tmp_path, KEY)
    assert (out / "scored.csv").read_text() == (
        "id,state,note,expected,answer,pass,coverage,source_row\n"
        'C1,agreed,"neat, mostly",TRUE,true,true,2 of 4,2\n'
        'C4,agreed,"",FALSE,true,false,2 of 4,5\n'
    )
    assert (out / "held.csv").read_text() == (
        "id,state,note,expected,answer,reason,decision,decided_by,decided_on,decision_note,coverage,"
        "source_row\n"
        "C2,disputed,,,FALSE,disputed,,,,,2 of 4,3\n"
    )
    assert (out / "invalid.csv").read_text() == (
        "id,state,note,expected,answer,reason,problem,coverage,source_row\n"
        "C3,agreed,'=SUM(A1),pass,true,expected-not-boolean,"
        "D4: expected is the text 'pass'; it must be TRUE or FALSE,2 of 4,4\n"
    )


def test_sheets_of_spans(tmp_path: Path) -> None:
    """One row a field; an invalid field keeps its own rows."""
    out = sheets.publish(tmp_path, SPANS)
    assert sheets.rows(out / "scored.csv") == [
        ["id", "current", "old", "candidates", "status", "spans", "page", "coverage", "source_row"],
        [
            "F1", "14", '["12"]', '["14"]', "accepted",
            '[{"text": "12", "struck": true}, {"text": "14", "struck": false}]', "1", "2 of 4", "2",
        ],
        [
            "F2", "[blank]", "[]", '[""]', "accepted",
            '[{"text": "", "struck": false}]', "1", "2 of 4", "4",
        ],
    ]  # fmt: skip
    assert sheets.rows(out / "held.csv")[1:] == [
        [
            "F3", "", "[]", '["a", "b \\"c\\", d"]', "review",
            '[{"text": "a", "struck": false}, {"text": "b \\"c\\", d", "struck": false}]',
            '["2", "3"]', "review-several", "", "", "", "", "2 of 4", "5",
        ]
    ]  # fmt: skip
    [header, row] = sheets.rows(out / "invalid.csv")
    assert header[:5] == ["field_id", "page", "text", "struck", "reason"]
    assert row[:5] == ["F4", "3", "", "FALSE", "observation-text"]


def test_results_json_of_an_answer_key(tmp_path: Path) -> None:
    """The evaluator's own result, with the coverage beside it."""
    found = sheets.results(sheets.publish(tmp_path, KEY))
    assert found.pop("coverage")["total"] == 4
    assert found == {
        "scored": [{"id": "C1", "pass": True}, {"id": "C4", "pass": False}],
        "held": ["C2"],
        "invalid": ["C3"],
    }


def test_results_json_of_spans(tmp_path: Path) -> None:
    """Texts are exact, and an invalid field has its deciding reason."""
    found = sheets.results(sheets.publish(tmp_path, SPANS + ",x,y,\n"))
    assert [field["current"] for field in found["scored"]] == ["14", ""]
    assert found["held"][0]["candidates"] == ["a", 'b "c", d']
    assert found["invalid"] == [
        {"id": "F4", "error": "rows-without-id"},
        {"id": None, "error": "id-missing"},
    ]


def test_all_sheets_are_written_even_if_empty(tmp_path: Path) -> None:
    """A sheet without rows has its header."""
    out = sheets.publish(tmp_path, KEY.split("C2")[0])
    assert len(sheets.rows(out / "held.csv")) == len(sheets.rows(out / "invalid.csv")) == 1


def test_the_delimiter_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    """The input's delimiter, CRLF, and a BOM only where a sheet holds other than ASCII."""
    text = "id;text;struck;note\na;x;false;\nb;x;;é\n"
    out = sheets.publish(tmp_path, text)
    scored, invalid = ((out / name).read_bytes() for name in ("scored.csv", "invalid.csv"))
    assert scored.startswith(b"id;current;")
    assert scored.count(b"\r\n") == scored.count(b"\n") == 2
    assert invalid.startswith(b"\xef\xbb\xbfid;text;")
    without = sheets.publish(tmp_path, text, bom=False)
    assert (without / "invalid.csv").read_bytes() == invalid.removeprefix(b"\xef\xbb\xbf")


def test_input_columns_named_like_result_columns_are_kept(tmp_path: Path) -> None:
    """They get another name, and so are not taken for a result."""
    out = sheets.publish(tmp_path, "id,state,expected,answer,Pass,reason\na,agreed,true,true,x,y\n")
    assert sheets.rows(out / "scored.csv") == [
        ["id", "state", "expected", "answer", "Pass (input)", "reason (input)", "pass", "coverage",
         "source_row"],
        ["a", "agreed", "true", "true", "x", "y", "true", "1 of 1", "2"],
    ]  # fmt: skip


def test_repeated_headers_are_carried_as_they_are(tmp_path: Path) -> None:
    """Neither renamed nor joined."""
    out = sheets.publish(tmp_path, "id,note,text,struck,note\na,1,t,false,2\n")
    assert [row[6:8] for row in sheets.rows(out / "scored.csv")] == [["note", "note"], ["1", "2"]]


def test_typed_faults_are_written_with_their_type(tmp_path: Path) -> None:
    """In CSV they would read as something else; other typed cells need no mark."""
    items = [
        {"id": "a", "state": "agreed", "expected": "TRUE", "answer": 1, "n": 1.50, "d": None},
        {"id": 7, "state": "Agreed", "expected": True, "answer": False, "n": True, "d": [1, "x"]},
    ]
    out = sheets.publish(tmp_path, json.dumps(items), "s.json")
    assert [row[:6] for row in sheets.rows(out / "invalid.csv")] == [
        ["id", "state", "expected", "answer", "n", "d"],
        ["a", "agreed", "TRUE (text)", "1 (number)", "1.5", ""],
        ["7 (number)", "Agreed (text)", "true", "false", "true", '[1, "x"]'],
    ]


def test_words_are_marked_only_where_they_would_be_read_as_marked(tmp_path: Path) -> None:
    """In an id or a text; elsewhere they are a fault in either reading."""
    rows = "a (text),agreed,TRUE (text),true\n14 (number),agreed,true,true\n"
    out = sheets.publish(tmp_path, "id,state,expected,answer\n" + rows)
    assert sheets.rows(out / "invalid.csv")[1][:3] == ["a (text) (text)", "agreed", "TRUE (text)"]
    assert sheets.rows(out / "scored.csv")[1][0] == "14 (number)"


def test_header_names_that_would_run_come_back(tmp_path: Path) -> None:
    """Escaped once, however often they are fed back, and found under their own name."""
    text = "id,state,=gold,answer,=n\na,agreed,x,true,1\n"
    columns = {"expected": "=gold"}
    first = sheets.publish(tmp_path, text, columns=columns)
    header = sheets.rows(first / "invalid.csv")[0][:5]
    assert header == ["id", "state", "'=gold", "answer", "'=n"]
    part = (first / "invalid.csv").read_bytes()
    again = sheets.publish(tmp_path, part, "part.csv", columns=columns)
    assert sheets.rows(again / "invalid.csv")[0][:5] == header


def test_a_cell_that_was_sound_is_sound_in_the_part(tmp_path: Path) -> None:
    """The result columns do not make a line of a note look like a row of the sheet."""
    note = '"x\nq,agreed,TRUE,TRUE,a,b"'
    out = sheets.publish(tmp_path, f"id,state,expected,answer,note\na,agreed,true,true,{note}\n")
    assert len(sheets.run(tmp_path, (out / "scored.csv").read_bytes(), "part.csv").scored) == 1


def test_a_part_says_that_it_is_one_however_often(tmp_path: Path) -> None:
    """The number of cases of the first evaluation survives parts of parts."""
    out = sheets.publish(tmp_path, KEY)
    scored = (out / "scored.csv").read_text()
    one = sheets.publish(tmp_path, scored, "part.csv")
    half = "".join((one / "scored.csv").read_text().splitlines(keepends=True)[:2])
    two = sheets.publish(tmp_path, half, "part of part.csv")
    assert [row[-2] for row in sheets.rows(one / "scored.csv")[1:]] == ["2 of 2, part of 4"] * 2
    assert [row[-2] for row in sheets.rows(two / "scored.csv")[1:]] == ["1 of 1, part of 4"]
    assert sheets.coverage(two)["statement"] == (
        "Part of an evaluation of 4 cases: 1 of 1 scored cases passed; 1 of 1 cases of this part "
        "scored (100.0%), 0 held, 0 invalid: not the full evaluation; the pass rate of this part "
        "is 100.0%."
    )


def test_decisions_typed_into_a_part_are_kept_wherever_the_case_ends(tmp_path: Path) -> None:
    """They are a reviewer's work, even if the case is not held any more."""
    part = (
        "id,state,expected,answer,reason,decision,decided_by,decided_on,decision_note,coverage,"
        "source_row\n"
        "a,disputed,,true,disputed,TRUE,Ann,,,0 of 3,2\n"
        "b,agreed,TRUE,true,disputed,TRUE,Bo,,'-x,0 of 3,3\n"
        "c,agreed,,true,disputed,FALSE,Cy,,,0 of 3,4\n"
    )
    again = sheets.publish(tmp_path, part, "held.csv")
    share = "1 of 3, part of 3"
    assert [sheets.rows(again / f"{one}.csv")[1] for one in ("scored", "held", "invalid")] == [
        ["b", "agreed", "TRUE", "true", "TRUE", "Bo", "", "'-x", "true", share, "3"],
        ["a", "disputed", "", "true", "disputed", "TRUE", "Ann", "", "", share, "2"],
        [
            "c", "agreed", "", "true", "FALSE", "Cy", "", "", "expected-missing",
            "C4: expected is absent; enter TRUE or FALSE", share, "4",
        ],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        pytest.param(("1 of 5", "1 of 7"), "different evaluations, of 5, 7 cases", id="two"),
        pytest.param(("", ""), "no row says of how many cases", id="none"),
    ],
)
def test_a_part_that_does_not_say_of_what_is_refused(
    tmp_path: Path, shares: tuple[str, str], message: str
) -> None:
    """Whose part it is would be a guess."""
    header = "id,text,struck,reason,problem,coverage,source_row\n"
    rows = [f"{i},,false,observation-text,x,{share},2\n" for i, share in enumerate(shares)]
    with pytest.raises(EvalbatchError, match=message):
        sheets.run(tmp_path, header + "".join(rows))


def test_a_malformed_row_stays_so_in_a_part_until_it_is_cleared(tmp_path: Path) -> None:
    """Its cells do not show any more that one was left over."""
    out = sheets.publish(tmp_path, "id,state,expected,answer\na,agreed,true,true,false\n")
    part = (out / "invalid.csv").read_text()
    again = sheets.run(tmp_path, part, "part.csv")
    assert list(again.invalid["reason"]) == ["row-malformed"]
    assert "clear this reason cell" in again.invalid["problem"][0]
    assert "surplus: 'false'" in again.invalid["problem"][0]
    mended = sheets.run(tmp_path, part.replace("row-malformed", ""), "part.csv")
    assert len(mended.scored) == 1


@pytest.mark.parametrize(
    ("header", "row"),
    [
        pytest.param("id,text,struck,coverage", "a,x,false,3 of 5", id="coverage-left"),
        pytest.param(
            "id,text,struck,reason,problem", "a,x,false,row-malformed,x", id="reason-left"
        ),
    ],
)
def test_sheets_that_were_joined_or_trimmed_are_refused(
    tmp_path: Path, header: str, row: str
) -> None:
    """What was malformed, or of how many cases it is a part, cannot be told any more."""
    with pytest.raises(EvalbatchError, match="sheets have been joined, or columns removed"):
        sheets.run(tmp_path, f"{header}\n{row}\n")


def test_a_part_larger_than_its_whole_is_refused(tmp_path: Path) -> None:
    """Its share would pass for more than everything."""
    part = "id,state,expected,answer,pass,coverage,source_row\na,agreed,true,true,true,1 of 1,2\n"
    with pytest.raises(EvalbatchError, match="the part has 2 cases, and the evaluation that"):
        sheets.run(tmp_path, part + "b,agreed,true,true,,,\n")


def test_what_is_typed_into_a_part_and_not_read_is_noted(tmp_path: Path) -> None:
    """A reviewer must not think that it counted."""
    part = (
        "id,current,old,candidates,status,spans,reason,decision,decided_by,decided_on,"
        "decision_note,coverage,source_row\n"
        "a,x,[],[],,[],,y,,,,0 of 5,2\n"
        "b,,,,,[],,,,,,,\n"
    )
    found = sheets.run(tmp_path, part).coverage
    assert [(note.code, note.cells) for note in found.notes] == [
        ("decisions-kept", ("H2",)),
        ("current-not-read", ("B2",)),
        ("rows-added-to-part", ("L3",)),
    ]
