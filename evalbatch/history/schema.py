"""The history's database: its tables, and how an older file is brought up to them.

One file with a rollback journal, not a write-ahead log: it is written once a week in one short
transaction, and people copy it, mail it and keep it on network shares, where a log and its shared
memory would be left behind or would not work at all.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from evalbatch.errors import EvalbatchError, FolderBusyError, PublishError

APPLICATION = 0x45_56_42_48
_WAIT_SECONDS = 60
_OF_THE_DISK = (
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE runs (
            id INTEGER PRIMARY KEY,
            job TEXT NOT NULL,
            begun TEXT NOT NULL,
            ended TEXT NOT NULL,
            version TEXT NOT NULL,
            fingerprint TEXT NOT NULL
        )""",
        "CREATE INDEX runs_of_jobs ON runs (job, id)",
        """CREATE TABLE sheets (
            id INTEGER PRIMARY KEY,
            job TEXT NOT NULL,
            name TEXT NOT NULL,
            UNIQUE (job, name)
        )""",
        """CREATE TABLE sheet_runs (
            run INTEGER NOT NULL REFERENCES runs,
            sheet INTEGER NOT NULL REFERENCES sheets,
            position INTEGER NOT NULL,
            digest TEXT NOT NULL,
            error TEXT,
            coverage TEXT,
            unmet TEXT NOT NULL,
            PRIMARY KEY (run, sheet),
            CHECK ((error IS NULL) = (coverage IS NOT NULL))
        )""",
        """CREATE TABLE places (
            run INTEGER NOT NULL REFERENCES runs,
            sheet INTEGER NOT NULL REFERENCES sheets,
            folder TEXT NOT NULL,
            manifest TEXT NOT NULL,
            PRIMARY KEY (run, sheet, folder)
        )""",
        """CREATE TABLE ends (
            id INTEGER PRIMARY KEY,
            disposition TEXT NOT NULL,
            passed INTEGER,
            reason TEXT NOT NULL
        )""",
        """CREATE TABLE cases (
            id INTEGER PRIMARY KEY,
            sheet INTEGER NOT NULL REFERENCES sheets,
            name TEXT NOT NULL,
            UNIQUE (sheet, name)
        )""",
        # A case has a row only where its end is another one than before; without an end it is gone.
        """CREATE TABLE changes (
            kase INTEGER NOT NULL REFERENCES cases,
            run INTEGER NOT NULL REFERENCES runs,
            ending INTEGER REFERENCES ends,
            PRIMARY KEY (kase, run)
        ) WITHOUT ROWID""",
        # The folders that a batch has begun to publish, for as long as it is not recorded.
        """CREATE TABLE unfinished (
            job TEXT NOT NULL,
            folder TEXT NOT NULL,
            PRIMARY KEY (job, folder)
        )""",
    ),
    (
        """CREATE TABLE repeats (
            run INTEGER NOT NULL REFERENCES runs,
            ended TEXT NOT NULL
        )""",
    ),
)
"""What brings a database from version n to version n + 1."""


@contextmanager
def opened(path: Path, *, create: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a history, brought up to the present schema; every statement commits by itself.

    Raises EvalbatchError for a file that is no history, or a later one's; FolderBusyError while
    another program holds it; PublishError where it cannot be written.
    """
    try:
        with closing(_connected(path, create)) as connection:
            _migrate(connection, path)
            yield connection
    except sqlite3.DatabaseError as error:
        told = _told(error, path)
        if told is None:
            raise
        raise told from error


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do everything or nothing, and keep other writers out meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _connected(path: Path, create: bool) -> sqlite3.Connection:
    if not create and not path.is_file():
        raise EvalbatchError(f"{path}: there is no such history; evalbatch batch writes one.")
    uri = f"{path.resolve().as_uri()}?mode={'rwc' if create else 'rw'}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_WAIT_SECONDS)
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    if _version(connection, path) == len(MIGRATIONS):
        return
    with transaction(connection):
        # Another run may have done it while this one waited.
        for statements in MIGRATIONS[_version(connection, path) :]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if application != APPLICATION and (tables or version):
        raise EvalbatchError(
            f"{path}: this is a database of another program; move it away, for evalbatch keeps "
            "its history under this name."
        )
    if version > len(MIGRATIONS):
        raise EvalbatchError(
            f"{path}: a later version of evalbatch wrote this history (schema {version}; this one "
            f"knows {len(MIGRATIONS)}). Install that version."
        )
    return version


def _told(error: sqlite3.DatabaseError, path: Path) -> EvalbatchError | None:
    """Say what a user can do about an error of the database; None for one that is our own."""
    # Errors that Python raises itself have no code.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return FolderBusyError(
            f"{path}: another program holds the history; wait until it has ended."
        )
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return EvalbatchError(
            f"{path}: this is no history that can be read ({error}). Put back a copy, or move it "
            "away to begin a new one."
        )
    if code in _OF_THE_DISK:
        return PublishError(
            f"{path}: the history cannot be opened or written ({error}). Check the disk and the "
            "permissions of its folder, and run again; results that are published stand."
        )
    return None
