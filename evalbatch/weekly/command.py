"""`evalbatch batch`: a new job file, or a run with its log and its page for CI."""

from collections.abc import Callable
from pathlib import Path

from evalbatch.errors import EvalbatchError, FolderBusyError, PublishError
from evalbatch.progress import Progress
from evalbatch.weekly import runner
from evalbatch.weekly.log import LOGGER, logging_to, refuse_data
from evalbatch.weekly.results import Batch
from evalbatch.weekly.summary import as_dict, lines
from evalbatch.weekly.summary_md import markdown, markdown_of_error
from evalbatch.weekly.template import new_job

__all__ = ["as_dict", "lines", "run", "write_new_job"]

_NEW = Path("weekly.toml")


def write_new_job(path: Path | None) -> str:
    """Write a commented job file where there is none; return what to say of it."""
    path = path or _NEW
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(new_job())
    except FileExistsError:
        raise EvalbatchError(f"{path} exists already, and is left as it is.") from None
    except OSError as error:
        raise EvalbatchError(f"{path}: cannot be written: {error.strerror}.") from None
    return f"{path} is written. Name your sheets in it, then run evalbatch batch {path}"


def run(
    job: Path | None,
    summary: Path | None,
    log: Path | None,
    *,
    progress: Progress,
    say: Callable[[str], None],
) -> Batch:
    """Run a job, with its log and its summary; what stops it is told in both as well."""
    if job is None:
        raise EvalbatchError("name the job file; evalbatch batch --init writes one.")
    if summary is not None and not summary.absolute().parent.is_dir():
        raise EvalbatchError(f"--summary {summary}: {summary.parent} is no folder.")
    for flag, path in (("--summary", summary), ("--log", log)):
        if path is not None:
            refuse_data(flag, path)

    def finish(batch: Batch) -> None:
        if summary is not None:
            _write(summary, markdown(batch))

    with logging_to(log):
        try:
            return runner.run(job, progress=progress, say=say, finish=finish)
        except EvalbatchError as error:
            LOGGER.error("%s: %s", job.name, error)
            # A batch that is still running will write its own page.
            if summary is not None and not isinstance(error, FolderBusyError):
                _write(summary, markdown_of_error(job.name, str(error)))
            raise


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise PublishError(
            f"--summary {path}: cannot be written: {error.strerror}. What was evaluated is "
            "published and recorded."
        ) from error
