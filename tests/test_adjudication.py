"""Recorded decisions: what settles a held case, what does not, and what is said of each."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import evalbatch
from evalbatch import EvalbatchError
from evalbatch.result import Result
from tests import books, sheets

KEY = """\
id,question,state,expected,answer
0012,a,disputed,,TRUE
C2,b,disputed,TRUE,FALSE
C3,c,agreed,TRUE,TRUE
C4,d,disputed,,
"""
SPANS = """\
id,page,text,struck
F1,1,12,FALSE
F1,1,14,FALSE
F2,2,old,TRUE
F3,3,x,FALSE
"""
HEADER = "id,decision,decided_by,decided_on,decision_note\n"


def adjudicated(folder: Path, *decisions: str, key: str = KEY, name: str = "key.csv") -> Result:
    """Evaluate a key under decision sheets, of which each is rows below one header."""
    paths = []
    for number, rows in enumerate(decisions, 1):
        paths.append(folder / f"week{number}.csv")
        paths[-1].write_text(rows if rows.startswith("id") else HEADER + rows, encoding="utf-8")
    return sheets.run(folder, key, name, adjudications=paths)


def notes(result: Result, code: str) -> list[str]:
    """Give the texts of the notes with a code."""
    return [note.text for note in result.coverage.notes if note.code == code]


def reasons(result: Result) -> dict[str, str]:
    """Give the reasons of the held cases."""
    return dict(zip(result.held["id"], result.held["reason"], strict=True))


def test_a_complete_decision_is_the_label(tmp_path: Path) -> None:
    """The case is scored, its row tells who decided, and the coverage counts it apart."""
    result = adjudicated(tmp_path, "C2,TRUE,Ann,2026-08-03,seen again\n")
    row = result.scored[result.scored["id"] == "C2"].iloc[0]
    assert not row["pass"]
    assert [row["state"], row["expected"]] == ["disputed", "TRUE"]
    columns = ["decision", "decided_by", "decided_on", "decision_note"]
    assert list(row[columns]) == [True, "Ann", "2026-08-03", "seen again"]
    assert result.coverage.as_dict()["adjudicated"] == result.coverage.adjudicated == 1
    assert result.statement == (
        "1 of 2 scored cases passed; 2 of 4 cases scored (50.0%, 1 of them on a recorded "
        "decision), 2 held, 0 invalid: not the full evaluation, whose pass rate lies between 25.0% "
        "and 75.0%."
    )


def test_a_missing_answer_makes_a_settled_case_invalid(tmp_path: Path) -> None:
    """It is judged as agreed, and shows its decision all the same."""
    result = adjudicated(tmp_path, "C4,FALSE,Ann,2026-08-03,\n")
    assert list(result.invalid["reason"]) == ["answer-missing"]
    assert list(result.invalid["problem"]) == ["E5: answer is absent; enter TRUE or FALSE"]
    assert list(result.invalid["decided_by"]) == ["Ann"]
    assert result.coverage.adjudicated == 0


@pytest.mark.parametrize(
    ("decisions", "reason", "told"),
    [
        pytest.param(
            ["C2,TRUE,,2026-08-03,\n"],
            "adjudication-incomplete disputed",
            "1 case held although a decision is recorded; complete what is missing: 'C2' "
            "(week1.csv row 2): decided_by is absent; enter who decided",
            id="no-name",
        ),
        pytest.param(
            ["C2,TRUE,Ann, ,\n"],
            "adjudication-incomplete disputed",
            "1 case held although a decision is recorded; complete what is missing: 'C2' "
            "(week1.csv row 2): decided_on is absent; enter the date",
            id="no-date",
        ),
        pytest.param(
            ["C2,,,,only a note\n"],
            "adjudication-incomplete disputed",
            "1 case held although a decision is recorded; complete what is missing: 'C2' "
            "(week1.csv row 2): decision is absent; enter TRUE or FALSE; decided_by is absent; "
            "enter who decided; decided_on is absent; enter the date",
            id="only-a-note",
        ),
        pytest.param(
            ["C2,yes,Ann,2026-08-03,\n"],
            "adjudication-not-boolean disputed",
            "1 case held although a decision is recorded; a decision on a label is TRUE or FALSE: "
            "'C2' (week1.csv row 2): decision is the text 'yes'; it must be TRUE or FALSE (if this "
            "one means TRUE here, run with --true yes)",
            id="not-boolean",
        ),
        pytest.param(
            ["C2,TRUE,Ann,2026-08-03,\n", "C2,FALSE,Bo,2026-08-10,\n"],
            "adjudication-conflict disputed",
            "1 case held although a decision is recorded; agree on one, and delete the others: "
            "'C2': week1.csv row 2 says TRUE, week2.csv row 2 says FALSE",
            id="two-that-differ",
        ),
        pytest.param(
            ["id,question,decision,decided_by,decided_on\nC2,other,TRUE,Ann,2026-08-03\n"],
            "adjudication-stale disputed",
            "1 case held although a decision is recorded; decide anew of the row as it is now: "
            "'C2' (week1.csv row 2): question was 'other' and is 'b'",
            id="the-case-has-changed",
        ),
        pytest.param(
            ["C2,TRUE,Ann,2026-08-03,a,surplus\n"],
            "adjudication-incomplete disputed",
            "1 case held although a decision is recorded; complete what is missing: 'C2' "
            "(week1.csv row 2): row 2: expected 5 cells and found 6; surplus: 'surplus'; delete "
            "it, or quote the cell that holds the delimiter",
            id="malformed-row",
        ),
    ],
)
def test_a_decision_that_cannot_be_applied(
    tmp_path: Path, decisions: Sequence[str], reason: str, told: str
) -> None:
    """The case stays held, its reason says why, and a note names the row."""
    result = adjudicated(tmp_path, *decisions)
    assert reasons(result) == {"0012": "disputed", "C2": reason, "C4": "disputed"}
    assert [note.text for note in result.coverage.notes] == [told]
    assert list(result.scored["id"]) == ["C3"]
    assert result.coverage.adjudicated == 0
    assert result.coverage.reasons == {"disputed": 2, reason.split()[0]: 1}


def test_what_has_to_be_completed_is_shown_again(tmp_path: Path) -> None:
    """In the new held sheet; but never of a case that has changed, or a contradiction."""
    result = adjudicated(
        tmp_path,
        "0012,TRUE,Ann,,\nC2,yes,Bo,2026-08-03,x\n",
        "id,question,decision,decided_by,decided_on\nC4,z,TRUE,Cy,2026-08-03\n",
    )
    shown = result.held[["decision", "decided_by", "decided_on", "decision_note"]]
    assert shown.fillna("").to_numpy().tolist() == [
        ["TRUE", "Ann", "", ""],
        ["yes", "Bo", "2026-08-03", "x"],
        ["", "", "", ""],
    ]


def test_decisions_that_agree_count_once_and_name_both(tmp_path: Path) -> None:
    """Also if one of them was recorded twice."""
    rows = "C2,true,Ann,2026-08-03,x\n"
    result = adjudicated(tmp_path, rows, rows, "C2,TRUE,Bo,2026-08-10,\n")
    row = result.scored[result.scored["id"] == "C2"].iloc[0]
    assert [row["decided_by"], row["decided_on"], row["decision_note"]] == [
        "Ann; Bo", "2026-08-03; 2026-08-10", "x",
    ]  # fmt: skip
    assert result.coverage.adjudicated == 1


def test_decisions_on_other_cases_are_noted_and_move_nothing(tmp_path: Path) -> None:
    """One on an agreed case, one on an unknown id, one on none."""
    rows = "C3,FALSE,Ann,2026-08-03,\n12,TRUE,Ann,2026-08-03,\n,TRUE,Ann,2026-08-03,\n"
    result = adjudicated(tmp_path, rows)
    assert notes(result, "adjudications-not-needed") == [
        "1 decision not applied, on cases that are not held: 'C3' (week1.csv row 2) is agreed as "
        "TRUE, and the decision says FALSE"
    ]
    assert notes(result, "adjudications-unknown") == [
        "1 decision on ids that no case has: '12' (week1.csv row 3) is nearly the same as '0012', "
        "and not joined with it"
    ]
    assert notes(result, "adjudications-without-id") == [
        "1 decision without the id of a case: week1.csv row 4"
    ]
    plain = evalbatch.run(tmp_path / "key.csv")
    assert sheets.outcome(result) == sheets.outcome(plain)


def test_a_decision_on_a_repeated_id_moves_nothing(tmp_path: Path) -> None:
    """Nobody can tell which of the rows it is for."""
    result = adjudicated(tmp_path, "C2,TRUE,Ann,2026-08-03,\n", key=KEY + "C2,e,disputed,,TRUE\n")
    assert list(result.invalid["id"]) == ["C2", "C2"]
    assert notes(result, "adjudications-not-needed")[0].endswith("is invalid (id-duplicate)")


def test_the_decision_on_a_field_is_its_current_text(tmp_path: Path) -> None:
    """What was seen stays beside it."""
    rows = "F1,0014,Ann,2026-08-03,\nF2,[blank],Ann,2026-08-03,\n"
    out = tmp_path / "out"
    result = sheets.run(tmp_path, SPANS, "spans.csv")
    (tmp_path / "week.csv").write_text(HEADER + rows)
    result = evalbatch.run(
        tmp_path / "spans.csv", out, adjudications=[tmp_path / "week.csv"], to=["csv", "json"]
    )
    assert result.coverage.adjudicated == 2
    found = sheets.rows(out / "scored.csv")
    assert found[0] == [
        "id", "current", "old", "candidates", "status", "spans", "page", "decision", "decided_by",
        "decided_on", "decision_note", "coverage", "source_row",
    ]  # fmt: skip
    assert [[*row[:5], *row[6:9]] for row in found[1:]] == [
        ["F1", "0014", "[]", '["12", "14"]', "accepted", "1", "0014", "Ann"],
        ["F2", "[blank]", '["old"]', "[]", "accepted", "2", "[blank]", "Ann"],
        ["F3", "x", "[]", '["x"]', "accepted", "3", "", ""],
    ]
    [first, second, _] = sheets.results(out)["scored"]
    assert (first["current"], second["current"]) == ("0014", "")


def test_a_number_is_no_current_text(tmp_path: Path) -> None:
    """A workbook that made 14 of 0014 settles nothing."""
    header = ["id", "decision", "decided_by", "decided_on"]
    path = tmp_path / "week.xlsx"
    path.write_bytes(books.written([header, ["F1", 14, "Ann", "2026-08-03"]]))
    result = sheets.run(tmp_path, SPANS, "spans.csv", adjudications=path)
    assert reasons(result)["F1"] == "adjudication-not-text review-several"
    [told] = notes(result, "adjudication-not-text")
    assert "decision is the number 14; it must be a text (format the cell as Text" in told


@pytest.mark.parametrize("to", ["csv", "xlsx"])
@pytest.mark.parametrize(
    ("key", "name", "decision"),
    [
        pytest.param(KEY, "key.csv", True, id="key-csv"),
        pytest.param(SPANS, "spans.csv", "0014", id="spans-csv"),
        pytest.param(
            books.written(
                [
                    ["id", "when", "state", "expected", "answer", "=n"],
                    ["0012", 1.5, "Disputed", "TRUE", True, "=1+1"],
                    ["C2", None, "disputed", 7, True, True],
                ]
            ),
            "key.xlsx",
            False,
            id="typed-key",
        ),
    ],
)
def test_a_filled_in_held_sheet_serves_as_it_is(
    tmp_path: Path, key: Any, name: str, decision: Any, to: str
) -> None:
    """Whatever format it went through, and whatever its cells look like in it."""
    out = sheets.publish(tmp_path, key, name, to=[to])
    held = evalbatch.run(tmp_path / name).coverage.held
    path = out / ("held.csv" if to == "csv" else "results.xlsx")
    sheets.decide(path, decision)
    again = evalbatch.run(tmp_path / name, adjudications=[path])
    assert again.coverage.held == 0
    assert not again.coverage.notes
    settled = again.coverage.adjudicated + again.coverage.reasons.get("answer-missing", 0)
    assert settled == held


def test_an_untouched_held_sheet_decides_nothing(tmp_path: Path) -> None:
    """Rows without a decision are none."""
    out = sheets.publish(tmp_path, KEY)
    again = evalbatch.run(tmp_path / "sheet.csv", adjudications=[out / "held.csv"])
    assert set(again.held["reason"]) == {"disputed"}
    assert not again.coverage.notes


def test_decisions_of_a_part_count_beside_those_of_other_sheets(tmp_path: Path) -> None:
    """A decision typed into the part itself is not overruled by another one."""
    part = (
        "id,state,expected,answer,reason,decision,decided_by,decided_on,decision_note,coverage,"
        "source_row\nC2,disputed,,TRUE,disputed,TRUE,Ann,2026-08-03,,0 of 3,2\n"
    )
    result = adjudicated(tmp_path, "C2,FALSE,Bo,2026-08-04,\n", key=part, name="held.csv")
    assert reasons(result) == {"C2": "adjudication-conflict disputed"}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        pytest.param(
            "d.csv",
            b"id,decision\nC2,TRUE\n",
            "d.csv: row 1 is no header that evalbatch knows. Found the columns 'id', 'decision'. "
            "decisions needs id, decision, decided_by, decided_on and lacks decided_by, "
            "decided_on. Rename the columns. If the sheet has no header row, add one.",
            id="columns",
        ),
        pytest.param(
            "d.csv",
            b"id,decision,decided_by,decided_on\nC2,TRUE,J\xf6,x\n",
            "d.csv: the bytes are not UTF-8: byte 0xf6 at offset 43, in row 2. Save the sheet as "
            "CSV UTF-8 (--encoding is for the sheet that is evaluated).",
            id="encoding",
        ),
    ],
)
def test_a_sheet_beside_the_key_is_refused_without_its_options(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    """The options of the run are the key's, so that none of them is advised."""
    (tmp_path / name).write_bytes(data)
    with pytest.raises(EvalbatchError) as error:
        sheets.run(tmp_path, KEY, adjudications=[tmp_path / name])
    assert str(error.value) == message


