"""One command as a whole process: how long it took, and how much memory it held."""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

# Linux counts the peak in KiB, macOS in bytes.
_PER_MIB = 1 << 20 if sys.platform == "darwin" else 1 << 10


@dataclass(frozen=True, slots=True)
class Usage:
    """What a process used: wall time and processor time in seconds, peak memory in MiB."""

    wall: float
    processor: float
    peak: float


def measure(command: Sequence[str]) -> Usage:
    """Run a command to its end. Raises RuntimeError, with what it said, if it fails.

    A child's peak is never below the size of the process that starts it, so that this one must
    stay small.
    """
    begun = time.perf_counter()
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        said = b"" if process.stderr is None else process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(
            f"{' '.join(command)} failed ({process.returncode}): {said.decode(errors='replace')}"
        )
    return Usage(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / _PER_MIB)
