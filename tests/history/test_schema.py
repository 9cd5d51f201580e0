"""The history's file: older ones are brought up, later ones and others refused, kills survived."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from evalbatch import history
from evalbatch.errors import EvalbatchError, FolderBusyError
from evalbatch.history import schema
from evalbatch.history.schema import APPLICATION, MIGRATIONS, opened
from evalbatch.weekly.runner import run
from tests.weekly.jobs import COMPLETE, KEY, MONDAY, WEEK, job

# A history as the first schema had it: one run of a sheet with a scored and a held case.
FIRST = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = 1;
CREATE TABLE runs (id INTEGER PRIMARY KEY, job TEXT NOT NULL, begun TEXT NOT NULL,
    ended TEXT NOT NULL, version TEXT NOT NULL, fingerprint TEXT NOT NULL);
CREATE INDEX runs_of_jobs ON runs (job, id);
CREATE TABLE sheets (id INTEGER PRIMARY KEY, job TEXT NOT NULL, name TEXT NOT NULL,
    UNIQUE (job, name));
CREATE TABLE sheet_runs (run INTEGER NOT NULL REFERENCES runs,
    sheet INTEGER NOT NULL REFERENCES sheets, position INTEGER NOT NULL, digest TEXT NOT NULL,
    error TEXT, coverage TEXT, unmet TEXT NOT NULL, PRIMARY KEY (run, sheet),
    CHECK ((error IS NULL) = (coverage IS NOT NULL)));
CREATE TABLE places (run INTEGER NOT NULL REFERENCES runs,
    sheet INTEGER NOT NULL REFERENCES sheets, folder TEXT NOT NULL, manifest TEXT NOT NULL,
    PRIMARY KEY (run, sheet, folder));
CREATE TABLE ends (id INTEGER PRIMARY KEY, disposition TEXT NOT NULL, passed INTEGER,
    reason TEXT NOT NULL);
CREATE TABLE cases (id INTEGER PRIMARY KEY, sheet INTEGER NOT NULL REFERENCES sheets,
    name TEXT NOT NULL, UNIQUE (sheet, name));
CREATE TABLE changes (kase INTEGER NOT NULL REFERENCES cases, run INTEGER NOT NULL REFERENCES runs,
    ending INTEGER REFERENCES ends, PRIMARY KEY (kase, run)) WITHOUT ROWID;
CREATE TABLE unfinished (job TEXT NOT NULL, folder TEXT NOT NULL, PRIMARY KEY (job, folder));
INSERT INTO runs VALUES (1, 'weekly.toml', '2025-07-21T06:00:00+02:00',
    '2025-07-21T06:00:01+02:00', '0.1.0', 'x');
INSERT INTO sheets VALUES (1, 'weekly.toml', 'key.csv');
INSERT INTO sheet_runs VALUES (1, 1, 0, 'x', NULL,
    '{{"statement": "1 of 1 scored cases passed", "scored": 1, "total": 2}}', '[]');
INSERT INTO ends VALUES (1, 'scored', 1, ''), (2, 'held', NULL, 'disputed');
INSERT INTO cases VALUES (1, 1, 'a'), (2, 1, 'c');
INSERT INTO changes VALUES (1, 1, 1), (2, 1, 2);
"""
# Opens a history, and ends its own process for good at the nth statement.
KILLED_AT = """
import os, signal, sqlite3, sys
from pathlib import Path
count, nth = 0, int(sys.argv[2])
def step(statement):
    global count
    count += 1
    if count == nth:
        os.kill(os.getpid(), signal.SIGKILL)
def traced(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.set_trace_callback(step)
    return connection
connect, sqlite3.connect = sqlite3.connect, traced
from evalbatch.history.schema import opened
with opened(Path(sys.argv[1])):
    pass
"""


def made(path: Path, script: str) -> Path:
    """Make a database of a script."""
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return path


def dump(path: Path) -> list[str]:
    """Give all that a database holds, and its version."""
    connection = sqlite3.connect(path)
    found = [*connection.iterdump(), str(connection.execute("PRAGMA user_version").fetchone())]
    connection.close()
    return found


def tables(path: Path) -> dict[str, str]:
    """Give the definitions of a database, white space aside."""
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    found = {name: "".join(sql.split()) for name, sql in rows}
    connection.close()
    return found