def test_the_inputs_beside_the_key_are_recorded(tmp_path: Path) -> None:
    """By name and digest, without a path."""
    result = adjudicated(tmp_path, "C2,TRUE,Ann,2026-08-03,\n")
    [source] = result.coverage.options["adjudications"]
    assert (source["name"], source["sheet"], len(source["sha256"])) == ("week1.csv", None, 64)


def test_a_case_decided_anew_is_settled(tmp_path: Path) -> None:
    """What was recorded before it changed is passed over, and a note says so."""
    header = "id,question,decision,decided_by,decided_on\n"
    result = adjudicated(
        tmp_path,
        f"{header}C2,old question,TRUE,Ann,2026-08-03\n",
        f"{header}C2,b,FALSE,Bo,2026-08-10\n",
    )
    assert sheets.outcome(result)["scored"]["C2"]
    [note] = result.coverage.notes
    assert (note.code, note.text) == (
        "adjudications-superseded",
        "1 case settled by a decision on it as it is now; passed over is what was recorded before "
        "it changed: 'C2' (week1.csv row 2): question was 'old question' and is 'b'",
    )


@pytest.mark.parametrize(
    ("header", "columns", "reason"),
    [
        pytest.param("gold", {"expected": "gold"}, "disputed", id="a-role-has-another-name"),
        pytest.param("expected", {}, "adjudication-stale disputed", id="a-column-is-gone"),
    ],
)
def test_a_held_sheet_whose_columns_are_others_now(
    tmp_path: Path, header: str, columns: dict[str, str], reason: str
) -> None:
    """A role is compared whatever its name; a cell of a column that is gone has changed."""
    out = sheets.publish(tmp_path, KEY, to=["csv"])
    sheets.decide(out / "held.csv", True)
    key = KEY.replace("expected", header)
    if not columns:
        key = key.replace("question", "Question text")
    again = sheets.run(tmp_path, key, columns=columns, adjudications=[out / "held.csv"])
    assert again.coverage.held == (0 if columns else 3)
    assert set(again.held["reason"]) <= {reason}


