"""The log file of a scheduled run: one line for each step, with its time."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalbatch.errors import EvalbatchError
from evalbatch.words import legible

_LOGGER = logging.getLogger("evalbatch")
# Without a handler, Python prints warnings by itself.
_LOGGER.addHandler(logging.NullHandler())


@contextmanager
def logging_to(path: Path | None) -> Iterator[logging.Logger]:
    """Append what the package logs to a file meanwhile; raise EvalbatchError if it cannot be."""
    if path is None:
        yield _LOGGER
        return
    try:
        handler = _FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise EvalbatchError(f"--log {path}: cannot be written: {error.strerror}.") from None
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)-7s %(message)s", "%Y-%m-%dT%H:%M:%S%z"))
    level = _LOGGER.level
    _LOGGER.setLevel(logging.INFO)
    _LOGGER.addHandler(handler)
    try:
        yield _LOGGER
    finally:
        _LOGGER.removeHandler(handler)
        _LOGGER.setLevel(level)
        handler.close()


class _Formatter(logging.Formatter):
    """Keeps each entry to one line, whatever a file name holds."""

    def format(self, record: logging.LogRecord) -> str:
        return legible(super().format(record))


class _FileHandler(logging.FileHandler):
    """A log that cannot be written any more, say on a full disk, stops no run."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's own name
        """Pass over the entry."""
