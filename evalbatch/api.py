"""The library: a sheet or a frame evaluated, and published if a folder is named."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalbatch import __version__, batch, coverage, ids, loaders, publish, writers
from evalbatch.batch import Evaluation
from evalbatch.errors import EvalbatchError
from evalbatch.loaders.options import ReadOptions
from evalbatch.outputs import sheets_out
from evalbatch.progress import Progress, silent
from evalbatch.readings import EXACT, Spellings
from evalbatch.records import Note, Sheet, Source, Task
from evalbatch.result import Result
from evalbatch.schema import Schema
from evalbatch.spelling_notes import spelling_note
from evalbatch.struck_notes import struck_note
from evalbatch.words import counted

if TYPE_CHECKING:
    import pandas as pd


def run(
    path: Path | str,
    output: Path | str | None = None,
    *,
    task: str | None = None,
    columns: Mapping[str, str] | None = None,
    true: Iterable[str] = (),
    false: Iterable[str] = (),
    blank: Iterable[str] = (),
    scattered: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
    header_row: int | None = None,
    sheet: str | None = None,
    numbers_as_text: bool = False,
    to: Sequence[str] | None = None,
    bom: bool = True,
    overwrite: bool = False,
    before_evaluating: Callable[[Task], None] = lambda _: None,
    progress: Progress = silent,
    say: Callable[[str], None] = lambda _: None,
) -> Result:
    """Evaluate an answer-key or span sheet, and publish the results if `output` names a folder.

    `columns` maps roles to header names; `true`, `false` and `blank` declare further spellings;
    `scattered` lets the rows of one field stand apart. `before_evaluating` is told the task, and
    may refuse it. `say` is told what was put right that a
    stopped run had left. Disputed labels are held and malformed rows quarantined; a repeated id
    makes all its rows invalid.

    Raises EvalbatchError for an input or option that cannot be used, FolderBusyError while another
    run holds the folder, PublishError where the results could not be published.
    """
    path = Path(path)
    true, false, blank = map(_words, (true, false, blank))
    spellings = Spellings.declare(true, false, blank, numbers_as_text=numbers_as_text)
    schema = Schema.build(task, columns or {})
    options = ReadOptions(delimiter, encoding, header_row, sheet, spellings)
    given = {
        "task": task,
        "columns": dict(columns or {}),
        "true": list(true),
        "false": list(false),
        "blank": list(blank),
        "scattered": scattered,
        "delimiter": options.delimiter,
        "encoding": encoding,
        "header_row": header_row,
        "sheet": sheet,
        "numbers_as_text": numbers_as_text,
    }
    write_options = writers.WriteOptions(None if to is None else tuple(to), bom)
    folder = (
        nullcontext()
        if output is None
        else publish.hold(Path(output), overwrite=overwrite, say=say)
    )
    with folder as held:
        loaded = loaders.load(path, schema, options, progress)
        before_evaluating(loaded.task)
        if loaded.delimiter is None:
            spellings = replace(spellings, source="cells") if loaded.addressed else EXACT
        result = _evaluate(loaded, spellings, scattered, given)
        if held is None or output is None:
            return result
        counted_again = result.coverage

        def write(into: Path) -> None:
            nonlocal counted_again
            counted_again = writers.write(into, result, spellings, write_options, progress)

        held.publish(write)
        return replace(result, coverage=counted_again, folder=Path(output))


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
    return _evaluate(sheet, EXACT, scattered, given)


def _evaluate(
    sheet: Sheet, spellings: Spellings, scattered: bool, given: Mapping[str, Any]
) -> Result:
    evaluation = batch.evaluate(sheet, spellings, scattered=scattered)
    notes = [*_blank_rows(sheet), *sheet.notes, *spelling_note(evaluation)]
    notes += struck_note(evaluation)
    notes += ids.notes(sheet, evaluation.ids)
    options = {option: value for option, value in given.items() if value}
    _refuse_larger_part(evaluation)
    counts = coverage.count(evaluation, notes, options, __version__)
    return Result(counts, evaluation, sheets_out(evaluation, counts.share))


def _words(words: Iterable[str]) -> tuple[str, ...]:
    """Take a text for one word, not for its letters."""
    return (words,) if isinstance(words, str) else tuple(words)


def _refuse_larger_part(evaluation: Evaluation) -> None:
    part = evaluation.sheet.part
    total = len(evaluation.codes)
    if part is not None and total > part.total:
        raise EvalbatchError(
            f"{evaluation.sheet.source.name}: the part has {total} cases, and the evaluation that "
            f"it comes from {part.total}; evaluate the whole sheet, to which cases were added."
        )


def _blank_rows(sheet: Sheet) -> list[Note]:
    if not sheet.blank_rows:
        return []
    return [Note("blank-rows", f"{counted(sheet.blank_rows, 'empty row')} skipped")]
