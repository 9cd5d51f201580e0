"""Answers apart from their key: joined by exact id; several sheets are several candidates."""

import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import evalbatch
from evalbatch import EvalbatchError
from evalbatch.result import Result
from tests import books, sheets

KEY = """\
id,state,expected,note
0012,agreed,TRUE,x
C2,agreed,FALSE,
C3,disputed,,
C4,agreed,TRUE,
"""


def joined(folder: Path, answers: str | bytes, name: str = "model.csv", **options: Any) -> Result:
    """Evaluate the key with the answers of one sheet."""
    path = folder / name
    path.write_bytes(answers.encode() if isinstance(answers, str) else answers)
    return sheets.run(folder, KEY, "key.csv", answers=path, **options)


def test_answers_are_joined_by_their_exact_ids(tmp_path: Path) -> None:
    """The order of the sheet does not matter; the answer stands in all three sheets."""
    out = tmp_path / "out"
    result = joined(tmp_path, "id,answer\nC3,TRUE\nC4,yes\nC2,TRUE\n0012,true\n", output=out)
    assert sheets.outcome(result) == {
        "scored": {"0012": True, "C2": False},
        "held": ["C3"],
        "invalid": {"C4": "answer-not-boolean"},
    }
    assert (out / "scored.csv").read_text().splitlines()[:2] == [
        "id,state,expected,note,answer,pass,coverage,source_row",
        "0012,agreed,TRUE,x,true,true,2 of 4,2",
    ]
    assert (out / "held.csv").read_text().splitlines()[1].startswith("C3,disputed,,,TRUE,disputed")
    assert list(result.invalid["problem"]) == [
        "model.csv B3: answer is the text 'yes'; it must be TRUE or FALSE (if this one means TRUE "
        "here, run with --true yes)"
    ]


def test_a_column_of_answers_of_another_name(tmp_path: Path) -> None:
    """It is named for the sheet of answers; the key must have neither of its names."""
    columns = {"answer": "model output"}
    result = joined(tmp_path, "id;Model Output\nC2;true\n", columns=columns)
    assert sheets.outcome(result)["scored"] == {"C2": False}
    for name in ("answer", "model output"):
        with pytest.raises(EvalbatchError, match="the key has answers itself"):
            sheets.run(
                tmp_path,
                KEY.replace("note", name),
                answers=tmp_path / "model.csv",
                columns=columns,
            )


def test_a_case_without_an_answer_is_invalid_unless_disputed(tmp_path: Path) -> None:
    """An answer never moves a disputed case, and an absent one is never false."""
    result = joined(tmp_path, "id,answer\n0012,TRUE\nC2,\n")
    assert result.invalid[["id", "reason", "problem"]].to_numpy().tolist() == [
        ["C2", "answer-missing", "model.csv B3: answer is absent; enter TRUE or FALSE"],
        [
            "C4",
            "answer-missing",
            "model.csv (no row for C4): answer is absent; enter TRUE or FALSE",
        ],
    ]
    assert list(result.held["id"]) == ["C3"]


def test_several_answers_to_one_case_are_none(tmp_path: Path) -> None:
    """No first and no last one, even if they are the same; what they say is kept."""
    result = joined(tmp_path, "id,answer\n0012,TRUE\nC2,FALSE\nC4,TRUE\n0012,TRUE\nC2,TRUE\n")
    assert result.invalid[["id", "answer", "reason", "problem"]].to_numpy().tolist() == [
        [
            "0012", "TRUE; TRUE", "answer-missing id-duplicate",
            "model.csv rows 2, 5: answer is given by several rows; keep the one that counts",
        ],
        [
            "C2", "FALSE; TRUE", "answer-missing id-duplicate",
            "model.csv rows 3, 6: answer is given by several rows; keep the one that counts",
        ],
    ]  # fmt: skip


def test_repeated_answers_stay_so_in_a_part(tmp_path: Path) -> None:
    """Until somebody edits the cell."""
    out = tmp_path / "out"
    joined(tmp_path, "id,answer\n0012,TRUE\n0012,TRUE\nC2,TRUE,x\nC4,TRUE\n", output=out)
    assert [row[4] for row in sheets.rows(out / "invalid.csv")[1:]] == [
        "TRUE; TRUE (repeated)", "TRUE (malformed)",
    ]  # fmt: skip
    again = evalbatch.run(out / "invalid.csv")
    assert list(again.invalid["reason"]) == [
        "answer-missing id-duplicate", "answer-missing row-malformed",
    ]  # fmt: skip


