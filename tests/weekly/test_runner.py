"""The weekly run: each sheet by itself, and all of them in the history."""

import os
from datetime import timedelta
from pathlib import Path

import openpyxl
import pytest

import evalbatch
from evalbatch import history
from evalbatch.errors import EvalbatchError
from evalbatch.weekly import totals
from evalbatch.weekly.results import Batch
from evalbatch.weekly.runner import run
from tests import books, sheets
from tests.weekly.jobs import BROKEN, COMPLETE, HEADER, KEY, MONDAY, SPANS, WEEK, job

ALL = '[[sheet]]\npath = "*.csv"\n'


def errors(batch: Batch) -> dict[str, str | None]:
    """Give each sheet with the error that it failed with."""
    return {sheet.name: sheet.error for sheet in batch.sheets}


def statements(batch: Batch) -> dict[str, str]:
    """Give what is said of each sheet that was evaluated."""
    return {one.name: one.coverage["statement"] for one in batch.sheets if one.coverage}


def test_eight_of_ten_sheets(tmp_path: Path) -> None:
    """The two that are broken are named, the others published, and the history shows all ten."""
    good = {f"key{number}": KEY for number in range(8)}
    no_state = KEY.replace("state", "status")
    batch = run(job(tmp_path, ALL, **good, cut=BROKEN, named=no_state), now=MONDAY)
    assert not batch.passed
    assert {name for name, error in errors(batch).items() if error} == {"cut.csv", "named.csv"}
    assert errors(batch)["cut.csv"] == (
        "a quote opens in row 2 and is never closed; close it, or remove it if it is not meant."
    )
    assert sorted(path.name for path in (tmp_path / "results" / "2025-W31").iterdir()) == list(good)
    [recorded] = history.read(tmp_path / "weekly.toml").runs
    assert {sheet.name: sheet.error for sheet in recorded.sheets} == errors(batch)
    assert len(recorded.sheets) == 10


def test_results_are_those_of_a_run_by_itself(tmp_path: Path) -> None:
    """Byte for byte, options included."""
    text = """
        [[sheet]]
        path = "a.csv"
        columns = { expected = "gold" }
        true = ["yes"]
    """
    data = KEY.replace("expected", "gold").replace("b,agreed,true", "b,agreed,yes")
    run(job(tmp_path, text, a=data), now=MONDAY)
    alone = tmp_path / "alone"
    evalbatch.run(tmp_path / "a.csv", alone, columns={"expected": "gold"}, true=["yes"])
    batch = tmp_path / "results" / "2025-W31" / "a"
    assert {path.name: path.read_bytes() for path in batch.iterdir()} == {
        path.name: path.read_bytes() for path in alone.iterdir()
    }


def test_a_rerun_of_unchanged_inputs_is_no_other_run(tmp_path: Path) -> None:
    """It is recognised, nothing is written again, and the time is kept."""
    path = job(tmp_path, ALL, a=KEY, broken=BROKEN)
    first = run(path, now=MONDAY)
    folder = tmp_path / "results" / "2025-W31" / "a"
    before = folder.stat().st_ino
    second = run(path, now=MONDAY + timedelta(hours=3))
    assert second.recorded.repeated
    assert second.recorded.run == first.recorded.run
    assert not second.passed
    assert statements(second) == statements(first)
    assert errors(second) == errors(first)
    assert [sheet.stands for sheet in second.sheets] == [True, False]
    assert folder.stat().st_ino == before
    [recorded] = history.read(path).runs
    assert recorded.repeats == ("2025-07-28T09:00:00+02:00",)


def test_unchanged_inputs_in_another_week_are_published_but_not_counted(tmp_path: Path) -> None:
    """Whoever looks for the results of the week finds them; the history has no new run."""
    path = job(tmp_path, ALL, a=KEY)
    run(path, now=MONDAY)
    again = run(path, now=MONDAY + WEEK)
    assert again.recorded.repeated
    assert sheets.coverage(tmp_path / "results" / "2025-W32" / "a")["total"] == 3
    assert run(path, now=MONDAY + WEEK).sheets[0].stands
    [recorded] = history.read(path).runs
    assert recorded.sheets[0].folders == ("results/2025-W31/a", "results/2025-W32/a")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda folder: (folder / "a.csv").write_text(COMPLETE), id="a-sheet"),
        pytest.param(lambda folder: job(folder, ALL + 'true = "yes"\n'), id="an-option"),
        pytest.param(
            lambda folder: job(folder, ALL + "gates = { min_coverage = 0.1 }\n"), id="a-gate"
        ),
        pytest.param(lambda folder: job(folder, ALL + 'results = { to = "csv" }\n'), id="a-format"),
        pytest.param(lambda folder: (folder / "c.csv").write_text(KEY), id="a-sheet-more"),
        pytest.param(lambda folder: (folder / "b.csv").unlink(), id="a-sheet-less"),
    ],
)
def test_whatever_goes_in_makes_another_run(tmp_path: Path, change: object) -> None:
    """Digests stand for all bytes, options and gates."""
    path = job(tmp_path, ALL, a=KEY, b=KEY)
    run(path, now=MONDAY)
    assert callable(change)
    change(tmp_path)
    assert not run(path, now=MONDAY + WEEK).recorded.repeated
    assert len(history.read(path).runs) == 2


