"""Two evaluations compared: one class for each changed case, and a rate change in two parts."""

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalbatch
from evalbatch import EvalbatchError, comparison_words
from evalbatch.comparison import CLASSES, Comparison
from tests import books, sheets

Rows = Sequence[Sequence[Any]]
KEY = ["id", "state", "expected", "answer"]
AGREED, DISPUTED = "agreed", "disputed"


def published(folder: Path, name: str, rows: Rows, *decisions: str, to: str = "csv") -> Path:
    """Publish a key of typed rows, under decisions TRUE on some ids."""
    path = folder / f"{name}.xlsx"
    path.write_bytes(books.written([KEY, *rows]))
    decided = folder / f"{name}-decisions.csv"
    lines = [f"{one},TRUE,Ann,2026-08-03\n" for one in decisions]
    decided.write_text("id,decision,decided_by,decided_on\n" + "".join(lines))
    out = folder / name
    beside = [decided] if decisions else []
    evalbatch.run(path, out, to=[to], overwrite=True, adjudications=beside)
    return out


def compared(folder: Path, old: Rows, new: Rows, *decisions: str, to: str = "csv") -> Comparison:
    """Compare an old and a new key; the decisions hold in the new one."""
    return evalbatch.compare(
        published(folder, "old", old, to=to), published(folder, "new", new, *decisions, to=to)
    )


OLD: Rows = [
    ["same", AGREED, True, True],
    ["gone", AGREED, True, True],
    ["0012", AGREED, True, True],
    ["broken", AGREED, True, True],
    ["settled", DISPUTED, None, True],
    ["agreed", DISPUTED, None, True],
    ["whole", AGREED, None, True],
    ["worse", AGREED, True, True],
    ["better", AGREED, True, False],
    ["both", AGREED, True, True],
]
NEW: Rows = [
    ["new", AGREED, True, True],
    ["same", AGREED, True, True],
    ["0012", DISPUTED, True, True],
    ["broken", AGREED, True, "no"],
    ["settled", DISPUTED, None, True],
    ["agreed", AGREED, True, True],
    ["whole", AGREED, True, True],
    ["worse", AGREED, True, False],
    ["better", AGREED, False, False],
    ["both", AGREED, False, False],
]


@pytest.mark.parametrize("to", ["csv", "xlsx"])
def test_each_changed_case_is_in_one_class(tmp_path: Path, to: str) -> None:
    """The first that fits, with what changed in it, in the order of the new sheet."""
    found = compared(tmp_path, OLD, NEW, "settled", to=to)
    columns = ("id", "class", "old", "new", "key_changed", "answer_changed")
    assert [[row[name] for name in columns] for row in found.rows()] == [
        ["new", "added", None, "scored, pass", None, None],
        ["0012", "newly-held", "scored, pass", "held, disputed", True, False],
        ["broken", "newly-invalid", "scored, pass", "invalid, answer-not-boolean", False, True],
        ["settled", "newly-adjudicated", "held, disputed", "scored, pass", True, False],
        ["agreed", "mended", "held, disputed", "scored, pass", True, False],
        ["whole", "mended", "invalid, expected-missing", "scored, pass", True, False],
        ["worse", "regressed", "scored, pass", "scored, fail", False, True],
        ["better", "fixed", "scored, fail", "scored, pass", True, False],
        ["both", "changed", "scored, pass", "scored, pass", True, True],
        ["gone", "removed", "scored, pass", None, None, None],
    ]
    assert sum(found.counts.values()) == 10
    assert found.unchanged == 1


def test_the_rate_owes_one_part_to_the_same_cases(tmp_path: Path) -> None:
    """And the rest to which cases are scored, so that a smaller set is no progress."""
    found = compared(tmp_path, OLD, NEW, "settled")
    assert (found.old_common.passed, found.new_common.passed, found.old_common.scored) == (3, 3, 4)
    assert comparison_words.statement(found) == (
        "10 cases changed (1 added, 1 removed, 1 newly-held, 1 newly-invalid, 1 newly-adjudicated, "
        "2 mended, 1 regressed, 1 fixed, 1 changed), 1 did not; pass rate 85.7% (6 of 7 scored) to "
        "87.5% (7 of 8 scored): +0.0 points on the 4 cases scored in both, +1.8 points from which "
        "cases are scored."
    )


def test_a_format_is_no_change(tmp_path: Path) -> None:
    """The same key as a workbook and as CSV, each published in its own format."""
    old = published(tmp_path, "old", OLD, to="xlsx")
    words = [[str(c).lower() if isinstance(c, bool) else c for c in row] for row in OLD]
    new = sheets.publish(tmp_path, sheets.csv_bytes([KEY, *words]))
    assert evalbatch.compare(old, new).rows() == []


def test_cases_that_share_an_id_are_one(tmp_path: Path) -> None:
    """They are invalid together; and rows without an id cannot be told apart at all."""
    old: Rows = [["a", AGREED, True, True], ["a", AGREED, True, True], [None, AGREED, True, True]]
    found = compared(tmp_path, old, [["a", AGREED, True, True]])
    assert [(row["id"], row["class"]) for row in found.rows()] == [("a", "mended")]
    assert (found.old.uncompared, found.new.uncompared) == (2, 0)
    assert list(comparison_words.lines(found))[-1] == (
        "  left out, for they share their id with a case that is compared, or have none: 2 before, "
        "0 now"
    )


