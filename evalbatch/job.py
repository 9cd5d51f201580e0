"""One evaluation as it was asked for: the sheet, what stands beside it, and how they are read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import numpy as np

from evalbatch import __version__, arrow, batch, coverage, ids, loaders
from evalbatch.batch import Evaluation
from evalbatch.errors import EvalbatchError
from evalbatch.loaders.options import ReadOptions
from evalbatch.outputs import sheets_out
from evalbatch.progress import Progress
from evalbatch.records import Note, Sheet, Source
from evalbatch.result import Result
from evalbatch.schema import Schema
from evalbatch.spelling_notes import spelling_note
from evalbatch.spellings import Spellings
from evalbatch.struck_notes import edge_note, struck_note
from evalbatch.words import counted, fold_header

if TYPE_CHECKING:
    from evalbatch.answers import Unmatched

Marks = Literal["column", "formatting"]


class JobOptions(TypedDict, total=False):
    """How a sheet is read and what its cells mean; each may be left out.

    `columns` maps roles to header names; `true`, `false` and `blank` declare further spellings;
    `scattered` lets the rows of one field stand apart; `marks` is `formatting` where spans are
    struck through in the cell itself. `adjudications` are decision sheets.
    """

    task: str | None
    columns: Mapping[str, str] | None
    true: Iterable[str]
    false: Iterable[str]
    blank: Iterable[str]
    scattered: bool
    delimiter: str | None
    encoding: str | None
    header_row: int | None
    sheet: str | None
    numbers_as_text: bool
    marks: Marks
    adjudications: Iterable[Path | str]


@dataclass(frozen=True)
class Job:
    """An evaluation that was asked for, its options checked."""

    path: Path
    schema: Schema
    read_options: ReadOptions
    spellings: Spellings
    scattered: bool
    given: Mapping[str, Any]
    adjudications: tuple[Path, ...] = ()
    answers: tuple[Path, ...] = ()

    @classmethod
    def build(
        cls, path: Path | str, answers: Sequence[Path | str] = (), **options: Unpack[JobOptions]
    ) -> "Job":
        """Check the options.

        Raises EvalbatchError for those that mean nothing, TypeError for names that there are not.
        """
        for name in options.keys() - JobOptions.__annotations__.keys():
            raise TypeError(f"{name!r} is no option of an evaluation; see JobOptions")
        words = {
            "true": _words(options.get("true", ())),
            "false": _words(options.get("false", ())),
            "blank": _words(options.get("blank", ())),
        }
        numbers_as_text = options.get("numbers_as_text", False)
        marks = options.get("marks", "column")
        columns = dict(options.get("columns") or {})
        spellings = Spellings.declare(**words, numbers_as_text=numbers_as_text)
        read_options = ReadOptions(
            options.get("delimiter"),
            options.get("encoding"),
            options.get("header_row"),
            options.get("sheet"),
            spellings,
            marks=marks,
        )
        given = {
            "task": options.get("task"),
            "columns": columns,
            **{name: list(some) for name, some in words.items()},
            "scattered": options.get("scattered", False),
            "delimiter": read_options.delimiter,
            "encoding": read_options.encoding,
            "header_row": read_options.header_row,
            "sheet": read_options.sheet,
            "numbers_as_text": numbers_as_text,
            "marks": marks if marks != "column" else None,
        }
        schema = Schema.build(
            options.get("task"), columns, answers_apart=bool(answers), marks=marks
        )
        return cls(
            Path(path),
            schema,
            read_options,
            spellings,
            options.get("scattered", False),
            given,
            tuple(map(Path, _words(options.get("adjudications", ())))),
            tuple(map(Path, answers)),
        )

    def load(self, progress: Progress) -> "Loaded":
        """Read the sheet and the decision sheets beside it."""
        sheet = loaders.load(self.path, self.schema, self.read_options, progress)
        columns = dict(self.schema.columns or {})
        decided: Sequence[Sheet] = ()
        if self.adjudications:
            # What stands beside a sheet is imported where there is some: most runs have none.
            from evalbatch import decisions

            decided = decisions.load(self.adjudications, columns, self.spellings)
        return Loaded(self, sheet, decided)


@dataclass(frozen=True)
class Loaded:
    """A job's sheet and decision sheets, read once however many candidates there are."""

    job: Job
    sheet: Sheet
    decided: Sequence[Sheet]

    @cached_property
    def spellings(self) -> Spellings:
        """The spellings that hold in the sheet."""
        return self.job.spellings.within(self.sheet)

    def result(self, answers_from: Path | None = None) -> Result:
        """Evaluate the sheet, with the answers of another one if it has none itself."""
        sheet, unmatched = self.sheet, None
        if answers_from is not None:
            from evalbatch import answers

            apart = answers.load(answers_from, self.job.schema, self.job.spellings)
            sheet, unmatched = answers.join(sheet, apart, self.job.spellings)
        return evaluate_sheet(
            sheet,
            self.spellings,
            self._given(unmatched),
            self.job.scattered,
            self.decided,
            unmatched,
        )

    def _given(self, unmatched: "Unmatched | None") -> dict[str, Any]:
        apart = None if unmatched is None else _named(unmatched.source)
        decided = [_named(sheet.source) for sheet in self.decided]
        return {**self.job.given, "answers": apart, "adjudications": decided}