def test_only_what_has_changed_is_evaluated_again(tmp_path: Path) -> None:
    """The other sheets' results stand, and the new run has their figures too."""
    path = job(tmp_path, ALL, a=KEY, b=KEY)
    run(path, now=MONDAY)
    (tmp_path / "a.csv").write_text(COMPLETE)
    batch = run(path, now=MONDAY)
    assert {sheet.name: sheet.stands for sheet in batch.sheets} == {"a.csv": False, "b.csv": True}
    latest = history.read(path).runs[-1]
    assert latest.number == 2
    assert [sheet.coverage and sheet.coverage["scored"] for sheet in latest.sheets] == [3, 2]


def test_results_that_were_removed_are_made_again(tmp_path: Path) -> None:
    """Unchanged inputs do not mean that the results are there."""
    path = job(tmp_path, ALL, a=KEY)
    run(path, now=MONDAY)
    held = tmp_path / "results" / "2025-W31" / "a"
    held.rename(tmp_path / "moved")
    assert run(path, now=MONDAY).recorded.repeated
    assert sheets.coverage(held) == sheets.coverage(tmp_path / "moved")


def test_a_decision_typed_into_results_is_never_lost(tmp_path: Path) -> None:
    """Unchanged inputs leave it alone, mended ones fail that sheet, and the next week is free."""
    path = job(tmp_path, ALL, a=KEY)
    run(path, now=MONDAY)
    held = tmp_path / "results" / "2025-W31" / "a" / "held.csv"
    held.write_text(held.read_text() + "typed by hand")
    assert run(path, now=MONDAY).passed
    (tmp_path / "a.csv").write_text(COMPLETE)
    same_week = run(path, now=MONDAY)
    error = errors(same_week)["a.csv"]
    assert error is not None
    assert "has changed since evalbatch wrote it ('held.csv' was changed)" in error
    assert run(path, now=MONDAY + WEEK).passed
    assert held.read_text().endswith("typed by hand")


def test_results_are_kept_where_they_must_not_be_replaced(tmp_path: Path) -> None:
    """Without overwrite, a second run into the same folder fails that sheet."""
    text = '[results]\nfolder = "{stem}-results"\noverwrite = false\n' + ALL
    path = job(tmp_path, text, a=KEY)
    run(path, now=MONDAY)
    (tmp_path / "a.csv").write_text(COMPLETE)
    error = errors(run(path, now=MONDAY))["a.csv"]
    assert error is not None
    assert "holds earlier results" in error
    assert sheets.coverage(tmp_path / "a-results")["scored"] == 2


def test_a_failure_that_passes_off_is_another_run(tmp_path: Path) -> None:
    """A folder in the way, then none: the inputs are the same, the end is not."""
    path = job(tmp_path, ALL, a=KEY)
    in_the_way = tmp_path / "results"
    in_the_way.write_text("a file")
    error = errors(run(path, now=MONDAY))["a.csv"]
    assert error is not None
    assert "cannot be made" in error
    in_the_way.unlink()
    batch = run(path, now=MONDAY)
    assert batch.passed
    assert not batch.recorded.repeated
    assert [run.sheets[0].error is None for run in history.read(path).runs] == [False, True]


