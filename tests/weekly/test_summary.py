"""What a weekly run says: on a terminal, on the page of a CI job, and to a program."""

from datetime import timedelta
from pathlib import Path

import pytest

import evalbatch
from evalbatch.weekly import summary
from evalbatch.weekly.results import Batch
from evalbatch.weekly.runner import run
from evalbatch.weekly.summary_md import markdown, markdown_of_error
from evalbatch.weekly.totals import left_out, totals
from tests.weekly.jobs import BROKEN, COMPLETE, KEY, MONDAY, SPANS, job

MIXED = """
    [gates]
    min_coverage = 0.9
    [[sheet]]
    path = "*.csv"
"""


@pytest.fixture
def batch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Batch:
    """Give a run with a complete key, one that misses a gate, spans, and a broken sheet."""
    monkeypatch.chdir(tmp_path)
    job(tmp_path, MIXED, art=COMPLETE, maths=KEY, spans=SPANS, z=BROKEN)
    (tmp_path / "~$art.csv").write_text("")
    return run("weekly.toml", now=MONDAY)


def test_what_failed_comes_first(batch: Batch) -> None:
    """Then what misses a gate, then each sheet with its denominators and what is to be done."""
    assert (
        "\n".join(summary.lines(batch))
        == """\
3 of 4 sheets evaluated; 1 failed, 2 miss their gates.

Failed
  z.csv: a quote opens in row 2 and is never closed; close it, or remove it if it is not meant.

Gates not met
  maths.csv: min_coverage 0.9; 2 of 3 scored (66.7%)
  spans.csv: min_coverage 0.9; 1 of 2 scored (50.0%)

art.csv
  2 of 3 scored cases passed; 3 of 3 cases scored (100.0%): the full evaluation, pass rate 66.7%.
  results in results/2025-W31/art

maths.csv
  1 of 2 scored cases passed; 2 of 3 cases scored (66.7%), 1 held, 0 invalid: not the full \
evaluation, whose pass rate lies between 33.3% and 66.7%.
  to settle: disputed 1; results in results/2025-W31/maths

spans.csv
  1 of 2 fields scored (50.0%), 1 held, 0 invalid: not the full evaluation.
  to settle: review-none 1; results in results/2025-W31/spans

2 answer keys together: 3 of 5 scored cases passed; 5 of 6 cases scored (83.3%), 1 held, 0 invalid.
Not counted there: 1 sheet failed, and how many cases it holds is not known.

Skipped
  ~$art.csv: an owner file: the workbook is open in Excel

Recorded as run 1 in history.sqlite"""
    )


def test_a_run_over_again_says_so(batch: Batch) -> None:
    """And since when nothing has changed; the rest is the same."""
    again = list(summary.lines(run("weekly.toml", now=MONDAY + timedelta(hours=1))))
    assert again[:2] == [
        "3 of 4 sheets evaluated; 1 failed, 2 miss their gates.",
        "Nothing has changed since run 1 (2025-07-28 06:00): the same sheets and "
        "options. It is not counted again.",
    ]
    assert again[-1] == "history.sqlite holds it as run 1"
    rest = [line for line in again[2:-1] if not line.endswith("(unchanged)")]
    before = [line for line in summary.lines(batch) if not line.endswith(".csv")]
    assert rest == before[1:-1]


def test_the_page_of_a_ci_job(batch: Batch) -> None:
    """In Markdown, no rate without what it is out of."""
    assert (
        markdown(batch)
        == """\
# weekly.toml

**3 of 4 sheets evaluated; 1 failed, 2 miss their gates.**

## Failed

- z.csv: a quote opens in row 2 and is never closed; close it, or remove it if it is not meant.

## Gates not met

- maths.csv: min\\_coverage 0.9; 2 of 3 scored (66.7%)
- spans.csv: min\\_coverage 0.9; 1 of 2 scored (50.0%)

## Sheets

| sheet | scored | passed | held | invalid | full pass rate |
|---|---|---|---|---|---|
| art.csv | 3 of 3 (100.0%) | 2 of 3 scored | 0 of 3 | 0 of 3 | 66.7% |
| maths.csv | 2 of 3 (66.7%) | 1 of 2 scored | 1 of 3 | 0 of 3 | 33.3% to 66.7% |
| spans.csv | 1 of 2 (50.0%) |  | 1 of 2 | 0 of 2 |  |

2 answer keys together: 3 of 5 scored cases passed; 5 of 6 cases scored (83.3%), 1 held, 0 \
invalid.

Not counted there: 1 sheet failed, and how many cases it holds is not known.

## Skipped

- \\~\\$art.csv: an owner file: the workbook is open in Excel

Recorded as run 1 in history.sqlite
"""
    )


