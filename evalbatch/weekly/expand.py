"""Which files a job means: its globs expanded, owner files and results set apart, clashes told."""

import glob
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from evalbatch.gates import Gates
from evalbatch.loaders.sniff import owner_of
from evalbatch.publish import is_results_folder
from evalbatch.weekly.folders import filled_in
from evalbatch.weekly.job import Entry, Job, Results
from evalbatch.words import encodable, listed


@dataclass(frozen=True, slots=True)
class Planned:
    """One sheet to evaluate: its name in the history, its file, and what the job asks for.

    `name` is the path relative to the job file, with the sheet of a workbook and the candidate if
    the job names them.
    `fault` says why it cannot be evaluated; `folder` is relative to the job file.
    """

    name: str
    path: Path
    folder: PurePosixPath
    options: Mapping[str, Any]
    gates: Gates
    own_pass_rate: bool
    results: Results
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The sheets of a job in its order, and what its globs matched and is no sheet, with why."""

    sheets: tuple[Planned, ...]
    skipped: tuple[tuple[str, str], ...]


def expand(job: Job, now: datetime) -> Plan:
    """Find the sheets of a job, within an entry by name.

    A path that matches nothing, a sheet that two entries match and two sheets that would be
    published into one folder become faults of these sheets alone: the others are still evaluated.
    """
    planned: list[Planned] = []
    skipped: dict[str, str] = {}
    for entry in job.entries:
        found: dict[str, Planned] = {}
        for pattern in entry.paths:
            names, others = _matches(job.folder, pattern)
            skipped |= others
            if not names:
                missing = _planned(job, entry, pattern, now)
                fault = f"no sheet matches this path (line {entry.line} of {job.name})"
                found[pattern] = replace(missing, fault=fault)
            found |= {name: _planned(job, entry, name, now) for name in names if name not in found}
        planned += [one for sheet in found.values() for one in _candidates(sheet)]
    named = ((encodable(name), why) for name, why in skipped.items())
    return Plan(_without_clashes(job, planned), tuple(named))


def _planned(job: Job, entry: Entry, name: str, now: datetime) -> Planned:
    worksheet = entry.options.get("sheet")
    path = PurePosixPath(name)
    return Planned(
        name=encodable(name if worksheet is None else f"{name} (sheet {worksheet})"),
        path=job.folder / name,
        folder=filled_in(entry.results.folder, path, now),
        options=entry.options,
        gates=entry.gates,
        own_pass_rate=entry.own_pass_rate,
        results=entry.results,
    )


def _candidates(sheet: Planned) -> list[Planned]:
    """Plan a sheet once for each candidate whose answers it has, in a folder within its own."""
    answers = sheet.options.get("answers", ())
    if not answers:
        return [sheet]
    return [
        replace(
            sheet,
            name=encodable(f"{sheet.name} (answers {path})"),
            folder=sheet.folder / PurePosixPath(path).stem,
            options={**sheet.options, "answers": (path,)},
        )
        for path in answers
    ]


def _matches(folder: Path, pattern: str) -> tuple[list[str], dict[str, str]]:
    """Give the sheets that a path names, sorted, and the other files that it names, with why."""
    if not glob.has_magic(pattern) or (folder / pattern).is_file():
        # What is named in full is meant, be it a part; a missing file is told when it is read.
        owned = owner_of(PurePosixPath(pattern).name)
        return ([], {pattern: owned}) if owned else ([_posix(pattern)], {})
    # Of the hidden files, only the lock files of LibreOffice are of interest.
    everything = _glob(folder, pattern, hidden=True)
    owners = {name: owned for name in everything if (owned := owner_of(Path(name).name))}
    names, skipped = [], {_posix(name): owned for name, owned in owners.items()}
    for name in _glob(folder, pattern):
        path = folder / name
        if name in owners:
            continue
        if path.exists() and not path.is_file():
            skipped[_posix(name)] = "a folder" if path.is_dir() else "no regular file"
        elif is_results_folder(path.parent):
            skipped[Path(name).parent.as_posix()] = "a results folder, whose files are no sheets"
        else:
            names.append(_posix(name))
    return names, skipped


def _glob(folder: Path, pattern: str, *, hidden: bool = False) -> list[str]:
    # Path.glob takes no absolute patterns, and always gives hidden files.
    return sorted(glob.glob(pattern, root_dir=folder, recursive=True, include_hidden=hidden))  # noqa: PTH207


def _without_clashes(job: Job, planned: Sequence[Planned]) -> tuple[Planned, ...]:
    """Give every sheet that clashes with others a fault that names them."""
    # On some systems two names that differ by letter case alone are one folder.
    folders = [PurePath(os.path.realpath(job.folder / one.folder).casefold()) for one in planned]
    by_source = _grouped(
        (os.path.realpath(one.path), one.options.get("sheet"), one.options.get("answers"))
        for one in planned
    )
    by_folder = _grouped(folders)
    faults: dict[int, str] = {}
    for numbers in by_source.values():
        names = listed(list(dict.fromkeys(planned[number].name for number in numbers)), 3)
        if len(numbers) > 1:
            what = f"the job names this sheet {len(numbers)} times ({names}); name it once"
            faults |= dict.fromkeys(numbers, what)
    for number, folder in enumerate(folders):
        around = [
            other for outer in (folder, *folder.parents) for other in by_folder.get(outer, ())
        ]
        if len(around) > 1:
            names = listed([planned[other].name for other in sorted(around)], 3)
            what = (
                f"{names} would share one results folder ({planned[number].folder}), or one lie "
                "inside another's; give each a folder of its own, by {stem} or in its [[sheet]]"
            )
            faults = dict.fromkeys(around, what) | faults
    # A sheet that is named twice is told once.
    return tuple(
        {
            one.name: replace(one, fault=one.fault or faults.get(number))
            for number, one in enumerate(planned)
        }.values()
    )


def _grouped(keys: Iterable[Any]) -> dict[Any, list[int]]:
    groups: dict[Any, list[int]] = {}
    for number, key in enumerate(keys):
        groups.setdefault(key, []).append(number)
    return groups


def _posix(name: str) -> str:
    return Path(name).as_posix()
