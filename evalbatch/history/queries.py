"""The questions that are put to the history's database."""

import json
from sqlite3 import Connection

from evalbatch.history.past import Run, SheetFigures
from evalbatch.history.runs import End
from evalbatch.lookalikes import fold_lookalikes
from evalbatch.records import Disposition
from evalbatch.words import listed, shown


def runs(connection: Connection, job: str | None) -> tuple[Run, ...]:
    """Give the runs of a job, or of all jobs, oldest first, each with its sheets in their order."""
    repeats: dict[int, list[str]] = {}
    for run, ended in connection.execute("SELECT run, ended FROM repeats ORDER BY rowid"):
        repeats.setdefault(run, []).append(ended)
    sheets = _sheets(connection)
    rows = connection.execute(
        "SELECT id, job, ended, version FROM runs WHERE coalesce(job = ?, 1) ORDER BY id", (job,)
    )
    return tuple(
        Run(number, of, ended, version, tuple(repeats.get(number, ())), tuple(sheets[number]))
        for number, of, ended, version in rows
    )


def _sheets(connection: Connection) -> dict[int, list[SheetFigures]]:
    folders: dict[tuple[int, int], list[str]] = {}
    for run, sheet, folder in connection.execute(
        "SELECT run, sheet, folder FROM places ORDER BY rowid"
    ):
        folders.setdefault((run, sheet), []).append(folder)
    found: dict[int, list[SheetFigures]] = {}
    for run, sheet, name, error, coverage, unmet in connection.execute(
        "SELECT run, sheet, name, error, coverage, unmet FROM sheet_runs JOIN sheets "
        "ON sheets.id = sheet ORDER BY run, position"
    ):
        found.setdefault(run, []).append(
            SheetFigures(
                name,
                error,
                None if coverage is None else json.loads(coverage),
                tuple(json.loads(unmet)),
                tuple(folders.get((run, sheet), ())),
            )
        )
    return found


def sheet_number(connection: Connection, job: str, name: str) -> int:
    """Give the number of a sheet that is recorded."""
    row = connection.execute("SELECT id FROM sheets WHERE job = ? AND name = ?", (job, name))
    found: int = row.fetchone()[0]
    return found


def cases_named(
    connection: Connection, case: str, job: str | None
) -> list[tuple[int, int, str, str]]:
    """Find an id in the sheets: the numbers of the case and its sheet, the job, and the sheet."""
    return connection.execute(
        "SELECT cases.id, sheets.id, sheets.job, sheets.name FROM sheets JOIN cases "
        "ON cases.sheet = sheets.id WHERE cases.name = ? AND coalesce(sheets.job = ?, 1) "
        "ORDER BY sheets.id",
        (case, job),
    ).fetchall()


def changes_of(connection: Connection, kase: int) -> dict[int, End | None]:
    """Give the changes of a case: by run, where it ended from then on (None where it is gone)."""
    rows = connection.execute(
        "SELECT run, disposition, passed, reason FROM changes LEFT JOIN ends ON ends.id = ending "
        "WHERE kase = ? ORDER BY run",
        (kase,),
    )
    return {run: _end(*row) for run, *row in rows}


def held(connection: Connection, sheet: int, last: int) -> dict[str, list[tuple[int, End | None]]]:
    """Give the cases of a sheet that are held in the run `last`, with their changes until then."""
    # Beside max(), SQLite gives the other columns of the row that has it.
    rows = connection.execute(
        "WITH latest AS (SELECT kase, ending, max(run) FROM changes JOIN cases ON cases.id = kase "
        "WHERE sheet = :sheet AND run <= :last GROUP BY kase) "
        "SELECT name, run, disposition, passed, reason FROM latest "
        "JOIN cases ON cases.id = latest.kase JOIN changes ON changes.kase = latest.kase "
        "LEFT JOIN ends ON ends.id = changes.ending "
        "WHERE run <= :last "
        "AND latest.ending IN (SELECT id FROM ends WHERE disposition = 'held') ORDER BY name, run",
        {"sheet": sheet, "last": last},
    )
    found: dict[str, list[tuple[int, End | None]]] = {}
    for name, run, *row in rows:
        found.setdefault(name, []).append((run, _end(*row)))
    return found


def _end(disposition: Disposition | None, passed: int | None, reason: str) -> End | None:
    if disposition is None:
        return None
    return End(disposition, None if passed is None else bool(passed), reason)


def near(connection: Connection, case: str, job: str | None) -> str:
    """Name cases whose id differs from a wanted one only in what the eye passes over."""
    folded = fold_lookalikes(case)
    rows = connection.execute(
        "SELECT DISTINCT cases.name FROM cases JOIN sheets ON sheets.id = cases.sheet "
        "WHERE coalesce(sheets.job = ?, 1) ORDER BY cases.name",
        (job,),
    )
    found = [shown(name) for (name,) in rows if fold_lookalikes(name) == folded]
    return f"; ids match by every character, and it has had {listed(found, 5)}" if found else ""