def test_answers_without_a_case_are_listed_apart(tmp_path: Path) -> None:
    """With the ids that nearly match, which are never joined."""
    out = tmp_path / "out"
    rows = "12,TRUE,a\nc2,TRUE,\n=zz,TRUE,\n,FALSE,\nC4 ,TRUE,\nC3,TRUE,\n"
    result = joined(tmp_path, f"id,answer,why\n{rows}", output=out, to=["csv"])
    assert sheets.rows(out / "unmatched.csv") == [
        ["id", "answer", "why", "near_match", "problem", "source_row"],
        ["12", "TRUE", "a", "0012", "A2: no case has the id '12'; nearly the same as '0012', and "
         "not joined with it", "2"],
        ["c2", "TRUE", "", "C2", "A3: no case has the id 'c2'; nearly the same as 'C2', and not "
         "joined with it", "3"],
        ["'=zz", "TRUE", "", "", "A4: no case has the id '=zz'", "4"],
        ["", "FALSE", "", "", "A5: id is absent; enter the id of this row", "5"],
        ["C4 ", "TRUE", "", "C4", "A6: no case has the id 'C4 '; nearly the same as 'C4', and "
         "not joined with it", "6"],
    ]  # fmt: skip
    assert len(result.scored) == 0
    [told] = [note for note in result.coverage.notes if note.code == "answers-unmatched"]
    assert told.text.startswith("5 rows of model.csv without a case, and not counted: A2: no case")
    assert told.cells == ("A2", "A3", "A4", "A5", "A6")


def test_all_answers_matched_leave_an_empty_list(tmp_path: Path) -> None:
    """The file is always there."""
    out = tmp_path / "out"
    joined(tmp_path, "id,answer\n0012,TRUE\n", output=out)
    assert len(sheets.rows(out / "unmatched.csv")) == 1


@pytest.mark.parametrize("name", ["model.xlsx", "model.json"])
def test_typed_answers_to_a_key_in_csv(tmp_path: Path, name: str) -> None:
    """Types are kept: a text TRUE is no Boolean, and a decision on its spelling is the user's."""
    rows: list[list[Any]] = [["id", "answer"], ["0012", True], ["C2", "TRUE"], ["C4", 1]]
    items = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    data = books.written(rows) if name.endswith("xlsx") else json.dumps(items).encode()
    result = joined(tmp_path, data, name)
    assert sheets.outcome(result)["scored"] == {"0012": True}
    assert sheets.outcome(result)["invalid"] == {
        "C2": "answer-not-boolean",
        "C4": "answer-not-boolean",
    }
    assert "take off" not in " ".join(result.invalid["problem"])


def test_decisions_and_answers_together(tmp_path: Path) -> None:
    """A settled case is scored by the joined answer."""
    (tmp_path / "d.csv").write_text("id,decision,decided_by,decided_on\nC3,TRUE,Ann,x\n")
    result = joined(tmp_path, "id,answer\nC3,TRUE\n", adjudications=[tmp_path / "d.csv"])
    assert sheets.outcome(result)["scored"] == {"C3": True}