def test_an_older_history_is_brought_up_and_goes_on(tmp_path: Path) -> None:
    """Nothing of it is lost, and the next run is its second."""
    made(tmp_path / "history.sqlite", FIRST)
    path = job(tmp_path, '[[sheet]]\npath = "key.csv"\n', key=COMPLETE)
    assert run(path, now=MONDAY).recorded.run == 2
    past = history.read(path)
    assert [one.number for one in past.runs] == [1, 2]
    [followed] = past.case("c")
    ends = [step.end for step in followed.steps]
    assert [end and end.disposition for end in ends] == ["held", "scored"]
    with opened(tmp_path / "new.sqlite", create=True):
        pass
    assert tables(tmp_path / "history.sqlite") == tables(tmp_path / "new.sqlite")


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_migration_that_is_killed(tmp_path: Path) -> None:
    """The older history stands as it was until the newer one is whole."""
    before = dump(made(tmp_path / "before.sqlite", FIRST))
    with opened(made(tmp_path / "after.sqlite", FIRST)):
        pass
    after = dump(tmp_path / "after.sqlite")
    seen = set()
    for nth in range(1, 50):
        path = made(tmp_path / f"{nth}.sqlite", FIRST)
        program = [sys.executable, "-c", KILLED_AT, str(path), str(nth)]
        code = subprocess.run(program, check=False).returncode
        found = dump(path)
        assert found in (before, after)
        seen.add(found == after)
        if code == 0:
            break
        assert code == -signal.SIGKILL
        with opened(path):
            pass
        assert dump(path) == after
    assert nth > len(MIGRATIONS[1])
    assert seen == {False, True}


def test_a_later_history_is_refused_and_left_alone(tmp_path: Path) -> None:
    """What a later version means by its tables is not known."""
    path = made(tmp_path / "history.sqlite", FIRST + "PRAGMA user_version = 99;")
    before = dump(path)
    with pytest.raises(EvalbatchError, match=r"a later version of evalbatch .* \(schema 99") as one:
        history.read(path)
    assert one.value.exit_code == 2
    assert dump(path) == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"not a database, but long enough to look", "no history", id="no-database"),
        pytest.param(None, "a database of another program", id="another-program"),
    ],
)
def test_another_file_under_its_name_is_refused(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    """And left alone."""
    path = tmp_path / "history.sqlite"
    if content is None:
        made(path, "CREATE TABLE notes (text)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(EvalbatchError, match=message):
        run(job(tmp_path, '[[sheet]]\npath = "key.csv"\n', key=KEY))
    assert path.read_bytes() == before
    assert not (tmp_path / "results").exists()


def test_a_missing_history_is_not_made_by_asking(tmp_path: Path) -> None:
    """Reading writes nothing."""
    with pytest.raises(EvalbatchError, match="there is no such history"):
        history.read(tmp_path / "weekly.toml")
    assert list(tmp_path.iterdir()) == []


def test_a_history_that_another_program_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is waited for, then told with exit code 3."""
    monkeypatch.setattr(schema, "_WAIT_SECONDS", 0.05)
    path = job(tmp_path, '[[sheet]]\npath = "key.csv"\n', key=KEY)
    run(path, now=MONDAY)
    other = sqlite3.connect(tmp_path / "history.sqlite", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(FolderBusyError, match="another program holds the history") as busy:
        run(path, now=MONDAY + WEEK)
    other.close()
    assert busy.value.exit_code == 3


def test_a_history_that_cannot_be_written_can_be_read(tmp_path: Path) -> None:
    """As from a backup, or by somebody who may only look."""
    path = job(tmp_path, '[[sheet]]\npath = "key.csv"\n', key=KEY)
    run(path, now=MONDAY)
    (tmp_path / "history.sqlite").chmod(0o444)
    assert len(history.read(path).runs) == 1


def test_a_fault_of_our_own_is_no_fault_of_the_disk(tmp_path: Path) -> None:
    """A wrong statement must not read as a full disk."""
    with (
        pytest.raises(sqlite3.OperationalError, match="no such table"),
        opened(tmp_path / "history.sqlite", create=True) as connection,
    ):
        connection.execute("SELECT * FROM nowhere")
