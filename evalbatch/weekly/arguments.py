"""The options and manuals of the weekly run and of its history."""

from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path

Add = Callable[[str, str, str, str], ArgumentParser]
"""Adds a command: its name, line of help, manual and example."""

_BATCH_MANUAL = """\
Evaluates every sheet that a job file names, publishes a results folder for each, and
records the run in history.sqlite beside the job file.

A sheet that fails stops no other one: the summary names it and says why, and the exit
code is 1. A sheet of which nothing has changed since the latest run is not evaluated
again, and a run of which nothing has is not counted again.
"""

_BATCH_EXAMPLE = """\
example:
  $ evalbatch batch --init weekly.toml
  $ cat weekly.toml
  [results]
  folder = "results/{week}/{stem}"
  [[sheet]]
  path = "keys/*.xlsx"
  $ evalbatch batch weekly.toml --log weekly.log
  9 of 10 sheets evaluated; 1 failed.
  ...

"""

_HISTORY_MANUAL = """\
Tells what the runs of a job have found: a line for each run and sheet, the path of one
case through the weeks, or a page with the course of every sheet and the cases that
have been held the longest.
"""

_HISTORY_EXAMPLE = """\
example:
  $ evalbatch history weekly.toml --case Q17
  $ evalbatch history weekly.toml --report history.html

"""


def add_batch(add: Add) -> None:
    """Add `evalbatch batch`."""
    parser = add("batch", "evaluate the sheets of a job", _BATCH_MANUAL, _BATCH_EXAMPLE)
    parser.add_argument(
        "job",
        type=Path,
        nargs="?",
        metavar="JOB.toml",
        help="the job file (with --init weekly.toml, if none is named)",
    )
    parser.add_argument(
        "--init",
        action="store_true",
        help="write a job file with all keys explained, and evaluate nothing",
    )
    parser.add_argument(
        "--summary",
        type=Path,
        metavar="FILE",
        help="write the summary as Markdown, for the page of a CI job",
    )
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="append a line with its time for each step"
    )
    parser.add_argument("--json", action="store_true", help="print the batch as JSON, not in words")


def add_history(add: Add) -> None:
    """Add `evalbatch history`."""
    parser = add("history", "what the weeks have found", _HISTORY_MANUAL, _HISTORY_EXAMPLE)
    parser.add_argument(
        "history",
        type=Path,
        metavar="FILE",
        help="a job file, or a history.sqlite for the runs of all jobs in it",
    )
    parser.add_argument("--case", metavar="ID", help="follow one case through the runs")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE.html",
        help="write a page with charts (needs pip install 'evalbatch[plot]')",
    )
    parser.add_argument("--json", action="store_true", help="print it as JSON, not in words")