def test_no_name_becomes_markup(tmp_path: Path) -> None:
    """Whatever a file is called."""
    name = "a|b`<img src=x>`[x](y) *z* #1 @me"
    (tmp_path / f"{name}.csv").write_text(KEY)
    (tmp_path / "line\nbreak.csv").write_text(BROKEN)
    page = markdown(run(job(tmp_path, '[[sheet]]\npath = "*.csv"\n'), now=MONDAY))
    assert r"| a\|b\`\<img src=x\>\`\[x\](y) \*z\* \#1 \@me.csv | 2 of 3" in page
    assert r"- line\\nbreak.csv: a quote opens" in page


def test_the_page_of_a_run_that_did_not_begin() -> None:
    """No page of an earlier run is left in its place."""
    assert markdown_of_error(
        "weekly.toml", "weekly.toml, line 1: no *path* at www.x.y or http://z."
    ) == (
        "# weekly.toml\n\nThe batch did not run: weekly.toml, line 1: no \\*path\\* at www\\.x.y or http\\://z.\n"
    )


def test_counts_are_added_task_by_task(batch: Batch) -> None:
    """A single sheet makes no total, and rates are never added."""
    assert [one.statement for one in totals(batch.sheets)] == [
        "2 answer keys together: 3 of 5 scored cases passed; 5 of 6 cases scored (83.3%), 1 held, "
        "0 invalid."
    ]


def test_parts_are_in_no_total(tmp_path: Path) -> None:
    """Their other cases stand elsewhere, and may be in another sheet of the job."""
    (tmp_path / "a.csv").write_text(KEY)
    evalbatch.run(tmp_path / "a.csv", tmp_path / "out", to=["csv"])
    text = '[[sheet]]\npath = ["a.csv", "b.csv", "out/scored.csv"]\n'
    found = run(job(tmp_path, text, b=KEY), now=MONDAY)
    [total] = totals(found.sheets)
    assert (total.sheets, total.total) == (2, 6)
    assert left_out(found.sheets) == (
        "Not counted there: 1 sheet holds only a part of an evaluation."
    )
    assert "| 2 of 2 (100.0%), part of 3 |" in markdown(found)


def test_a_long_list_of_skipped_files_is_cut_and_says_so(tmp_path: Path) -> None:
    """A year of results folders would bury the rest."""
    for number in range(12):
        (tmp_path / f"~${number:02}.csv").write_text("")
    found = run(job(tmp_path, '[[sheet]]\npath = "*.csv"\n', a=KEY), now=MONDAY)
    lines = list(summary.lines(found))
    assert lines[-4:-2] == [
        "  ~$09.csv: an owner file: the workbook is open in Excel",
        "  and 2 more; the log names them all",
    ]
    assert "~$10" not in "".join(lines)


def test_all_of_it_for_a_program(batch: Batch) -> None:
    """Each sheet with its coverage, or the error that it failed with."""
    found = summary.as_dict(batch)
    assert [(one["name"], one["error"] is None) for one in found["sheets"]] == [
        ("art.csv", True),
        ("maths.csv", True),
        ("spans.csv", True),
        ("z.csv", False),
    ]
    assert found["sheets"][1]["coverage"]["statement"].startswith("1 of 2 scored cases passed;")
    assert found["sheets"][1]["unmet"] == ["min_coverage 0.9; 2 of 3 scored (66.7%)"]
    assert found["totals"][0]["passed"] == 3
    assert (found["run"], found["repeated"], found["gone"]) == (1, False, [])
