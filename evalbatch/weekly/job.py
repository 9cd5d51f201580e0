"""A job: the sheets that it names, and what it asks of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalbatch.gates import Gates

DEFAULT_FOLDER = "results/{week}/{stem}"


@dataclass(frozen=True, slots=True)
class Results:
    """Where the results of a sheet go, and in which form; `folder` is relative to the job file."""

    folder: str = DEFAULT_FOLDER
    to: tuple[str, ...] | None = None
    bom: bool = True
    overwrite: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """One [[sheet]]: the line that it begins in, its paths (globs allowed), and what it asks for.

    `options` holds only what is given, under the names of `evalbatch.run`. `own_pass_rate` tells
    whether the gate on the pass rate was set for this entry, and not for the whole job.
    """

    line: int
    paths: tuple[str, ...]
    options: Mapping[str, Any]
    gates: Gates
    own_pass_rate: bool
    results: Results


@dataclass(frozen=True, slots=True)
class Job:
    """A job file that has been checked; every path in it is relative to the file's folder."""

    path: Path
    entries: tuple[Entry, ...]

    @property
    def name(self) -> str:
        """The name under which the history keeps its runs."""
        return self.path.name

    @property
    def folder(self) -> Path:
        """The folder that its paths are relative to."""
        return self.path.parent