def evaluate_sheet(
    sheet: Sheet,
    spellings: Spellings,
    given: Mapping[str, Any],
    scattered: bool = False,
    decided: Sequence[Sheet] = (),
    unmatched: "Unmatched | None" = None,
) -> Result:
    """Evaluate a sheet that was read, under the decisions beside it.

    `given` are the options, as they are published where they say something. Raises EvalbatchError
    for a part with more cases than the evaluation that it comes from.
    """
    evaluation = batch.evaluate(sheet, spellings, scattered=scattered)
    _refuse_larger_part(evaluation)
    notes = [*_blank_rows(sheet), *sheet.notes, *spelling_note(evaluation)]
    notes += [*struck_note(evaluation), *edge_note(sheet)]
    notes += ids.notes(sheet, evaluation.ids)
    if unmatched is not None:
        notes += unmatched.notes()
    if decided:
        from evalbatch import decisions
        from evalbatch.adjudication import adjudicate
        from evalbatch.adjudication_notes import of_labels

        entries = list(
            decisions.entries([*decided, *decisions.of_part(sheet)], sheet.task, spellings)
        )
        evaluation, more = adjudicate(evaluation, entries)
        notes += [*more, *of_labels(decisions.relabelled(decided, sheet.task, spellings))]
    else:
        notes += _decisions_beside_labels(sheet)
    options = {option: value for option, value in given.items() if value}
    counts = coverage.count(evaluation, notes, options, __version__)
    return Result(counts, evaluation, sheets_out(evaluation, counts.share), unmatched=unmatched)


def _words(words: Iterable[Any]) -> tuple[Any, ...]:
    """Take a text or a path for one word, not for its letters."""
    return (words,) if isinstance(words, str | Path) else tuple(words)


def _named(source: Source) -> dict[str, str | None]:
    return {"name": source.name, "sheet": source.sheet, "sha256": source.sha256}


def _refuse_larger_part(evaluation: Evaluation) -> None:
    part = evaluation.sheet.part
    total = len(evaluation.codes)
    if part is not None and total > part.total:
        raise EvalbatchError(
            f"{evaluation.sheet.source.name}: the part has {total} cases, and the evaluation that "
            f"it comes from {part.total}; evaluate the whole sheet, to which cases were added."
        )


def _decisions_beside_labels(sheet: Sheet) -> list[Note]:
    """Note decisions that were recorded in the sheet itself, where they are columns like others."""
    named = {fold_header(column.name): column for column in sheet.columns}
    if sheet.part is not None or not {"decision", "decided_by", "decided_on"} <= named.keys():
        return []
    filled = np.flatnonzero(~arrow.empty(named["decision"].text))
    if not len(filled):
        return []
    text = (
        f"{counted(len(filled), 'decision')} in the sheet itself carried along, and not applied; "
        "name the sheet with --adjudications as well to apply them"
    )
    return [Note("decisions-not-applied", text)]


def _blank_rows(sheet: Sheet) -> list[Note]:
    if not sheet.blank_rows:
        return []
    return [Note("blank-rows", f"{counted(sheet.blank_rows, 'empty row')} skipped")]