@pytest.mark.parametrize(
    ("key", "answers", "message"),
    [
        pytest.param(
            KEY.replace("note", "Answer"),
            "id,answer\n0012,TRUE\n",
            "key.csv: the column 'Answer': the key has answers itself; delete or rename the "
            "column, or leave out --answers.",
            id="two-sources",
        ),
        pytest.param(
            KEY,
            "id,answer\nx,TRUE\n",
            "model.csv: no id in it is one of key.csv; the ids of model.csv are 'x' …, and the ids "
            "of key.csv are '0012', 'C2', 'C3' ….",
            id="other-ids",
        ),
        pytest.param(
            "id,text,struck\na,x,false\n",
            "id,answer\na,TRUE\n",
            "key.csv: row 1 is no header that evalbatch knows. Found the columns 'id', 'text', "
            "'struck'. answer-key needs id, state, expected and lacks state, expected. Name a "
            "column for a role with --column ROLE=HEADER. If the sheet has no header row, add one; "
            "if its delimiter is another one, name it with --delimiter.",
            id="spans",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, key: str, answers: str, message: str) -> None:
    """With what was found and what to do."""
    (tmp_path / "model.csv").write_text(answers)
    with pytest.raises(EvalbatchError) as error:
        sheets.run(tmp_path, key, "key.csv", answers=tmp_path / "model.csv")
    assert str(error.value) == message


def candidates(folder: Path, **sheets_of_answers: str) -> list[Path]:
    """Write a key, and a sheet of answers for each candidate."""
    (folder / "key.csv").write_text(KEY)
    paths = []
    for name, rows in sheets_of_answers.items():
        paths.append(folder / f"{name}.csv")
        paths[-1].write_text(f"id,answer\n{rows}")
    return paths


A = "0012,TRUE\nC2,FALSE\nC4,FALSE\n"
B = "0012,FALSE\nC2,yes\nC4,TRUE\nx,TRUE\n"


def test_candidates_are_compared_over_what_all_have_scored(tmp_path: Path) -> None:
    """And each one's own coverage stands beside it."""
    found = evalbatch.run_candidates(tmp_path / "key.csv", candidates(tmp_path, a=A, b=B))
    assert found.statement == (
        "2 candidates, compared over the 2 of 4 cases that both candidates have scored (50.0%); "
        "each one's own coverage stands beside it."
    )
    columns = ("candidate", "common_passed", "common_scored", "coverage", "passed", "unmatched")
    assert [[row[name] for name in columns] for row in found.rows()] == [
        ["a", 1, 2, "3 of 4", 2, 0],
        ["b", 1, 2, "2 of 4", 1, 1],
    ]
    assert str(found.pass_rate("a")) == (
        "pass rate 50.0% (1 of 2, 95% interval 9.5% to 90.5%): the 2 of 4 cases that both "
        "candidates have scored"
    )


def test_candidates_without_a_common_case_have_no_common_rate(tmp_path: Path) -> None:
    """Nothing is made up for them."""
    paths = candidates(tmp_path, a="0012,TRUE\n", b="C2,TRUE\n", c="C4,TRUE\n")
    found = evalbatch.run_candidates(tmp_path / "key.csv", paths)
    assert [row["common_pass_rate"] for row in found.rows()] == [None, None, None]
    assert str(found.pass_rate("c")) == (
        "pass rate n/a: the 0 of 4 cases that all 3 candidates have scored"
    )


def test_each_candidate_has_a_results_folder(tmp_path: Path) -> None:
    """Published together, replaced together, and not at all once something was changed."""
    paths = candidates(tmp_path, a=A, b=B)
    out = tmp_path / "out"
    evalbatch.run_candidates(tmp_path / "key.csv", paths, out, to=["csv"])
    assert sorted(path.name for path in out.iterdir()) == [
        "a", "b", "comparison.csv", "comparison.xlsx", "manifest.json",
    ]  # fmt: skip
    assert sheets.coverage(out / "a")["scored"] == 3
    header, *rows = sheets.rows(out / "comparison.csv")
    assert [dict(zip(header, row, strict=True))["coverage"] for row in rows] == ["3 of 4", "2 of 4"]
    book = openpyxl.load_workbook(out / "comparison.xlsx")
    assert book.sheetnames == ["comparison"]
    assert str(book["comparison"]["A1"].value).startswith("2 candidates, compared over the 2 of 4")
    evalbatch.run_candidates(tmp_path / "key.csv", paths, out, overwrite=True)
    (out / "a" / "held.csv").write_text("a decision")
    with pytest.raises(EvalbatchError, match=r"'a/held.csv' was changed"):
        evalbatch.run_candidates(tmp_path / "key.csv", paths, out, overwrite=True)
    with pytest.raises(EvalbatchError, match="itself a results folder"):
        evalbatch.run(tmp_path / "key.csv", out / "a" / "again", answers=paths[0])


def test_two_candidates_of_one_name_are_refused(tmp_path: Path) -> None:
    """Their folders would be one, also where letter case does not count."""
    [first] = candidates(tmp_path, a=A)
    (tmp_path / "A.xlsx").write_bytes(books.written([["id", "answer"], ["C2", True]]))
    with pytest.raises(EvalbatchError, match=r"candidate's name 'A' is the name of .*a\.csv too"):
        evalbatch.run_candidates(tmp_path / "key.csv", [first, tmp_path / "A.xlsx"])
