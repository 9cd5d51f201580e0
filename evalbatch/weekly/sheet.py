"""One sheet of a job: evaluated and published, found to be as it was, or failed with its reason."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import Any

from evalbatch import api
from evalbatch.coverage import Coverage
from evalbatch.errors import EvalbatchError, PublishError
from evalbatch.history.record import LastRun, begin_folder
from evalbatch.history.runs import SheetRun, keyed
from evalbatch.progress import Progress
from evalbatch.publish import changes
from evalbatch.records import Task
from evalbatch.result import Result
from evalbatch.weekly import keys
from evalbatch.weekly.digests import file_digest, manifest_digest, sheet_digest
from evalbatch.weekly.expand import Planned
from evalbatch.weekly.job import Job
from evalbatch.words import encodable, listed


@dataclass(frozen=True, slots=True)
class SheetRunner:
    """Runs the sheets of a job, one by one.

    `last` is the latest run of the job; `unfinished` are the folders that a stopped batch of it
    published. `tell` is told what of a stopped run was put right.
    """

    job: Job
    history: Connection
    last: LastRun | None
    unfinished: frozenset[str]
    progress: Progress
    tell: Callable[[str], None]

    def run(self, planned: Planned) -> SheetRun:
        """Run one sheet. Whatever a user can mend fails this sheet alone."""
        source = file_digest(planned.path)
        others = {
            path: file_digest(self.job.folder / path)
            for key in keys.SHEET_KEYS
            for path in _paths(key, planned.options)
        }
        failed = SheetRun(planned.name, sheet_digest(planned, source, others))
        if planned.fault is not None:
            return replace(failed, error=planned.fault)
        if (stands := self._as_it_was(failed, planned)) is not None:
            return stands
        try:
            result = self._evaluated(planned)
        except EvalbatchError as error:
            message = encodable(str(error)).removeprefix(f"{encodable(planned.path.name)}: ")
            return replace(failed, error=message)
        return SheetRun(
            planned.name,
            # Of what was read, should somebody have saved meanwhile.
            sheet_digest(planned, result.coverage.source.sha256, others),
            coverage=result.coverage.as_dict(),
            unmet=tuple(_unmet(planned, result.coverage)),
            folder=encodable(str(planned.folder)),
            manifest=manifest_digest(self.job.folder / planned.folder),
            cases=keyed(result.evaluation),
        )

    def _as_it_was(self, sheet: SheetRun, planned: Planned) -> SheetRun | None:
        """Give what the latest run found, if nothing has changed since and its results stand."""
        folder = encodable(str(planned.folder))
        manifest = manifest_digest(self.job.folder / planned.folder)
        if self.last is None or manifest is None:
            return None
        before = self.last.sheets.get(sheet.name)
        stand = self.last.places.get((sheet.name, folder)) == manifest
        if before is None or before.error is not None or before.digest != sheet.digest or not stand:
            return None
        if edited := changes(self.job.folder / planned.folder):
            self.tell(
                f"{sheet.name}: nothing has changed in the sheet; its results have been since they "
                f"were written ({listed(edited, 5)}), and stay as they are"
            )
        return replace(before, folder=folder, manifest=manifest)

    def _evaluated(self, planned: Planned) -> Result:
        folder = self.job.folder / planned.folder
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise PublishError(
                f"{folder.parent} cannot be made: {error.strerror or error}."
            ) from error
        name = encodable(str(planned.folder))
        if not folder.exists():
            begin_folder(self.history, encodable(self.job.name), name)

        def refuse_meaningless(task: Task) -> None:
            if planned.own_pass_rate:
                planned.gates.refuse_meaningless(task)

        return api.run(
            planned.path,
            folder,
            **self._options(planned),
            to=planned.results.to,
            bom=planned.results.bom,
            # What a stopped batch of this job wrote is its own.
            overwrite=planned.results.overwrite or name in self.unfinished,
            before_evaluating=refuse_meaningless,
            progress=self.progress,
            say=self.tell,
        )

    def _options(self, planned: Planned) -> dict[str, Any]:
        """Give the options of a sheet as `evalbatch.run` takes them: paths from where we are."""
        options = dict(planned.options)
        for key in keys.SHEET_KEYS:
            paths = [self.job.folder / path for path in _paths(key, planned.options)]
            if paths:
                # A sheet is planned once for each of its candidates.
                options[key.name] = paths[0] if key.name == "answers" else paths
        return options


def _paths(key: keys.Key, options: Any) -> tuple[str, ...]:
    """Give the paths that an option names; none for an option that names no files."""
    return tuple(options.get(key.name, ())) if key.kind is keys.PATHS else ()


def _unmet(planned: Planned, coverage: Coverage) -> list[str]:
    gates = planned.gates
    if coverage.passed is None:
        # A gate of the whole job: of the sheets that have a pass rate.
        gates = replace(gates, min_pass_rate=None)
    return [re.sub("^--[a-z-]+", _as_key, line) for line in gates.unmet(coverage)]


def _as_key(flag: re.Match[str]) -> str:
    return flag[0].removeprefix("--").replace("-", "_")
