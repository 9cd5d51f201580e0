"""A lock on a path that ends with the process that holds it, however that ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from evalbatch.errors import FolderBusyError

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file `path`; raises FolderBusyError, naming `what`, if another run does."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            _take(descriptor)
        except (BlockingIOError, PermissionError):
            os.close(descriptor)
            raise FolderBusyError(
                f"{what}: another run of evalbatch is writing it; wait until that one has ended."
            ) from None
        # Whoever held the lock before may have removed the file that was just opened.
        if _is_at(descriptor, path):
            break
        os.close(descriptor)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _take(descriptor: int) -> None:
    if os.name == "nt":
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
