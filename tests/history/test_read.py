"""`evalbatch history`: what a person and a program are told."""

import json
from pathlib import Path

import pytest

from evalbatch import history
from evalbatch.cli import main
from evalbatch.errors import EvalbatchError
from evalbatch.weekly.runner import run
from tests.weekly.jobs import BROKEN, HEADER, MONDAY, SPANS, WEEK, job

WEEKS = (
    HEADER + "a,agreed,true,true\nb,disputed,,\nc,disputed,,\n",
    HEADER + "a,agreed,true,true\nb,disputed,,\nc,agreed,false,true\nd,disputed,,\n",
    BROKEN,
    HEADER + "b,disputed,,\nc,agreed,true,true\nd,disputed,,\n",
)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a job that has run for four weeks, in the third of which its key was broken."""
    monkeypatch.chdir(tmp_path)
    path = job(Path(), '[[sheet]]\npath = ["key.csv", "spans.csv"]\n', spans=SPANS)
    for number, week in enumerate(WEEKS):
        Path("key.csv").write_text(week)
        run(path, now=MONDAY + number * WEEK)
    run(path, now=MONDAY + 4 * WEEK)
    return path


def test_the_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each with its sheets in the order of the job, as they were stated."""
    assert main(["history", str(path)]) == 0
    blocks = capsys.readouterr().out.split("\n\n")
    assert blocks[2:] == [
        "run 3  2025-08-11 06:00  weekly.toml\n"
        "  key.csv: failed: a quote opens in row 2 and is never closed; close it, or remove it if "
        "it is not meant.\n"
        "  spans.csv: 1 of 2 fields scored (50.0%), 1 held, 0 invalid: not the full evaluation.",
        "run 4  2025-08-18 06:00  weekly.toml, over again with nothing changed 2025-08-25 06:00\n"
        "  key.csv: 1 of 1 scored cases passed; 1 of 3 cases scored (33.3%), 2 held, 0 invalid: "
        "not the full evaluation, whose pass rate lies between 33.3% and 100.0%.\n"
        "  spans.csv: 1 of 2 fields scored (50.0%), 1 held, 0 invalid: not the full evaluation.\n",
    ]


@pytest.mark.parametrize(
    ("case", "steps"),
    [
        ("a", ["scored, passed", "scored, passed", "the sheet failed: ", "not in the sheet"]),
        ("b", ["held disputed", "held disputed", "the sheet failed: ", "held disputed"]),
        ("c", ["held disputed", "scored, failed", "the sheet failed: ", "scored, passed"]),
        ("d", ["held disputed", "the sheet failed: ", "held disputed"]),
    ],
)
def test_a_case_through_the_weeks(
    path: Path, capsys: pytest.CaptureFixture[str], case: str, steps: list[str]
) -> None:
    """A line for each run since the sheet first had it."""
    assert main(["history", str(path), "--case", case]) == 0
    head, *lines = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert head == f"{case} in key.csv (weekly.toml)"
    assert len(lines) == len(steps)
    for line, step in zip(lines, steps, strict=True):
        assert step in line


def test_a_case_of_two_sheets(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each sheet is followed by itself."""
    assert main(["history", str(path), "--case", "b"]) == 0
    key, spans = capsys.readouterr().out.strip().split("\n\n")
    assert key.startswith("b in key.csv")
    assert spans.splitlines() == [
        "b in spans.csv (weekly.toml)",
        "  run 1    2025-07-28 06:00  held review-none",
        "  run 2    2025-08-04 06:00  held review-none",
        "  run 3    2025-08-11 06:00  held review-none",
        "  run 4    2025-08-18 06:00  held review-none",
    ]


def test_a_case_for_a_program(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same as JSON; null where the case has no end."""
    assert main(["history", str(path), "--case", "c", "--json"]) == 0
    [sheet] = json.loads(capsys.readouterr().out)["sheets"]
    assert [(step["disposition"], step["pass"], step["reason"]) for step in sheet["steps"]] == [
        ("held", None, "disputed"),
        ("scored", False, ""),
        (None, None, None),
        ("scored", True, ""),
    ]
    assert sheet["steps"][2]["error"].startswith("a quote opens")


def test_the_runs_for_a_program(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the whole coverage of each sheet."""
    assert main(["history", str(path.with_name("history.sqlite")), "--json"]) == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [run["run"] for run in runs] == [1, 2, 3, 4]
    assert runs[3]["repeats"] == ["2025-08-25T06:00:00+02:00"]
    assert runs[0]["sheets"][0]["coverage"]["held"] == 2
    assert runs[2]["sheets"][0]["coverage"] is None


def test_the_longest_held(path: Path) -> None:
    """A sheet that failed for a week breaks nothing; days last until the job was last run."""
    found = [
        (one.case, one.sheet, one.reason, one.since.number, one.runs, one.days)
        for one in history.read(path).longest_held()
    ]
    assert found == [
        ("b", "spans.csv", "review-none", 1, 4, 28),
        ("b", "key.csv", "disputed", 1, 3, 28),
        ("d", "key.csv", "disputed", 2, 2, 21),
    ]


def test_the_figures_have_their_denominators(path: Path) -> None:
    """A row for each sheet and run, failed ones included."""
    rows = [row for row in history.read(path).figures() if row["sheet"] == "key.csv"]
    assert [(row["run"], row["passed"], row["scored"], row["total"]) for row in rows] == [
        (1, 1, 1, 3),
        (2, 1, 2, 4),
        (3, None, None, None),
        (4, 1, 1, 3),
    ]
    assert rows[1]["low"] == pytest.approx(1 / 4)
    assert rows[1]["high"] == pytest.approx(3 / 4)
    assert rows[2]["error"].startswith("a quote opens")


def test_a_history_that_is_held_stays_what_it_was(path: Path) -> None:
    """Runs that are recorded after it was read are not in it."""
    past = history.read(path)
    before = past.longest_held()
    Path("key.csv").write_text(WEEKS[0])
    run(path, now=MONDAY + 5 * WEEK)
    assert past.longest_held() == before


def test_an_id_that_only_looks_the_same_is_named(path: Path) -> None:
    """Ids match by every character."""
    with pytest.raises(EvalbatchError, match=r"has had the case 'B '.*it has had 'b'"):
        history.read(path).case("B ")


def test_a_job_without_runs_names_those_that_have_some(path: Path) -> None:
    """As after a job file was renamed."""
    path.rename("renamed.toml")
    with pytest.raises(EvalbatchError, match=r"no run of renamed\.toml .* runs of weekly\.toml"):
        history.read("renamed.toml")
