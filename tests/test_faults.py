"""Faults of a sheet as such, which come before the evaluator, each with its rows and words."""

from pathlib import Path

import pytest

from evalbatch.result import Result
from tests import sheets

KEY = "id,state,expected,answer\n"
SPANS = "id,text,struck\n"


def invalid(result: Result) -> dict[int, str]:
    """Give the reasons of each invalid source row."""
    return dict(zip(result.invalid["source_row"], result.invalid["reason"], strict=True))


def problems(result: Result) -> list[str]:
    """Give the problems of the invalid rows."""
    return list(result.invalid["problem"])


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(",agreed,true,x\n", {2: "id-missing answer-not-boolean"}, id="id-then-cells"),
        pytest.param("\u00a0,disputed,x,x\n", {2: "id-missing"}, id="disputed-is-not-looked-at"),
        pytest.param(
            "a,agreed,true,true\na,disputed,,\n",
            {2: "id-duplicate", 3: "id-duplicate"},
            id="duplicates-agreed-and-disputed",
        ),
        pytest.param(
            "a,agreed,,true\na,agreed,true,true,extra\n",
            {2: "id-duplicate expected-missing", 3: "row-malformed"},
            id="a-malformed-row-counts-as-duplicate",
        ),
        pytest.param(
            "a,pending,x,\n",
            {2: "state-unknown expected-not-boolean answer-missing"},
            id="all-three",
        ),
        pytest.param(
            "a,, ,true\n", {2: "state-missing expected-missing"}, id="white-space-is-absent"
        ),
        pytest.param(
            "a,[blank],[blank],true\n", {2: "state-unknown expected-not-boolean"}, id="blank"
        ),
    ],
)
def test_reasons_of_cases(tmp_path: Path, rows: str, expected: dict[int, str]) -> None:
    """All reasons of a row, the one that decided first; malformed rows have that one alone."""
    assert invalid(sheets.run(tmp_path, KEY + rows)) == expected


def test_faults_in_label_or_answer_never_move_a_disputed_row(tmp_path: Path) -> None:
    """It is held, and neither is looked at."""
    result = sheets.run(tmp_path, KEY + "a,disputed,x,1\nb,Disputed,,\n")
    assert list(result.held["reason"]) == ["disputed", "disputed"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param(
            "a,1,true\n,2,false\n", {2: "rows-without-id", 3: "id-missing"}, id="merged-id"
        ),
        pytest.param(",0,false\na,1,false\n", {2: "id-missing"}, id="nothing-above"),
        pytest.param(
            "a,1,true\n,2,true\n,3,false\nb,4,false\n",
            {2: "rows-without-id", 3: "id-missing", 4: "id-missing"},
            id="each-row-without-id-is-a-field",
        ),
        pytest.param(
            "a,1,true\nb,2,false\na,3,false\n",
            {2: "field-scattered", 4: "field-scattered"},
            id="scattered",
        ),
        pytest.param(
            "a,1,true\n,x,true\na,3,false\n",
            {
                2: "field-scattered rows-without-id",
                3: "id-missing",
                4: "field-scattered rows-without-id",
            },
            id="a-row-without-id-breaks-a-field",
        ),
        pytest.param("a,1,true\n\na,3,false\n", {}, id="blank-rows-do-not"),
        pytest.param(
            "a,1,true\na,,x\n",
            {2: "observation-text observation-label", 3: "observation-text observation-label"},
            id="texts-then-marks",
        ),
        pytest.param(
            "a,1,true\na,2,false,extra\nb,3,false\n",
            {2: "row-malformed", 3: "row-malformed"},
            id="a-malformed-row-sinks-its-field",
        ),
    ],
)
def test_reasons_of_fields(tmp_path: Path, rows: str, expected: dict[int, str]) -> None:
    """Each row of an invalid field has the field's reasons."""
    assert invalid(sheets.run(tmp_path, SPANS + rows)) == expected


def test_scattered_declares_that_rows_may_stand_apart(tmp_path: Path) -> None:
    """A field then stands at its first row, its spans in order."""
    result = sheets.run(tmp_path, SPANS + "a,1,true\nb,2,false\na,3,false\n", scattered=True)
    assert sheets.outcome(result)["scored"] == {"a": "3", "b": "2"}
    assert list(result.scored["old"]) == ['["1"]', "[]"]
    assert list(result.scored["source_row"]) == [2, 3]


def test_a_scattered_field_counts_once(tmp_path: Path) -> None:
    """Its rows are one field, not several."""
    result = sheets.run(tmp_path, SPANS + "a,1,true\nb,2,false\na,3,false\n")
    assert (result.coverage.total, result.coverage.invalid) == (2, 1)


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        pytest.param("", "spans-not-json", id="absent"),
        pytest.param("12", "spans-not-json", id="no-array"),
        pytest.param("{}", "spans-not-json", id="an-object"),
        pytest.param("[1]", "spans-not-json", id="element-no-object"),
        pytest.param('[{"text": "a", "text": "b", "struck": false}]', "spans-not-json", id="twice"),
        pytest.param('[{"text": NaN, "struck": false}]', "spans-not-json", id="nan"),
        pytest.param('[{"text": "\\ud800", "struck": false}]', "spans-not-json", id="surrogate"),
        pytest.param("[" * 100_000, "spans-not-json", id="nested-too-deeply"),
        pytest.param('[{"struck": false}]', "observation-text", id="text-absent"),
        pytest.param('[{"text": "a", "struck": "false"}]', "observation-label", id="text-mark"),
    ],
)
def test_reasons_of_json_spans(tmp_path: Path, spans: str, reason: str) -> None:
    """JSON that cannot be trusted is no observation."""
    data = sheets.csv_bytes([["id", "spans"], ["a", spans or None], ["b", "[]"]])
    result = sheets.run(tmp_path, data)
    assert invalid(result) == {2: reason}
    assert list(result.held["reason"]) == ["review-none"]


