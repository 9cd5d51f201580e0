"""The command: `python -m tests.benchmarks [JOB ...]`, from the top of the repository."""

import argparse
import compileall
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.benchmarks import sheets, table
from tests.benchmarks.jobs import JOBS, PEERS
from tests.benchmarks.running import run

_PACKAGE = Path(__file__).parents[2] / "evalbatch"


def main(argv: Sequence[str] | None = None) -> int:
    """Make the sheets, run the jobs, print the table; return the exit code."""
    given = _parser().parse_args(argv)
    jobs = [job for job in JOBS if job.name in (given.jobs or [one.name for one in JOBS])]
    if given.rows is not None:
        jobs = [replace(job, rows=given.rows) for job in jobs]
    # An installed package has its bytecode beside it, as the peers' libraries do.
    compileall.compile_dir(_PACKAGE, quiet=1)
    with tempfile.TemporaryDirectory(prefix="evalbatch-benchmarks-") as scratch:
        folder = given.folder or Path(scratch)
        _print(table.HEADER)
        for job in jobs:
            sheet = folder / job.sheet
            if not sheet.exists():
                sheets.make(job.kind, job.rows, sheet)
            usages = run(job, sheet, given.peers, Path(scratch), given.repeat, _say)
            _print("\n".join(table.lines(job, usages)))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks",
        description="Measure evalbatch against scripts that do the same work, as whole processes "
        "in turn, and check that the scored cases are the same. Ratios are evalbatch's figure by "
        "the peer's: below 1 it took less.",
    )
    names = ", ".join(job.name for job in JOBS)
    parser.add_argument(
        "jobs", nargs="*", type=_job, metavar="JOB", help=f"of {names}; all by default"
    )
    parser.add_argument("--rows", type=int, help="rows of each sheet, in place of the job's own")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each command (default: 5)")
    parser.add_argument(
        "--folder",
        type=Path,
        help="where sheets are made and kept, and taken from if they are there",
    )
    parser.add_argument(
        "--peers", type=Path, default=PEERS, help="a folder of other scripts of the same names"
    )
    return parser


def _job(name: str) -> str:
    if all(name != job.name for job in JOBS):
        raise argparse.ArgumentTypeError(f"there is no job {name!r}")
    return name


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


if __name__ == "__main__":
    sys.exit(main())
