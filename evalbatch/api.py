"""The library: a sheet or a frame evaluated, and published if a folder is named."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from evalbatch import publish, writers
from evalbatch.job import Job, JobOptions, evaluate_sheet
from evalbatch.progress import Progress, silent
from evalbatch.records import Source, Task
from evalbatch.result import Result
from evalbatch.schema import Schema
from evalbatch.spellings import EXACT

if TYPE_CHECKING:
    import pandas as pd

    from evalbatch.candidates import Candidates


def run(
    path: Path | str,
    output: Path | str | None = None,
    *,
    answers: Path | str | None = None,
    to: Sequence[str] | None = None,
    bom: bool = True,
    overwrite: bool = False,
    before_evaluating: Callable[[Task], None] = lambda _: None,
    progress: Progress = silent,
    say: Callable[[str], None] = lambda _: None,
    **options: Unpack[JobOptions],
) -> Result:
    """Evaluate an answer-key or span sheet, and publish the results if `output` names a folder.

    `answers` is a sheet of answers for a key that has none; what else can be said of the sheet is
    listed in `JobOptions`. `before_evaluating` is told the task, and may refuse it; `say` is told
    what was put right that a stopped run had left. Disputed labels are held unless a complete
    decision is recorded, and malformed rows quarantined; a repeated id makes all its rows invalid.

    Raises EvalbatchError for an input or option that cannot be used, FolderBusyError while another
    run holds the folder, PublishError where the results could not be published.
    """
    job = Job.build(path, [] if answers is None else [answers], **options)
    write_options = writers.WriteOptions(None if to is None else tuple(to), bom)
    with _held(output, overwrite, say) as folder:
        loaded = job.load(progress)
        before_evaluating(loaded.sheet.task)
        result = loaded.result(*job.answers)
        if folder is None or output is None:
            return result
        counted_again = result.coverage

        def write(into: Path) -> None:
            nonlocal counted_again
            counted_again = writers.write(into, result, loaded.spellings, write_options, progress)

        folder.publish(write)
        return replace(result, coverage=counted_again, folder=Path(output))


def run_candidates(
    path: Path | str,
    answers: Sequence[Path | str],
    output: Path | str | None = None,
    *,
    to: Sequence[str] | None = None,
    bom: bool = True,
    overwrite: bool = False,
    before_evaluating: Callable[[Task], None] = lambda _: None,
    progress: Progress = silent,
    say: Callable[[str], None] = lambda _: None,
    **options: Unpack[JobOptions],
) -> "Candidates":
    """Evaluate several answers sheets, each a candidate, against one key; and compare them.

    Each candidate is named by the stem of its file, and has a folder of that name in `output`, with
    the comparison beside them. All else, and what is raised, is as in `run`.
    """
    from evalbatch.candidates import Candidates, candidate_names

    job = Job.build(path, answers, **options)
    names = candidate_names(job.answers)
    write_options = writers.WriteOptions(None if to is None else tuple(to), bom)
    with _held(output, overwrite, say) as folder:
        loaded = job.load(progress)
        before_evaluating(loaded.sheet.task)
        results = {
            name: loaded.result(sheet) for name, sheet in zip(names, job.answers, strict=True)
        }
        found = Candidates(results)
        if folder is None or output is None:
            return found

        def write(into: Path) -> None:
            for name, result in results.items():
                (into / name).mkdir()
                coverage = writers.write(
                    into / name, result, loaded.spellings, write_options, progress
                )
                results[name] = replace(result, coverage=coverage, folder=Path(output) / name)
            writers.write_candidates(into, found, write_options)

        folder.publish(write)
        return replace(found, results=results, folder=Path(output))


def _held(
    output: Path | str | None, overwrite: bool, say: Callable[[str], None]
) -> AbstractContextManager[publish.ResultsFolder | None]:
    if output is None:
        return nullcontext()
    return publish.hold(Path(output), overwrite=overwrite, say=say)


def evaluate_frame(
    frame: "pd.DataFrame",
    *,
    name: str = "frame",
    task: str | None = None,
    columns: Mapping[str, str] | None = None,
    scattered: bool = False,
) -> Result:
    """Evaluate a pandas frame with the columns of an answer-key or span sheet.

    Types are taken as they are: only bool is a Boolean, only str a text, and a state must be
    exactly `agreed` or `disputed`; None, NaN and NA are absent. Source rows count from 1, whatever
    the index. Nothing is written. Raises EvalbatchError for a frame that lacks columns.
    """
    from evalbatch.loaders import frame as frame_loader

    schema = Schema.build(task, columns or {})
    schema = replace(schema, advice="Name a column for a role with columns={role: name}.")
    sheet = frame_loader.load(frame, Source(name), schema)
    given = {"task": task, "columns": dict(columns or {}), "scattered": scattered}
    return evaluate_sheet(sheet, EXACT, given, scattered)
