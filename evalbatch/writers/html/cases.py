"""The held and invalid cases that a page lists: what to do about each, and what stands there."""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints
from evalbatch.batch import Evaluation
from evalbatch.outputs import OutColumn, SheetOut
from evalbatch.reasons import BY_CODE
from evalbatch.records import Disposition
from evalbatch.sheets_out import DECISION_COLUMNS, FIELD_COLUMNS, NOTHING_WRONG, RESULT_COLUMNS
from evalbatch.spellings import BLANK_MARKER, Spellings
from evalbatch.writers.role_cells import cells_in_role

OPEN: tuple[Disposition, ...] = ("held", "invalid")
"""The dispositions of cases that are listed."""
MOST_CASES = 1_000
"""The most cases that a page lists."""
_MOST_INSIDE = 12
"""The most rows, spans and problems of a case, and cells of a row, that it lists."""

Item = TypeVar("Item")


class Few(NamedTuple, Generic[Item]):
    """The first few of some items, and how many of them are left out."""

    items: Sequence[Item]
    left_out: int = 0


class ListedCell(NamedTuple):
    """A cell: the name of its column, and its text; None where it is absent."""

    name: str
    text: str | None
    is_blank: bool


class ListedRow(NamedTuple):
    """A row of the sheet: its number, and its cells that have a role or that hold something."""

    number: int
    cells: Few[ListedCell]


class ListedSpan(NamedTuple):
    """A span of a field that is held; the text of a known blank is empty."""

    text: str
    struck: bool


class ListedCase(NamedTuple):
    """A held or invalid case or field; `id` is None where it has none, and `row` its first row."""

    id: str | None
    row: int
    disposition: Disposition
    reasons: Sequence[str]
    problems: Few[str]
    rows: Few[ListedRow]
    spans: Few[ListedSpan]


def list_cases(
    evaluation: Evaluation, sheets: Sequence[SheetOut], spellings: Spellings
) -> list[ListedCase]:
    """List up to MOST_CASES held and invalid cases in the order of the sheet.

    Where there are more, at least half of the list is open to each of the two, so that a few held
    cases are not crowded out by many invalid ones.
    """
    found = {one: evaluation.units(one) for one in OPEN}
    half = MOST_CASES // 2
    held = found["held"][: max(half, MOST_CASES - len(found["invalid"]))]
    listed = {"held": held, "invalid": found["invalid"][: MOST_CASES - len(held)]}
    cases = [
        case
        for sheet in sheets
        if sheet.disposition in listed
        for case in _Lister(evaluation, sheet, spellings).cases(len(listed[sheet.disposition]))
    ]
    return sorted(cases, key=lambda case: case.row)