def test_gates_are_exact_and_those_of_the_sheet_come_first(tmp_path: Path) -> None:
    """55 of 100 is not less than 0.55; a gate of the job on the pass rate spares spans."""
    rows = [f"{i},{'agreed' if i < 55 else 'disputed'},true,true\n" for i in range(100)]
    text = """
        [gates]
        min_coverage = 0.55
        min_pass_rate = 0.55
        [[sheet]]
        path = ["key.csv", "spans.csv"]
        [[sheet]]
        path = "other.csv"
        gates = { min_coverage = 0.5501, require_complete = true }
    """
    key = HEADER + "".join(rows)
    spans = "id,text,struck\na,x,false\nb,y,false\n"
    batch = run(job(tmp_path, text, key=key, other=key, spans=spans), now=MONDAY)
    assert {sheet.name: sheet.unmet for sheet in batch.sheets} == {
        "key.csv": (),
        "spans.csv": (),
        "other.csv": (
            "require_complete; 55 of 100 scored",
            "min_coverage 0.5501; 55 of 100 scored (55.0%)",
        ),
    }
    assert not batch.passed


def test_a_gate_on_the_pass_rate_of_spans_fails_their_sheet(tmp_path: Path) -> None:
    """Where it was asked of them alone, it is a slip."""
    text = '[[sheet]]\npath = "s.csv"\ngates = { min_pass_rate = 0.5 }\n'
    error = errors(run(job(tmp_path, text, s=SPANS), now=MONDAY))["s.csv"]
    assert error is not None
    assert "spans have no pass rate" in error


def test_workbooks_by_sheet(tmp_path: Path) -> None:
    """Two sheets of one workbook have each their results and their own line in the history."""
    book = openpyxl.Workbook()
    for title in ("One", "Two"):
        sheet = book.create_sheet(title)
        sheet.append(books.KEY)
        sheet.append(["a", "agreed", True, True])
    (tmp_path / "book.xlsx").write_bytes(books.saved(book))
    text = "".join(
        f'[[sheet]]\npath = "book.xlsx"\nsheet = "{one}"\nresults = {{ folder = "{one}" }}\n'
        for one in ("One", "Two")
    )
    batch = run(job(tmp_path, text), now=MONDAY)
    assert batch.passed
    assert list(statements(batch)) == ["book.xlsx (sheet One)", "book.xlsx (sheet Two)"]
    assert sheets.coverage(tmp_path / "Two")["source"]["sheet"] == "Two"


def test_a_sheet_that_is_gone_is_named(tmp_path: Path) -> None:
    """A glob says nothing of what it does not find any more."""
    path = job(tmp_path, ALL, a=KEY, b=KEY)
    run(path, now=MONDAY)
    (tmp_path / "b.csv").unlink()
    assert run(path, now=MONDAY + WEEK).gone == ("b.csv",)
    assert run(path, now=MONDAY + 2 * WEEK).gone == ()


def test_a_missing_sheet_fails_by_itself(tmp_path: Path) -> None:
    """And not the job."""
    batch = run(job(tmp_path, '[[sheet]]\npath = ["a.csv", "b.csv"]\n', a=KEY), now=MONDAY)
    assert errors(batch)["a.csv"] is None
    assert "No such file or directory" in str(errors(batch)["b.csv"])


@pytest.mark.skipif(os.name == "nt", reason="such names cannot be there")
def test_a_name_that_is_no_text_is_recorded_escaped(tmp_path: Path) -> None:
    """A file from another system may have one."""
    (tmp_path / os.fsdecode(b"k\xff.csv")).write_text(KEY)
    path = job(tmp_path, ALL)
    batch = run(path, now=MONDAY)
    assert list(statements(batch)) == ["k\\udcff.csv"]
    assert run(path, now=MONDAY).recorded.repeated


