"""Recording a run: all of it in one transaction, so that a kill leaves none of it or everything."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from evalbatch import __version__
from evalbatch.history.runs import Cases, End, SheetRun
from evalbatch.history.schema import transaction


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run as it stands in the history, and since when: `repeated` if it was there before."""

    run: int
    ended: str
    repeated: bool


@dataclass(frozen=True, slots=True)
class LastRun:
    """The latest run of a job: its sheets by name, and every place of their results."""

    id: int
    ended: str
    fingerprint: str
    sheets: dict[str, SheetRun]
    places: dict[tuple[str, str], str]


def last_run(connection: sqlite3.Connection, job: str) -> LastRun | None:
    """Give the latest run of a job, None if there is none."""
    row = connection.execute(
        "SELECT id, ended, fingerprint FROM runs WHERE job = ? ORDER BY id DESC LIMIT 1", (job,)
    ).fetchone()
    if row is None:
        return None
    run, ended, fingerprint = row
    sheets = connection.execute(
        "SELECT name, digest, error, coverage, unmet FROM sheet_runs JOIN sheets "
        "ON sheets.id = sheet WHERE run = ? ORDER BY position",
        (run,),
    )
    places = connection.execute(
        "SELECT name, folder, manifest FROM places JOIN sheets ON sheets.id = sheet WHERE run = ?",
        (run,),
    )
    return LastRun(
        run,
        ended,
        fingerprint,
        sheets={
            name: SheetRun(
                name,
                digest,
                error,
                None if coverage is None else json.loads(coverage),
                tuple(json.loads(unmet)),
            )
            for name, digest, error, coverage, unmet in sheets
        },
        places={(name, folder): manifest for name, folder, manifest in places},
    )


def begin_folder(connection: sqlite3.Connection, job: str, folder: str) -> None:
    """Note that a batch is about to publish into a folder that is not there yet."""
    connection.execute("INSERT OR IGNORE INTO unfinished VALUES (?, ?)", (job, folder))


def unfinished_folders(connection: sqlite3.Connection, job: str) -> frozenset[str]:
    """Give the folders that a batch of this job published before it was stopped unrecorded."""
    rows = connection.execute("SELECT folder FROM unfinished WHERE job = ?", (job,))
    return frozenset(folder for (folder,) in rows)


def record(
    connection: sqlite3.Connection,
    job: str,
    sheets: Sequence[SheetRun],
    *,
    fingerprint: str,
    begun: str,
    ended: str,
) -> Recorded:
    """Record a run, unless the latest one had the same inputs and came to the same end.

    `fingerprint` stands for all inputs, options and the version. A repeated run leaves no run of
    its own, but its time and the places of its results.
    """
    with transaction(connection):
        connection.execute("DELETE FROM unfinished WHERE job = ?", (job,))
        last = last_run(connection, job)
        if last is not None and last.fingerprint == fingerprint and _same(last, sheets):
            _add_places(connection, last.id, job, sheets)
            connection.execute("INSERT INTO repeats VALUES (?, ?)", (last.id, ended))
            return Recorded(last.id, last.ended, repeated=True)
        cursor = connection.execute(
            "INSERT INTO runs (job, begun, ended, version, fingerprint) VALUES (?, ?, ?, ?, ?)",
            (job, begun, ended, __version__, fingerprint),
        )
        run = cursor.lastrowid or 0
        for position, sheet in enumerate(sheets):
            number = _sheet_number(connection, job, sheet.name)
            _add_sheet(connection, run, number, position, sheet)
            if sheet.cases is not None:
                _add_changes(connection, run, number, sheet.cases)
        _add_places(connection, run, job, sheets)
        return Recorded(run, ended, repeated=False)


def _same(last: LastRun, sheets: Sequence[SheetRun]) -> bool:
    return [_end(one) for one in last.sheets.values()] == [_end(one) for one in sheets]


def _end(sheet: SheetRun) -> tuple[object, ...]:
    return sheet.name, sheet.error, _json(sheet.coverage), sheet.unmet


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _sheet_number(connection: sqlite3.Connection, job: str, name: str) -> int:
    connection.execute("INSERT OR IGNORE INTO sheets (job, name) VALUES (?, ?)", (job, name))
    found: int = connection.execute(
        "SELECT id FROM sheets WHERE job = ? AND name = ?", (job, name)
    ).fetchone()[0]
    return found


def _add_sheet(
    connection: sqlite3.Connection, run: int, number: int, position: int, sheet: SheetRun
) -> None:
    coverage = None if sheet.coverage is None else _json(sheet.coverage)
    connection.execute(
        "INSERT INTO sheet_runs (run, sheet, position, digest, error, coverage, unmet) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (run, number, position, sheet.digest, sheet.error, coverage, _json(sheet.unmet)),
    )


def _add_places(
    connection: sqlite3.Connection, run: int, job: str, sheets: Sequence[SheetRun]
) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO places (run, sheet, folder, manifest) VALUES (?, ?, ?, ?)",
        [
            (run, _sheet_number(connection, job, one.name), one.folder, one.manifest)
            for one in sheets
            if one.folder is not None
        ],
    )


def _add_changes(connection: sqlite3.Connection, run: int, sheet: int, cases: Cases) -> None:
    """Add a row for each case that ended in another way than when the sheet was last evaluated."""
    before = {name: (number, end) for number, name, end in _ends_now(connection, sheet)}
    ends = _end_numbers(connection, cases.ends)
    highest = connection.execute("SELECT coalesce(max(id), 0) FROM cases").fetchone()[0]
    numbers: Iterator[int] = count(highest + 1)
    new: list[tuple[int, int, str]] = []
    changed: list[tuple[int, int, int | None]] = []
    for name, code in zip(cases.ids.to_pylist(), cases.codes.tolist(), strict=True):
        number, end = before.pop(name, (0, None))
        if not number:
            number = next(numbers)
            new.append((number, sheet, name))
        if end != ends[code]:
            changed.append((number, run, ends[code]))
    changed += [(number, run, None) for number, end in before.values() if end is not None]
    connection.executemany("INSERT INTO cases VALUES (?, ?, ?)", new)
    connection.executemany("INSERT INTO changes VALUES (?, ?, ?)", changed)


def _ends_now(connection: sqlite3.Connection, sheet: int) -> Iterator[tuple[int, str, int | None]]:
    # Beside max(), SQLite gives the other columns of the row that has it.
    rows = connection.execute(
        "SELECT cases.id, cases.name, ending, max(run) FROM cases JOIN changes ON kase = cases.id "
        "WHERE sheet = ? GROUP BY cases.id",
        (sheet,),
    )
    return ((number, name, end) for number, name, end, _ in rows)


def _end_numbers(connection: sqlite3.Connection, ends: Sequence[End]) -> list[int]:
    rows = connection.execute("SELECT id, disposition, passed, reason FROM ends")
    known = {(row[1], row[2], row[3]): row[0] for row in rows}
    found = []
    for end in ends:
        key = (end.disposition, None if end.passed is None else int(end.passed), end.reason)
        if key not in known:
            cursor = connection.execute(
                "INSERT INTO ends (disposition, passed, reason) VALUES (?, ?, ?)", key
            )
            known[key] = cursor.lastrowid or 0
        found.append(known[key])
    return found
