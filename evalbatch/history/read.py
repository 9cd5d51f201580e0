"""What the history tells: its runs, the path of one case, and what has been held the longest."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from evalbatch.errors import EvalbatchError
from evalbatch.history.runs import End
from evalbatch.history.schema import opened
from evalbatch.words import listed, shown

FILE_NAME = "history.sqlite"


@dataclass(frozen=True, slots=True)
class SheetFigures:
    """A sheet in a run: its coverage as in coverage.json, or the error with which it failed."""

    name: str
    error: str | None
    coverage: Mapping[str, Any] | None
    unmet: tuple[str, ...]
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A recorded run, and the times at which it was run over again with nothing changed.

    Times are local ones, as ISO 8601 with the offset from UTC.
    """

    number: int
    job: str
    ended: str
    version: str
    repeats: tuple[str, ...]
    sheets: tuple[SheetFigures, ...]

    @property
    def last_ended(self) -> str:
        """When it was run last, itself or over again."""
        return self.repeats[-1] if self.repeats else self.ended


@dataclass(frozen=True, slots=True)
class Step:
    """A case in one run: its end, or the error of its sheet; neither where it was not there."""

    run: Run
    end: End | None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class CasePath:
    """A case of one sheet, with a step for each run that had the sheet since it first had it."""

    case: str
    job: str
    sheet: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A case that is held now: since which run without a break, and in how many runs.

    `days` lie between that run and the latest time that the job was run. A run in which its sheet
    failed breaks nothing.
    """

    case: str
    job: str
    sheet: str
    reason: str
    since: Run
    runs: int
    days: int


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
            found = connection.execute(
                "SELECT cases.id, sheets.id, sheets.job, sheets.name FROM sheets JOIN cases "
                "ON cases.sheet = sheets.id WHERE cases.name = ? AND coalesce(sheets.job = ?, 1) "
                "ORDER BY sheets.id",
                (case, self.job),
            ).fetchall()
            if not found:
                raise EvalbatchError(
                    f"{self.path}: no recorded sheet has had the case {shown(case)}"
                    f"{_near(connection, case, self.job)}."
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
        self, connection: sqlite3.Connection, case: str, kase: int, sheet: int, job: str, name: str
    ) -> CasePath:
        changes = _changes(connection, "kase = ?", kase)[case]
        steps = []
        end = None
        for run, error in self._runs_of(connection, sheet):
            end = changes.get(run.number, end)
            if run.number >= min(changes):
                steps.append(Step(run, None if error is not None else end, error))
        return CasePath(case, job, name, tuple(steps))

    def _held(self, connection: sqlite3.Connection, latest: Run, name: str) -> list[Held]:
        [sheet] = connection.execute(
            "SELECT id FROM sheets WHERE job = ? AND name = ?", (latest.job, name)
        ).fetchone()
        evaluated = [run for run, error in self._runs_of(connection, sheet) if error is None]
        found = []
        held_now = (
            "kase IN (SELECT id FROM (SELECT cases.id AS id, ending, max(run) FROM cases JOIN "
            "changes ON kase = cases.id WHERE sheet = ? GROUP BY cases.id) WHERE ending IN "
            "(SELECT id FROM ends WHERE disposition = 'held'))"
        )
        for case, changes in _changes(connection, held_now, sheet).items():
            first = max(changes)
            for run in sorted(changes, reverse=True):
                end = changes[run]
                if end is None or end.disposition != "held":
                    break
                first = run
            stretch = [run for run in evaluated if run.number >= first]
            reason = changes[max(changes)]
            found.append(
                Held(
                    case,
                    latest.job,
                    name,
                    "" if reason is None else reason.reason,
                    stretch[0],
                    len(stretch),
                    _days(stretch[0].ended, latest.last_ended),
                )
            )
        return found

    def _runs_of(self, connection: sqlite3.Connection, sheet: int) -> list[tuple[Run, str | None]]:
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
    job = path.name if is_job else None
    with opened(file) as connection:
        runs = _runs(connection, job)
        if not runs:
            rows = connection.execute("SELECT DISTINCT job FROM runs ORDER BY job")
            jobs = listed([one for (one,) in rows])
            others = f"; it has runs of {jobs}" if jobs else ""
            of_job = f" of {job}" if job else ""
            raise EvalbatchError(f"{file}: no run{of_job} is recorded yet{others}.")
    return History(file, job, runs)


def _runs(connection: sqlite3.Connection, job: str | None) -> tuple[Run, ...]:
    folders: dict[tuple[int, int], list[str]] = {}
    for run, sheet, folder in connection.execute(
        "SELECT run, sheet, folder FROM places ORDER BY rowid"
    ):
        folders.setdefault((run, sheet), []).append(folder)
    sheets: dict[int, list[SheetFigures]] = {}
    for run, sheet, name, error, coverage, unmet in connection.execute(
        "SELECT run, sheet, name, error, coverage, unmet FROM sheet_runs JOIN sheets "
        "ON sheets.id = sheet ORDER BY run, position"
    ):
        sheets.setdefault(run, []).append(
            SheetFigures(
                name,
                error,
                None if coverage is None else json.loads(coverage),
                tuple(json.loads(unmet)),
                tuple(folders.get((run, sheet), ())),
            )
        )
    repeats: dict[int, list[str]] = {}
    for run, ended in connection.execute("SELECT run, ended FROM repeats ORDER BY rowid"):
        repeats.setdefault(run, []).append(ended)
    rows = connection.execute(
        "SELECT id, job, ended, version FROM runs WHERE coalesce(job = ?, 1) ORDER BY id", (job,)
    )
    return tuple(
        Run(number, of, ended, version, tuple(repeats.get(number, ())), tuple(sheets[number]))
        for number, of, ended, version in rows
    )


def _changes(
    connection: sqlite3.Connection, where: str, value: int
) -> dict[str, dict[int, End | None]]:
    """Give the changes of some cases: by id and run, where it ended since (None if it is gone)."""
    found: dict[str, dict[int, End | None]] = {}
    rows = connection.execute(
        "SELECT cases.name, run, disposition, passed, reason FROM changes "
        "JOIN cases ON cases.id = kase LEFT JOIN ends ON ends.id = ending "
        f"WHERE {where} ORDER BY kase, run",
        (value,),
    )
    for name, run, disposition, passed, reason in rows:
        end = None
        if disposition is not None:
            end = End(disposition, None if passed is None else bool(passed), reason)
        found.setdefault(name, {})[run] = end
    return found


def _figures(run: Run, sheet: SheetFigures) -> dict[str, Any]:
    found = sheet.coverage or {}
    low, high = found.get("full_pass_rate_bounds") or (None, None)
    names = ("statement", "task", "total", "scored", "held", "invalid", "coverage", "passed")
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


def _near(connection: sqlite3.Connection, case: str, job: str | None) -> str:
    """Name cases whose id differs from a wanted one only in what the eye passes over."""
    from evalbatch.ids import fold_lookalikes

    folded = fold_lookalikes(case)
    rows = connection.execute(
        "SELECT DISTINCT cases.name FROM cases JOIN sheets ON sheets.id = cases.sheet "
        "WHERE coalesce(sheets.job = ?, 1) ORDER BY cases.name",
        (job,),
    )
    near = [shown(name) for (name,) in rows if fold_lookalikes(name) == folded]
    return f"; ids match by every character, and it has had {listed(near, 5)}" if near else ""


def _days(begin: str, end: str) -> int:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(begin)).days
