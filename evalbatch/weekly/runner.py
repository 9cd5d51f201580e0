"""The weekly run: each sheet of a job evaluated and published by itself, then recorded together."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from sqlite3 import Connection

from evalbatch.errors import FolderBusyError, PublishError
from evalbatch.history.read import FILE_NAME
from evalbatch.history.record import LastRun, Recorded, last_run, record, unfinished_folders
from evalbatch.history.runs import SheetRun
from evalbatch.history.schema import opened
from evalbatch.lock import locked
from evalbatch.progress import Progress, silent
from evalbatch.weekly import job_file
from evalbatch.weekly.digests import fingerprint
from evalbatch.weekly.expand import expand
from evalbatch.weekly.job import Job
from evalbatch.weekly.log import LOGGER
from evalbatch.weekly.results import Batch
from evalbatch.weekly.sheet import SheetRunner
from evalbatch.words import encodable

Say = Callable[[str], None]


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
    job = job_file.read(Path(path))
    with ExitStack() as stack:
        _hold(job, stack)
        history = stack.enter_context(opened(job.folder / FILE_NAME, create=True))
        batch = _run(job, history, now, progress, say)
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


def _run(
    job: Job, history: Connection, now: datetime | None, progress: Progress, say: Say
) -> Batch:
    """Run a job whose lock is held."""

    def tell(line: str) -> None:
        LOGGER.warning("%s", line)
        say(line)

    begun = _time(now)
    name = encodable(job.name)
    plan = expand(job, begun)
    LOGGER.info("%s: begun, %d sheets", name, len(plan.sheets))
    for one, why in plan.skipped:
        LOGGER.info("%s: skipped, %s", one, why)
    last, unfinished = last_run(history, name), unfinished_folders(history, name)
    if unfinished:
        tell(
            f"{name}: an earlier batch was stopped before it was recorded; its sheets are "
            "evaluated again"
        )
    runner = SheetRunner(job, history, last, unfinished, progress, tell)
    sheets = tuple(_logged(runner.run(planned)) for planned in plan.sheets)
    recorded = record(
        history,
        name,
        sheets,
        fingerprint=fingerprint(sheets),
        begun=begun.isoformat(timespec="seconds"),
        ended=_time(now).isoformat(timespec="seconds"),
    )
    LOGGER.info("%s: ended, %s", name, _as_recorded(recorded))
    return Batch(job, sheets, plan.skipped, _gone(last, sheets), recorded)


def _time(now: datetime | None) -> datetime:
    return datetime.now().astimezone() if now is None else now


def _gone(last: LastRun | None, sheets: Sequence[SheetRun]) -> tuple[str, ...]:
    before = {} if last is None else last.sheets
    named = {sheet.name for sheet in sheets}
    return tuple(
        name for name, sheet in before.items() if sheet.error is None and name not in named
    )


def _logged(sheet: SheetRun) -> SheetRun:
    if sheet.coverage is None:
        LOGGER.error("%s: failed, %s", sheet.name, sheet.error)
    else:
        stands = "; unchanged, its results stand" if sheet.stands else ""
        LOGGER.info("%s: %s%s", sheet.name, sheet.coverage["statement"], stands)
    for line in sheet.unmet:
        LOGGER.warning("%s: not met, %s", sheet.name, line)
    return sheet


def _as_recorded(recorded: Recorded) -> str:
    return f"run {recorded.run} {'over again' if recorded.repeated else 'recorded'}"