def test_inside_json_only_an_empty_string_is_a_known_blank(tmp_path: Path) -> None:
    """The marker is a text there."""
    cells = ['[{"text": "", "struck": false}]', '[{"text": "[blank]", "struck": false}]']
    data = sheets.csv_bytes([["id", "spans"], ["a", cells[0]], ["b", cells[1]]])
    assert list(sheets.run(tmp_path, data).scored["current"]) == ["", "[blank]"]


def test_problems_name_the_cell_and_what_to_do(tmp_path: Path) -> None:
    """A reviewer who sees only this line knows what to mend."""
    text = KEY + "q,agreed,true,true\nq,agreed,WAHR,\n,agree,x,true\nr,agreed,'TRUE\n"
    twice = (
        "the id 'q' is in rows 2, 3; keep the row that counts, or give each case an id of its own"
    )
    assert problems(sheets.run(tmp_path, text)) == [
        f"A2: {twice}",
        f"A3: {twice}; C3: expected is the text 'WAHR'; it must be TRUE or FALSE (if this one "
        "means TRUE here, run with --true WAHR); D3: answer is absent; enter TRUE or FALSE",
        "A4: id is absent; enter the id of this row; "
        "B4: state is the text 'agree'; it must be agreed or disputed; "
        "C4: expected is the text 'x'; it must be TRUE or FALSE",
        "row 5: expected 4 cells and found 3; fill in the missing cells",
    ]


def test_problems_of_fields_point_to_the_row_at_fault(tmp_path: Path) -> None:
    """A row without a fault of its own says where the fault is."""
    below = (
        "no id in row 4 below, which may belong to the field 'a'; "
        "write the id into each of its rows"
    )
    assert problems(sheets.run(tmp_path, SPANS + "a,1,true\na,2,maybe\n,x,true\n")) == [
        f"A2: {below}",
        f"A3: {below}; C3: struck is the text 'maybe'; it must be TRUE or FALSE",
        "A4: id is absent; enter the id of this row",
    ]
    assert problems(sheets.run(tmp_path, SPANS + "a,1,true\na,2,maybe\n")) == [
        "nothing is wrong here, but in row 3 of the same field",
        "C3: struck is the text 'maybe'; it must be TRUE or FALSE",
    ]


def test_problems_of_json_name_the_item_and_the_span(tmp_path: Path) -> None:
    """JSON has no cell addresses."""
    text = '[{"id": 7, "spans": [{"text": "a", "struck": false}, {"text": 3, "struck": 1}]}]'
    assert problems(sheets.run(tmp_path, text, "s.json")) == [
        "item 1: id is the number 7; it must be a text; "
        "item 1: span 2: text is the number 3; it must be a text; "
        "item 1: span 2: struck is the number 1; it must be true or false"
    ]


def test_a_field_that_stood_apart_says_how_to_settle_it_in_a_part(tmp_path: Path) -> None:
    """There its rows stand together, and only its reason cells tell."""
    out = sheets.publish(tmp_path, SPANS + "a,1,true\nb,2,false\na,3,false\n")
    part = (out / "invalid.csv").read_text()
    again = sheets.run(tmp_path, part, "part.csv")
    assert "clear their reason cells, or run with --scattered" in problems(again)[0]
    cleared = sheets.run(tmp_path, part.replace("field-scattered", ""), "part.csv")
    assert sheets.outcome(cleared)["scored"] == {"a": "3"}


def test_a_row_with_another_id_casts_no_doubt_on_the_field_above_it(tmp_path: Path) -> None:
    """Only the row right above one without an id may own it."""
    items = '[{"id": "a", "text": "x", "struck": false}, {"id": 5, "text": "y", "struck": false}, '
    result = sheets.run(tmp_path, items + '{"text": "z", "struck": false}]', "s.json")
    assert sheets.outcome(result)["scored"] == {"a": "x"}


@pytest.mark.parametrize("invisible", ["\ufe0f", "\u034f", "\u115f", "\u0001", "\u00ad", "\u2060"])
def test_ids_that_differ_only_by_what_cannot_be_seen_are_noted(
    tmp_path: Path, invisible: str
) -> None:
    """They are two ids all the same."""
    result = sheets.run(tmp_path, SPANS + f"a,1,false\na{invisible},2,false\n")
    assert len(result.scored) == 2
    assert [note.code for note in result.coverage.notes] == ["near-duplicate-ids"]


@pytest.mark.parametrize(
    ("name", "is_damaged"),
    [
        ("1.23457E+17", True),
        ("5e+05", True),
        ("1,2E+10", True),
        ("01-Mar", True),
        ("3-SEP", True),
        ("3-\u017fep", True),
        ("Mar-24", True),
        ("######", True),
        ("1.23457E17", False),
        ("case-1", False),
        ("a+b", False),
        ("01-March", False),
        ("x01-Mar", False),
        ("#1", False),
        ("2024-03-01", False),
    ],
)
def test_ids_that_look_damaged_are_noted(name: str, is_damaged: bool, tmp_path: Path) -> None:
    """As a number or a date that a spreadsheet made of them, or as too narrow a column."""
    rows = f'id,state,expected,answer\n"{name}",agreed,true,true\nanother-id,agreed,true,true\n'
    result = sheets.run(tmp_path, rows)
    noted = [(note.code, note.cells) for note in result.coverage.notes]
    assert noted == ([("damaged-ids", ("A2",))] if is_damaged else [])
