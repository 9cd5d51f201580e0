"""The weekly run: each sheet of a job evaluated and published by itself, then recorded together."""

import re
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from evalbatch import api
from evalbatch.coverage import Coverage
from evalbatch.errors import EvalbatchError, FolderBusyError, PublishError
from evalbatch.history.read import FILE_NAME
from evalbatch.history.record import (
    Recorded,
    begin_folder,
    last_run,
    record,
    unfinished_folders,
)
from evalbatch.history.runs import SheetRun, keyed
from evalbatch.history.schema import opened
from evalbatch.lock import locked
from evalbatch.progress import Progress, silent
from evalbatch.records import Task
from evalbatch.result import Result
from evalbatch.weekly import job as job_files
from evalbatch.weekly import keys
from evalbatch.weekly.digests import file_digest, fingerprint, manifest_digest, sheet_digest
from evalbatch.weekly.expand import Planned, expand
from evalbatch.weekly.job import Job
from evalbatch.weekly.log import LOGGER
from evalbatch.words import encodable

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Batch:
    """What a weekly run came to.

    `skipped` are files that a glob matched and that are no sheets, with why. `stood` names the
    sheets whose results stand from before, for nothing that goes into them has changed.
    `recorded` says where the run stands in the history.
    """

    job: Job
    sheets: tuple[SheetRun, ...]
    skipped: tuple[tuple[str, str], ...]
    stood: frozenset[str]
    recorded: Recorded

    @property
    def failed(self) -> list[SheetRun]:
        """The sheets that could not be evaluated or published."""
        return [sheet for sheet in self.sheets if sheet.error is not None]

    @property
    def unmet(self) -> list[SheetRun]:
        """The sheets that miss a gate."""
        return [sheet for sheet in self.sheets if sheet.unmet]

    @property
    def passed(self) -> bool:
        """Whether every sheet was evaluated and meets its gates."""
        return not self.failed and not self.unmet


def run(
    path: Path | str,
    *,
    now: datetime | None = None,
    progress: Progress = silent,
    say: Say = lambda _: None,
    finish: Callable[[Batch], None] = lambda _: None,
) -> Batch:
    """Run a job: evaluate and publish every sheet that it names, and record the run.

    A sheet that fails stops no other one. A sheet of which nothing has changed since the latest
    run, results included, is not evaluated again; a run that is the latest one over again is not
    recorded as another one. `now` is the time after which folders are named and that the history
    keeps (default: the local time). `say` is told what of a stopped run was put right, and
    `finish` is given the batch before another one of the job can begin.

    Raises EvalbatchError for a job file that cannot be used, FolderBusyError while another batch
    of the job runs, PublishError where the history cannot be written.
    """
    job = job_files.read(Path(path))
    with ExitStack() as stack:
        _hold(job, stack)
        history = stack.enter_context(opened(job.folder / FILE_NAME, create=True))
        batch = _Runner(job, history, now, progress, say).run()
        finish(batch)
    return batch


def _hold(job: Job, stack: ExitStack) -> None:
    lock = job.path.with_name(f".{job.name}.evalbatch-lock")
    try:
        stack.enter_context(locked(lock, str(job.path)))
    except FolderBusyError:
        raise FolderBusyError(
            f"{job.path}: another batch of this job is running; wait until that one has ended."
        ) from None
    except OSError as error:
        raise PublishError(
            f"{job.path}: nothing can be written beside it: {error.strerror or error}. The history "
            "is kept there; make room, or mend the permissions."
        ) from error