def test_paths_are_relative_to_the_job_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is run from."""
    (tmp_path / "jobs").mkdir()
    path = job(tmp_path / "jobs", ALL, a=KEY)
    monkeypatch.chdir(tmp_path)
    first = run(path.relative_to(tmp_path), now=MONDAY)
    monkeypatch.chdir("/")
    assert run(path, now=MONDAY).recorded.repeated
    assert list(statements(first)) == ["a.csv"]


def test_nothing_is_written_for_a_job_that_cannot_be_used(tmp_path: Path) -> None:
    """Not even a history."""
    path = job(tmp_path, "[[sheet]]\n")
    with pytest.raises(EvalbatchError):
        run(path)
    assert [one.name for one in tmp_path.iterdir()] == ["weekly.toml"]


def test_decisions_and_answers_stand_beside_a_sheet(tmp_path: Path) -> None:
    """Their paths start from the job file; a change in them is a change of the sheet."""
    (tmp_path / "in").mkdir()
    decisions = tmp_path / "in" / "decisions.csv"
    decisions.write_text("id,decision,decided_by,decided_on\nc,TRUE,Ann,\n")
    (tmp_path / "in" / "model.csv").write_text("id,answer\na,true\nb,true\nc,true\n")
    text = """
        [results]
        overwrite = true
        [[sheet]]
        path = "key.csv"
        adjudications = "in/decisions.csv"
        answers = "in/model.csv"
    """
    labels = "id,state,expected\na,agreed,true\nb,agreed,true\nc,disputed,\n"
    path = job(tmp_path, text, key=labels)
    [first] = run(path, now=MONDAY).sheets
    assert first.coverage is not None
    assert first.coverage["reasons"] == {"adjudication-incomplete": 1}
    decisions.write_text("id,decision,decided_by,decided_on\nc,TRUE,Ann,2025-07-28\n")
    [second] = run(path, now=MONDAY).sheets
    assert second.coverage is not None
    assert second.coverage["adjudicated"] == 1
    [case] = history.read(path).case("c")
    assert [str(step) for step in case.steps] == [
        "held adjudication-incomplete disputed",
        "scored, passed (adjudicated)",
    ]


def test_each_candidate_is_a_sheet_of_its_own(tmp_path: Path) -> None:
    """With its own folder and its own path through the weeks."""
    text = """
        [[sheet]]
        path = "key.csv"
        answers = ["good.csv", "bad.csv"]
    """
    labels = "id,state,expected\na,agreed,true\n"
    path = job(tmp_path, text, key=labels, good="id,answer\na,true\n", bad="id,answer\na,false\n")
    batch = run(path, now=MONDAY)
    assert {one.name: one.folder for one in batch.sheets} == {
        "key.csv (answers good.csv)": "results/2025-W31/key/good",
        "key.csv (answers bad.csv)": "results/2025-W31/key/bad",
    }
    assert [one.coverage and one.coverage["passed"] for one in batch.sheets] == [1, 0]
    assert totals.totals(batch.sheets) == []
    assert totals.left_out(batch.sheets) == (
        "Not counted there: 2 candidates share their key, and so their cases, with another."
    )


def test_a_sheet_named_for_two_candidates_is_run_for_each(tmp_path: Path) -> None:
    """Also in tables of their own: neither takes the place of the other."""
    text = """
        [[sheet]]
        path = "key.csv"
        answers = "good.csv"
        [[sheet]]
        path = "key.csv"
        answers = "bad.csv"
    """
    labels = "id,state,expected\na,agreed,true\n"
    path = job(tmp_path, text, key=labels, good="id,answer\na,true\n", bad="id,answer\na,false\n")
    batch = run(path, now=MONDAY)
    assert [one.coverage and one.coverage["passed"] for one in batch.sheets] == [1, 0]


def test_results_that_were_edited_stand_and_are_named(tmp_path: Path) -> None:
    """Where the sheet has not changed, nothing is evaluated again, and nobody's work replaced."""
    path = job(tmp_path, ALL, a=KEY)
    run(path, now=MONDAY)
    held = tmp_path / "results" / "2025-W31" / "a" / "held.csv"
    held.write_text("a decision")
    said: list[str] = []
    assert run(path, now=MONDAY, say=said.append).recorded.repeated
    assert said == [
        "a.csv: nothing has changed in the sheet; its results have been since they were written "
        "('held.csv' was changed), and stay as they are"
    ]


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_what_a_glob_matches_and_is_no_file_is_told(tmp_path: Path) -> None:
    """A link that leads nowhere is a sheet that cannot be read."""
    path = job(tmp_path, ALL, a=KEY)
    (tmp_path / "b.csv").symlink_to(tmp_path / "unmounted" / "b.csv")
    (tmp_path / "c.csv").mkdir()
    os.mkfifo(tmp_path / "d.csv")
    batch = run(path, now=MONDAY)
    assert [name for name, error in errors(batch).items() if error] == ["b.csv"]
    assert batch.skipped == (("c.csv", "a folder"), ("d.csv", "no regular file"))


def test_marks_by_formatting(tmp_path: Path) -> None:
    """As the library takes them."""
    (tmp_path / "spans.xlsx").write_bytes(books.written([["id", "text"], ["a", "x"]]))
    path = job(tmp_path, '[[sheet]]\npath = "spans.xlsx"\nmarks = "formatting"\n')
    [sheet] = run(path, now=MONDAY).sheets
    assert sheet.coverage is not None
    assert sheet.coverage["scored"] == 1