class _Lister:
    """Lists the first cases of a sheet out, column by column."""

    def __init__(self, evaluation: Evaluation, sheet: SheetOut, spellings: Spellings) -> None:
        self._evaluation = evaluation
        self._sheet = sheet
        self._spellings = spellings

    def cases(self, count: int) -> list[ListedCase]:
        sheet, evaluation = self._sheet, self._evaluation
        units = evaluation.units(sheet.disposition)[:count]
        places, offsets = self._places(count)
        firsts = places[offsets[:-1]]
        id_column = next((one for one in sheet.columns if one.role == "id"), sheet.columns[0])
        return [
            ListedCase(id_, row, sheet.disposition, reasons, problems, rows, spans)
            for id_, row, reasons, problems, rows, spans in zip(
                self._texts(id_column, firsts),
                sheet.source_rows[firsts].tolist(),
                [evaluation.outcomes[code].reasons for code in evaluation.codes[units].tolist()],
                self._problems(units, places, offsets),
                self._rows(places, offsets),
                self._spans(units),
                strict=True,
            )
        ]

    def _places(self, count: int) -> tuple[Ints, Ints]:
        """Give the places in the sheet out of the rows of each case, and the offsets between."""
        fields = self._evaluation.fields
        if fields is None or self._sheet.disposition == "held":
            return np.arange(count), np.arange(count + 1)
        rows, offsets = fields.rows_of(self._evaluation.units(self._sheet.disposition))
        places = np.empty_like(rows)
        places[np.argsort(rows)] = np.arange(len(rows))
        return places[: offsets[count]], offsets[: count + 1]

    def _texts(self, column: OutColumn, places: Ints) -> list[str | None]:
        disposition = self._sheet.disposition
        texts = cells_in_role(column, disposition, places, self._spellings, "csv")
        found: list[str | None] = texts.to_pylist()
        return found

    def _problems(self, units: Ints, places: Ints, offsets: Ints) -> list[Few[str]]:
        if self._sheet.disposition == "held":
            outcomes = self._evaluation.outcomes
            words = [[_advice(reason) for reason in outcome.reasons] for outcome in outcomes]
            return [Few(words[code]) for code in self._evaluation.codes[units].tolist()]
        column = next(one for one in self._sheet.columns if one.name == "problem")
        texts = column.cells(places)
        faulty = np.flatnonzero(~arrow.true(kernels.starts_with(texts, NOTHING_WRONG)))
        first = _Firsts(np.searchsorted(faulty, offsets))
        return first.of_each(arrow.take(texts, faulty[first.members]).to_pylist())

    def _rows(self, places: Ints, offsets: Ints) -> list[Few[ListedRow]]:
        first = _Firsts(offsets)
        places = places[first.members]
        columns = [
            [
                ListedCell(column.name, text, column.role == "text" and text == BLANK_MARKER)
                if text or _has_role(column)
                else None
                for text in self._texts(column, places)
            ]
            for column in self._listed_columns()
        ]
        numbers = self._sheet.source_rows[places].tolist()
        rows = zip(*columns, strict=True) if columns else ((),) * len(numbers)
        return first.of_each(
            [ListedRow(number, _cells(row)) for number, row in zip(numbers, rows, strict=True)]
        )

    def _listed_columns(self) -> list[OutColumn]:
        """Give the columns that hold more than the page says anyway, first those with a role."""
        task, disposition = self._evaluation.sheet.task, self._sheet.disposition
        said = set(RESULT_COLUMNS[task, disposition]) - set(DECISION_COLUMNS)
        if task == "spans" and disposition == "held":
            said |= {"id", *FIELD_COLUMNS}
        columns = [one for one in self._sheet.columns if one.role != "id" and one.name not in said]
        return sorted(columns, key=lambda column: not _has_role(column))

    def _spans(self, units: Ints) -> list[Few[ListedSpan]]:
        fields = self._evaluation.fields
        if fields is None or self._sheet.disposition != "held":
            return [Few(())] * len(units)
        spans, offsets = fields.spans_of(units)
        first = _Firsts(offsets)
        spans = spans[first.members]
        texts = arrow.take(fields.texts, spans).to_pylist()
        marks = [fields.struck.readings[code].value for code in fields.struck.codes[spans].tolist()]
        return first.of_each(
            [ListedSpan(text, mark is True) for text, mark in zip(texts, marks, strict=True)]
        )


class _Firsts:
    """The first few members of groups; group i has the members `offsets[i]` to `offsets[i + 1]`."""

    def __init__(self, offsets: Ints) -> None:
        sizes = np.diff(offsets)
        kept = np.minimum(sizes, _MOST_INSIDE)
        ends = np.concatenate([[0], np.cumsum(kept)])
        self.members = np.repeat(offsets[:-1] - ends[:-1], kept) + np.arange(ends[-1])
        self._bounds = list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))
        self._left_out = (sizes - kept).tolist()

    def of_each(self, items: Sequence[Item]) -> list[Few[Item]]:
        """Group what was made of the members."""
        return [
            Few(items[begin:end], left_out)
            for (begin, end), left_out in zip(self._bounds, self._left_out, strict=True)
        ]


def _cells(row: Sequence[ListedCell | None]) -> Few[ListedCell]:
    cells = [cell for cell in row if cell is not None]
    return Few(cells[:_MOST_INSIDE], max(len(cells) - _MOST_INSIDE, 0))


def _has_role(column: OutColumn) -> bool:
    return column.role is not None and column.name not in DECISION_COLUMNS


def _advice(reason: str) -> str:
    return f"{BY_CODE[reason].meaning} {BY_CODE[reason].remedy}"
