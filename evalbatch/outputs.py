"""The three sheets out, column by column: what stands in each, before any format is chosen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from evalbatch import arrow
from evalbatch.arrow import Ints
from evalbatch.batch import Evaluation
from evalbatch.columns import take
from evalbatch.problems import Problems
from evalbatch.records import DISPOSITIONS, Column, Disposition, Kind, Pieces
from evalbatch.schema import FORMATTED_SPANS
from evalbatch.sheets_out import DECISION_COLUMNS, reserved
from evalbatch.words import fold_header


@dataclass(frozen=True, slots=True)
class OutColumn:
    """A column of a sheet out: its name, and its cells for some of the sheet's rows.

    `cells` takes places in the sheet out (m numbers, from 0) and gives m texts. `role` is the role
    that the column has when the sheet is fed back; `original` gives the cells of an input column
    with their kinds, and `kind` is that of a result column's. `in_quotes` gives the cells as they
    stand in CSV, in quotes and theirs doubled, where that is cheaper than to do it afterwards.
    `struck` gives, by their number among the places asked for, the texts that are struck through in
    their cells. `few` gives the distinct cells where there are few of them.
    """

    name: str
    cells: Callable[[Ints], pa.StringArray]
    kind: Kind = Kind.STRING
    role: str | None = None
    original: Callable[[Ints], Column] | None = None
    in_quotes: Callable[[Ints], pa.StringArray] | None = None
    struck: Callable[[Ints], Mapping[int, Pieces]] | None = None
    few: "Callable[[], Few] | None" = None


@dataclass(frozen=True, slots=True)
class Few:
    """The `count` distinct cells of a column of a sheet out, as a column of their own.

    `codes` takes places in the sheet out, and gives for each the place of its cell in `column`.
    """

    count: int
    codes: Callable[[Ints], Ints]
    column: OutColumn


@dataclass(frozen=True, slots=True)
class SheetOut:
    """A sheet out of `count` rows; `source_rows` are the rows that they come from."""

    disposition: Disposition
    count: int
    columns: Sequence[OutColumn]
    source_rows: Ints


def sheets_out(evaluation: Evaluation, share: str) -> list[SheetOut]:
    """Lay out the scored, the held and the invalid sheet; `share` is their coverage cell."""
    layout = CaseSheets(evaluation, share)
    if evaluation.fields is not None:
        # Most runs have none.
        from evalbatch.field_outputs import FieldSheets

        layout = FieldSheets(evaluation, evaluation.fields, share)
    return [layout.sheet(disposition) for disposition in DISPOSITIONS]


class CaseSheets:
    """Sheets with one row for each case."""

    def __init__(self, evaluation: Evaluation, share: str) -> None:
        self._evaluation = evaluation
        self._sheet = evaluation.sheet
        self._share = share
        self._problems = Problems(evaluation)
        self._reserved = reserved(self._sheet.task)

    def sheet(self, disposition: Disposition) -> SheetOut:
        """Lay out one of the sheets."""
        rows = self._evaluation.units(disposition)
        columns = [*self._originals(rows), *self._results(disposition, rows)]
        return self._finished(disposition, rows, columns)

    def _results(self, disposition: Disposition, rows: Ints) -> list[OutColumn]:
        if disposition == "scored":
            return [*self._decisions(rows, False), self._passes(rows)]
        if disposition == "held":
            return [self._reasons(rows), *self._decisions(rows, True)]
        problem = OutColumn("problem", lambda places: self._problems.of_cases(rows[places]))
        return [*self._decisions(rows, False), self._reasons(rows), problem]

    def _finished(
        self, disposition: Disposition, rows: Ints, columns: Sequence[OutColumn]
    ) -> SheetOut:
        source_rows = self._sheet.source_rows[rows]
        last = [
            worded("coverage", arrow.texts([self._share]), lambda places: np.zeros_like(places)),
            OutColumn(
                "source_row",
                lambda places: arrow.digits(source_rows[places]),
                Kind.NUMBER,
            ),
        ]
        return SheetOut(disposition, len(rows), [*columns, *last], source_rows)

    def _originals(self, rows: Ints) -> list[OutColumn]:
        roles = {place: role for role, place in self._sheet.match.roles.items()}
        return [
            self._original(column, rows, roles.get(place))
            for place, column in enumerate(self._sheet.columns)
        ]

    def _original(self, column: Column, rows: Ints, role: str | None) -> OutColumn:
        return OutColumn(
            self._name(column, role),
            lambda places: column.texts(rows[places]),
            role=role,
            original=lambda places: take(column, rows[places]),
            struck=(lambda places: self._struck(rows[places])) if role == "text" else None,
            few=_few(column, rows, role),
        )

    def _struck(self, rows: Ints) -> Mapping[int, Pieces]:
        if self._sheet.match.layout != FORMATTED_SPANS:
            return {}
        texts = self._sheet.role("text").text
        return {
            number: self._sheet.pieces.get(row) or ((texts[row].as_py(), True),)
            for number, row in enumerate(rows.tolist())
            if row in self._sheet.struck_texts
        }

    def _name(self, column: Column, role: str | None = None) -> str:
        name = fold_header(column.name)
        return f"{column.name} (input)" if name in self._reserved and name != role else column.name

    def _decisions(self, rows: Ints, always: bool) -> list[OutColumn]:
        part = self._sheet.part
        kept = self._evaluation.decisions or (part.decisions if part is not None else ())
        given: Mapping[str, Column] = {fold_header(column.name): column for column in kept}
        if not given and not always:
            return []
        return [self._decision(name, given.get(name), rows) for name in DECISION_COLUMNS]

    def _decision(self, name: str, column: Column | None, rows: Ints) -> OutColumn:
        # A decision on a field is a text, and may be a known blank.
        role = "text" if name == "decision" and self._sheet.task == "spans" else None
        if column is None:
            return worded(name, arrow.texts([None]), lambda places: np.zeros_like(places), role)
        return OutColumn(
            name,
            lambda places: column.texts(rows[places]),
            role=role,
            original=lambda places: take(column, rows[places]),
        )

    def _passes(self, rows: Ints) -> OutColumn:
        words = ["true" if one.passed else "false" for one in self._evaluation.outcomes]
        return self._by_outcome("pass", words, rows, Kind.BOOLEAN)

    def _reasons(self, units: Ints) -> OutColumn:
        words = [" ".join(one.reasons) for one in self._evaluation.outcomes]
        return self._by_outcome("reason", words, units)

    def _by_outcome(
        self, name: str, words: Sequence[str], units: Ints, kind: Kind = Kind.STRING
    ) -> OutColumn:
        codes = self._evaluation.codes
        return worded(name, arrow.texts(words), lambda places: codes[units[places]], kind=kind)


def worded(
    name: str,
    words: pa.StringArray,
    codes: Callable[[Ints], Ints],
    role: str | None = None,
    kind: Kind = Kind.STRING,
) -> OutColumn:
    """Make a column of a few words; `codes` gives the places of the cells' words among them."""

    def cells(places: Ints) -> pa.StringArray:
        return arrow.take(words, codes(places))

    def few() -> Few:
        return Few(len(words), codes, OutColumn(name, partial(arrow.take, words), kind, role))

    return OutColumn(name, cells, kind, role, few=few)


def _few(column: Column, rows: Ints, role: str | None) -> Callable[[], Few] | None:
    """Give the distinct cells of an input column, if its texts are held once each."""
    if not isinstance(column.values, pa.DictionaryArray):
        return None

    def few() -> Few:
        codes, found = column.distinct
        cells = Column(
            column.name,
            column.position,
            arrow.texts(cell.text for cell in found),
            None if column.kind is None else np.array([cell.kind for cell in found], np.uint8),
        )
        only = OutColumn(
            column.name, cells.texts, role=role, original=lambda places: take(cells, places)
        )
        return Few(len(found), lambda places: codes[rows[places]], only)

    return few