def test_a_label_of_another_name_that_has_changed_is_stale(tmp_path: Path) -> None:
    """As it is under its own name."""
    out = sheets.publish(tmp_path, KEY, to=["csv"])
    sheets.decide(out / "held.csv", True)
    key = KEY.replace("expected", "gold").replace("C2,b,disputed,TRUE", "C2,b,disputed,FALSE")
    again = sheets.run(
        tmp_path, key, columns={"expected": "gold"}, adjudications=[out / "held.csv"]
    )
    assert reasons(again) == {"C2": "adjudication-stale disputed"}


def test_a_label_typed_into_a_held_sheet_is_no_decision(tmp_path: Path) -> None:
    """A note says where labels are read from."""
    out = sheets.publish(tmp_path, KEY, to=["csv"])
    text = (out / "held.csv").read_text().replace("C2,b,disputed,TRUE", "C2,b,agreed,FALSE")
    (out / "held.csv").write_text(text)
    again = evalbatch.run(tmp_path / "sheet.csv", adjudications=[out / "held.csv"])
    assert set(again.held["reason"]) == {"disputed"}
    assert notes(again, "adjudications-labels-not-read") == [
        "1 row of the decision sheets not disputed any more, and without a decision: labels are "
        "read from the sheet that is evaluated; enter it there, or record a decision: 'C2' "
        "(held.csv row 3)"
    ]


def test_decisions_in_the_key_itself_are_noted(tmp_path: Path) -> None:
    """They are applied where the sheet is named as a decision sheet as well."""
    key = "id,state,expected,answer,decision,decided_by,decided_on\na,disputed,,TRUE,TRUE,Ann,x\n"
    plain = sheets.run(tmp_path, key, "key.csv")
    assert list(plain.held["reason"]) == ["disputed"]
    assert [note.code for note in plain.coverage.notes] == ["decisions-not-applied"]
    again = evalbatch.run(tmp_path / "key.csv", adjudications=[tmp_path / "key.csv"])
    assert again.coverage.adjudicated == 1


def test_the_same_problem_is_told_once(tmp_path: Path) -> None:
    """With the rows that have it."""
    result = adjudicated(tmp_path, "C2,JA,Ann,x,\nC4,JA,Bo,x,\n")
    [told] = notes(result, "adjudication-not-boolean")
    assert told.count("decision is the text 'JA'") == 1
    assert "'C2' (week1.csv row 2), 'C4' (week1.csv row 3): decision is" in told
