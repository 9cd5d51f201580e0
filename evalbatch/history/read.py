"""What the history tells: its runs, the path of one case, and what has been held the longest."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from evalbatch.errors import EvalbatchError
from evalbatch.history import queries
from evalbatch.history.past import CasePath, Held, Run, SheetFigures, Step
from evalbatch.history.runs import End
from evalbatch.history.schema import opened
from evalbatch.words import encodable, listed, shown

FILE_NAME = "history.sqlite"


@dataclass(frozen=True, slots=True)
class History:
    """The recorded runs of a job (of all jobs where `job` is None), oldest first."""

    path: Path
    job: str | None
    runs: tuple[Run, ...]

    def figures(self) -> list[dict[str, Any]]:
        """Give one row for each sheet in each run: every count, and the rates beside them.

        A sheet that failed has its `error` and no counts. `low` and `high` are the bounds of the
        full pass rate; None for spans.
        """
        return [_figures(run, sheet) for run in self.runs for sheet in run.sheets]

    def case(self, case: str) -> list[CasePath]:
        """Follow a case through the runs, in each sheet that has had it.

        Raises EvalbatchError for a case that no recorded sheet has had.
        """
        with opened(self.path) as connection:
            found = queries.cases_named(connection, case, self.job)
            if not found:
                raise EvalbatchError(
                    f"{self.path}: no recorded sheet has had the case {shown(case)}"
                    f"{queries.near(connection, case, self.job)}."
                )
            return [self._path(connection, case, *row) for row in found]

    def longest_held(self) -> list[Held]:
        """Give the cases that are held in the latest run of their job, longest held first.

        What was held when its sheet last was evaluated counts, if the latest run still names the
        sheet. Cases that have been held as long are ordered by sheet and id.
        """
        latest = {run.job: run for run in self.runs}
        found = []
        with opened(self.path) as connection:
            for run in latest.values():
                for sheet in run.sheets:
                    found += self._held(connection, run, sheet.name)
        return sorted(found, key=lambda one: (-one.days, -one.runs, one.job, one.sheet, one.case))

    def _path(
        self, connection: Connection, case: str, kase: int, sheet: int, job: str, name: str
    ) -> CasePath:
        changes = queries.changes_of(connection, kase)
        steps = []
        end = None
        for run, error in self._runs_of(connection, sheet):
            end = changes.get(run.number, end)
            if run.number >= min(changes):
                steps.append(Step(run, None if error is not None else end, error))
        return CasePath(case, job, name, tuple(steps))

    def _held(self, connection: Connection, latest: Run, name: str) -> list[Held]:
        sheet = queries.sheet_number(connection, latest.job, name)
        evaluated = [run for run, error in self._runs_of(connection, sheet) if error is None]
        found = []
        for case, changes in queries.held(connection, sheet, self.runs[-1].number).items():
            since = _unbroken(changes)
            stretch = [run for run in evaluated if run.number >= since]
            days = _days(stretch[0].ended, latest.last_ended)
            reason = changes[-1][1].reason if changes[-1][1] else ""
            found.append(Held(case, latest.job, name, reason, stretch[0], len(stretch), days))
        return found

    def _runs_of(self, connection: Connection, sheet: int) -> list[tuple[Run, str | None]]:
        by_number = {run.number: run for run in self.runs}
        rows = connection.execute(
            "SELECT run, error FROM sheet_runs WHERE sheet = ? ORDER BY run", (sheet,)
        )
        return [(by_number[run], error) for run, error in rows if run in by_number]


def read(path: Path | str) -> History:
    """Read the history of a job file, or all of a `history.sqlite`.

    Raises EvalbatchError where there is none, or none of that job.
    """
    path = Path(path)
    is_job = path.suffix.lower() == ".toml"
    file = path.with_name(FILE_NAME) if is_job else path
    job = encodable(path.name) if is_job else None
    with opened(file) as connection:
        runs = queries.runs(connection, job)
        if not runs:
            rows = connection.execute("SELECT DISTINCT job FROM runs ORDER BY job")
            jobs = listed([one for (one,) in rows])
            others = f"; it has runs of {jobs}" if jobs else ""
            of_job = f" of {job}" if job else ""
            raise EvalbatchError(f"{file}: no run{of_job} is recorded yet{others}.")
    return History(file, job, runs)


def _figures(run: Run, sheet: SheetFigures) -> dict[str, Any]:
    found = sheet.coverage or {}
    low, high = found.get("full_pass_rate_bounds") or (None, None)
    counts = ("total", "scored", "adjudicated", "held", "invalid", "passed")
    names = ("statement", "task", "coverage", *counts)
    return {
        "run": run.number,
        "ended": datetime.fromisoformat(run.ended),
        "job": run.job,
        "sheet": sheet.name,
        **{name: found.get(name) for name in names},
        "low": low,
        "high": high,
        "error": sheet.error,
    }


def _unbroken(changes: list[tuple[int, End | None]]) -> int:
    """Give the run since which a case is held without a break; `changes` end with a held one."""
    since = changes[-1][0]
    for run, end in reversed(changes):
        if end is None or end.disposition != "held":
            break
        since = run
    return since


def _days(begin: str, end: str) -> int:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).days