class _Runner:
    """One run of a job, while it holds the job's lock."""

    def __init__(
        self,
        job: Job,
        history: Connection,
        now: datetime | None,
        progress: Progress,
        say: Say,
    ) -> None:
        self._job = job
        self._history = history
        self._now = now
        self._begun = self._time()
        self._progress = progress
        self._say = say
        self._last = last_run(history, self._name)
        self._unfinished = unfinished_folders(history, self._name)
        self._stood: set[str] = set()

    @property
    def _name(self) -> str:
        return encodable(self._job.name)

    def run(self) -> Batch:
        plan = expand(self._job, self._begun)
        LOGGER.info("%s: begun, %d sheets", self._name, len(plan.sheets))
        if self._unfinished:
            self._tell("an earlier batch was stopped before it was recorded; this one makes up")
        for name, why in plan.skipped:
            LOGGER.info("%s: skipped, %s", name, why)
        sheets = tuple(self._logged(self._sheet(planned)) for planned in plan.sheets)
        recorded = record(
            self._history,
            self._name,
            self._begun.isoformat(timespec="seconds"),
            self._time().isoformat(timespec="seconds"),
            fingerprint(sheets),
            sheets,
        )
        LOGGER.info("%s: ended, %s", self._name, _as_recorded(recorded))
        return Batch(self._job, sheets, plan.skipped, frozenset(self._stood), recorded)

    def _sheet(self, planned: Planned) -> SheetRun:
        source = file_digest(planned.path)
        others = {
            str(path): file_digest(self._job.folder / path)
            for key in keys.SHEET_KEYS
            for path in _paths(key, planned.options)
        }
        failed = SheetRun(planned.name, sheet_digest(planned, source, others))
        if planned.fault is not None:
            return replace(failed, error=planned.fault)
        folder = self._job.folder / planned.folder
        shown_folder = encodable(str(planned.folder))
        manifest = manifest_digest(folder)
        if self._last is not None:
            stands = self._last.stands(planned.name, failed.digest, shown_folder, manifest)
            if stands is not None:
                self._stood.add(planned.name)
                return replace(stands, folder=shown_folder, manifest=manifest)
        try:
            result = self._evaluated(planned, folder)
        except EvalbatchError as error:
            message = encodable(str(error)).removeprefix(f"{encodable(planned.path.name)}: ")
            return replace(failed, error=message)
        # What was read, should somebody have saved meanwhile.
        digest = sheet_digest(planned, result.coverage.source.sha256, others)
        return SheetRun(
            planned.name,
            digest,
            coverage=result.coverage.as_dict(),
            unmet=tuple(_unmet(planned, result.coverage)),
            folder=shown_folder,
            manifest=manifest_digest(folder),
            cases=keyed(result.evaluation),
        )

    def _evaluated(self, planned: Planned, folder: Path) -> Result:
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PublishError(
                f"{folder.parent} cannot be made: {error.strerror or error}."
            ) from error
        name = encodable(str(planned.folder))
        if not folder.exists():
            begin_folder(self._history, self._name, name)

        def check(task: Task) -> None:
            if planned.own_pass_rate:
                planned.gates.refuse_meaningless(task)

        return api.run(
            planned.path,
            folder,
            **self._options(planned),
            to=planned.results.to,
            bom=planned.results.bom,
            # What a stopped batch of this job wrote is its own.
            overwrite=planned.results.overwrite or name in self._unfinished,
            before_evaluating=check,
            progress=self._progress,
            say=self._tell,
        )

    def _options(self, planned: Planned) -> dict[str, Any]:
        """Give the options of a sheet as `evalbatch.run` takes them: paths from where we are."""
        options = dict(planned.options)
        for key in keys.SHEET_KEYS:
            paths = [self._job.folder / path for path in _paths(key, planned.options)]
            if paths:
                options[key.name] = paths if key.kind is keys.PATHS else paths[0]
        return options

    def _logged(self, sheet: SheetRun) -> SheetRun:
        if sheet.error is not None or sheet.coverage is None:
            LOGGER.error("%s: failed, %s", sheet.name, sheet.error)
        else:
            stands = "; unchanged, its results stand" if sheet.name in self._stood else ""
            LOGGER.info("%s: %s%s", sheet.name, sheet.coverage["statement"], stands)
        for line in sheet.unmet:
            LOGGER.warning("%s: not met, %s", sheet.name, line)
        return sheet

    def _tell(self, line: str) -> None:
        LOGGER.warning("%s", line)
        self._say(line)

    def _time(self) -> datetime:
        return datetime.now().astimezone() if self._now is None else self._now


def _paths(key: keys.Key, options: Any) -> tuple[str, ...]:
    """Give the paths that an option names; none for an option that names no files."""
    if key.kind not in (keys.PATH, keys.PATHS) or key.name not in options:
        return ()
    value = options[key.name]
    return (value,) if isinstance(value, str) else tuple(value)


def _unmet(planned: Planned, coverage: Coverage) -> list[str]:
    gates = planned.gates
    if coverage.passed is None:
        # A gate of the whole job: of the sheets that have a pass rate.
        gates = replace(gates, min_pass_rate=None)
    return [re.sub("^--[a-z-]+", _as_key, line) for line in gates.unmet(coverage)]


def _as_key(flag: re.Match[str]) -> str:
    return flag[0].removeprefix("--").replace("-", "_")


def _as_recorded(recorded: Recorded) -> str:
    return f"run {recorded.run} {'over again' if recorded.repeated else 'recorded'}"