def test_fields_are_compared_by_their_current_text(tmp_path: Path) -> None:
    """They have no pass rate; another current text is a change."""
    old = sheets.publish(tmp_path, "id,text,struck\na,x,false\nb,y,false\nc,,false\n", "old.csv")
    new = sheets.publish(
        tmp_path, "id,text,struck\na,x,false\nb,z,false\nc,w,false\nc,v,false\n", "new.csv"
    )
    found = evalbatch.compare(old, new)
    assert [(row["id"], row["class"], row["key_changed"]) for row in found.rows()] == [
        ("b", "changed", True),
        ("c", "newly-held", None),
    ]
    assert found.rate_change is None
    assert comparison_words.statement(found) == (
        "2 fields changed (1 newly-held, 1 changed), 1 did not."
    )


def test_the_comparison_for_a_program(tmp_path: Path) -> None:
    """Every rate has its numerator and denominator beside it."""
    found = comparison_words.as_dict(compared(tmp_path, OLD, NEW, "settled"))
    found = json.loads(json.dumps(found))
    assert found["classes"] == {name: 2 if name == "mended" else 1 for name in CLASSES}
    assert {name: round(part, 6) for name, part in found["pass_rate_change"].items()} == {
        "whole": 0.017857,
        "same_cases": 0.0,
        "scored_set": 0.017857,
    }
    assert (found["new"]["passed"], found["new"]["scored"], found["new"]["total"]) == (7, 8, 10)
    assert (found["new"]["common_passed"], found["new"]["common_scored"]) == (3, 4)
    assert found["new"]["adjudicated"] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param("no-folder", "is no results folder: coverage.json cannot be read", id="none"),
        pytest.param("other-task", "compare two evaluations of one kind", id="other-task"),
        pytest.param("no-sheets", "run again with --to csv or --to xlsx", id="json-only"),
        pytest.param("fewer-rows", "", id="rows-taken"),
        pytest.param("no-digests", "has 0 passed cases, and coverage.json says 1", id="edited"),
        pytest.param("part", "is a part of an evaluation, and", id="part"),
        pytest.param("candidates", "several candidates (a, b); name the folder of one", id="both"),
        pytest.param("no-json", "is not what evalbatch wrote", id="coverage-edited"),
    ],
)
def test_folders_that_cannot_be_compared(tmp_path: Path, change: str, message: str) -> None:
    """Each is told what it lacks."""
    old = published(tmp_path, "old", OLD)
    new = published(tmp_path, "new", OLD[:1])
    if change == "no-folder":
        new = tmp_path / "nothing"
    elif change == "other-task":
        new = sheets.publish(tmp_path, "id,text,struck\na,x,false\n")
    elif change == "no-sheets":
        new = published(tmp_path, "json", OLD, to="json")
    elif change == "fewer-rows":
        scored = new / "scored.csv"
        row = scored.read_text().splitlines()[1]
        scored.write_text(scored.read_text().replace(row, f"{row}\r\n{row}"))
        message = "was changed since evalbatch wrote it (scored.csv), so that it does not say"
    elif change == "no-digests":
        (new / "manifest.json").unlink()
        scored = new / "scored.csv"
        scored.write_text(scored.read_text().replace("true,1 of 1", "false,1 of 1"))
    elif change == "part":
        new = tmp_path / "part"
        evalbatch.run(old / "scored.csv", new, to=["csv"])
    elif change == "candidates":
        new = tmp_path / "candidates"
        (tmp_path / "key.csv").write_text("id,state,expected\nx,agreed,true\n")
        for name in ("a", "b"):
            (tmp_path / f"{name}.csv").write_text("id,answer\nx,true\n")
        answers = [tmp_path / "a.csv", tmp_path / "b.csv"]
        evalbatch.run_candidates(tmp_path / "key.csv", answers, new)
    else:
        (new / "manifest.json").unlink()
        (new / "coverage.json").write_text("[]")
    with pytest.raises(EvalbatchError) as error:
        evalbatch.compare(old, new)
    assert message in str(error.value)


rows = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "0012", "12", "14 (number)", "=x"]),
        st.sampled_from([AGREED, AGREED, DISPUTED, None]),
        st.sampled_from([True, False, None, "TRUE"]),
        st.sampled_from([True, False, None]),
    ),
    min_size=1,
    max_size=8,
)


@given(rows, rows, st.sets(st.sampled_from(["a", "b", "0012"])))
def test_every_case_is_told_once_and_the_parts_add_up(old: Rows, new: Rows, decided: Any) -> None:
    """Over random keys and decisions; the counts are those of the two evaluations."""
    with tempfile.TemporaryDirectory() as name:
        found = compared(Path(name), old, new, *sorted(decided))
    ids = {row[0] for row in old} | {row[0] for row in new}
    assert sum(found.counts.values()) + found.unchanged == len(ids)
    assert sorted(found.cases["id"]) == sorted({row["id"] for row in found.rows()})
    both = [(row["old"], row["new"]) for row in found.rows() if row["class"] not in CLASSES[:2]]
    assert all(before and now for before, now in both)
    change = found.rate_change
    assert change is not None
    if found.old_common.scored:
        assert change.same_cases is not None
        assert change.whole == change.same_cases + (change.scored_set or 0)
        fixed, regressed = found.counts["fixed"], found.counts["regressed"]
        told = found.new_common.passed - found.old_common.passed
        # A case that a decision settles anew is told as such, whether or not it passes.
        assert told == fixed - regressed or found.counts["newly-adjudicated"]
