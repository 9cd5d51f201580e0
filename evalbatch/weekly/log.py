"""The log of the weekly run, and its file for a scheduler: a line for each step, with its time."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalbatch.errors import EvalbatchError
from evalbatch.words import legible

_DATA = (".csv", ".tsv", ".txt", ".xlsx", ".xlsm", ".json", ".jsonl", ".ndjson", ".toml", ".sqlite")
LOGGER = logging.getLogger("evalbatch.weekly")
# Without a handler, Python prints warnings by itself.
LOGGER.addHandler(logging.NullHandler())


@contextmanager
def logging_to(path: Path | None) -> Iterator[None]:
    """Append what is logged to a file meanwhile; raise EvalbatchError if it cannot be written."""
    if path is None:
        yield
        return
    try:
        handler = _FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise EvalbatchError(f"--log {path}: cannot be written: {error.strerror}.") from None
    handler.setFormatter(
        _Formatter("%(asctime)s %(levelname)-7s %(message)s", "%Y-%m-%dT%H:%M:%S%z")
    )
    level = LOGGER.level
    LOGGER.setLevel(logging.INFO)
    LOGGER.addHandler(handler)
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        LOGGER.setLevel(level)
        handler.close()


def refuse_data(flag: str, path: Path) -> None:
    """Raise EvalbatchError for a name that a sheet, a job file or a history could have."""
    if path.suffix.lower() in _DATA:
        raise EvalbatchError(
            f"{flag} {path}: so could a sheet, a job or a history be named; choose another name."
        )


class _Formatter(logging.Formatter):
    """Keeps each entry to one line, whatever a file name holds."""

    def format(self, record: logging.LogRecord) -> str:
        return legible(super().format(record))


class _FileHandler(logging.FileHandler):
    """A log that cannot be written any more, say on a full disk, stops no run."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Pass over the entry."""
