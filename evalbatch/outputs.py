"""The three sheets out, column by column: what stands in each, before any format is chosen."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.batch import Evaluation
from evalbatch.columns import json_arrays, json_values, take
from evalbatch.fields import Fields
from evalbatch.marks import Marks, SpanTexts
from evalbatch.problems import Problems
from evalbatch.records import DISPOSITIONS, Column, Disposition, Kind, Pieces
from evalbatch.schema import FORMATTED_SPANS
from evalbatch.sheets_out import DECISION_COLUMNS, reserved
from evalbatch.threads import once
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
    if evaluation.fields is None:
        layout = _CaseSheets(evaluation, share)
    else:
        layout = _FieldSheets(evaluation, evaluation.fields, share)
    return [layout.sheet(disposition) for disposition in DISPOSITIONS]


class _CaseSheets:
    """Sheets with one row for each case."""

    def __init__(self, evaluation: Evaluation, share: str) -> None:
        self._evaluation = evaluation
        self._sheet = evaluation.sheet
        self._share = share
        self._problems = Problems(evaluation)
        self._reserved = reserved(self._sheet.task)

    def sheet(self, disposition: Disposition) -> SheetOut:
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
            _worded("coverage", arrow.texts([self._share]), lambda places: np.zeros_like(places)),
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
            return _worded(name, arrow.texts([None]), lambda places: np.zeros_like(places), role)
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
        return _worded(name, arrow.texts(words), lambda places: codes[units[places]], kind=kind)


class _FieldSheets(_CaseSheets):
    """Sheets with one row for each field; the invalid one has the fields' own rows."""

    def __init__(self, evaluation: Evaluation, fields: Fields, share: str) -> None:
        super().__init__(evaluation, share)
        self._fields = fields
        # Whether the rows of each field share the value of a column, by the column's place.
        self._shared: dict[int, Mask] = {}
        # Each is for one format, and most runs write only one.
        self._plain_texts = once(lambda: SpanTexts.of(fields))
        self._texts_in_quotes = once(lambda: SpanTexts.of(fields, in_quotes=True))

    def sheet(self, disposition: Disposition) -> SheetOut:
        units = self._evaluation.units(disposition)
        if disposition == "invalid":
            rows, offsets = self._fields.rows_of(units)
            # In the order of the sheet, so that what stood apart or below another still does.
            order = np.argsort(rows)
            rows = rows[order]
            owner = np.repeat(np.arange(len(units)), np.diff(offsets))[order]
            problem = OutColumn(
                "problem",
                lambda places: self._problems.of_fields(
                    self._fields, rows[places], units[owner[places]]
                ),
            )
            results = [*self._decisions(rows, False), self._reasons(units[owner]), problem]
            return self._finished(disposition, rows, [*self._originals(rows), *results])
        first = self._fields.first_rows[units]
        columns = [self._id(first), *self._marks(units), *self._carried(units)]
        if disposition == "held":
            columns.append(self._reasons(units))
        columns += self._decisions(first, disposition == "held")
        return self._finished(disposition, first, columns)

    def _id(self, rows: Ints) -> OutColumn:
        column = self._sheet.role("id")
        return OutColumn("id", lambda places: column.texts(rows[places]))

    def _marks(self, units: Ints) -> list[OutColumn]:
        plain = Marks(self._evaluation, self._fields, units, self._plain_texts)
        quoted = Marks(self._evaluation, self._fields, units, self._texts_in_quotes)
        return [
            OutColumn("current", plain.current, role="text"),
            OutColumn("old", plain.old, in_quotes=quoted.old),
            OutColumn("candidates", plain.candidates, in_quotes=quoted.candidates),
            self._by_outcome("status", plain.statuses, units),
            OutColumn("spans", plain.spans, in_quotes=quoted.spans),
        ]

    def _carried(self, units: Ints) -> list[OutColumn]:
        roles = set(self._sheet.match.roles.values())
        return [
            OutColumn(self._name(column), self._agreed(column, units))
            for place, column in enumerate(self._sheet.columns)
            if place not in roles
        ]

    def _agreed(self, column: Column, units: Ints) -> Callable[[Ints], pa.StringArray]:
        """Give the value that a field's rows share, else a JSON array of their values."""
        fields = self._fields
        if len(fields.rows) == len(fields.first_rows):
            return lambda places: column.texts(fields.first_rows[units[places]])
        if column.position not in self._shared:
            codes = column.distinct[0][fields.rows]
            same = codes == np.repeat(codes[fields.row_offsets[:-1]], np.diff(fields.row_offsets))
            self._shared[column.position] = np.logical_and.reduceat(same, fields.row_offsets[:-1])
        agrees = self._shared[column.position]

        def cells(places: Ints) -> pa.StringArray:
            chosen = units[places]
            texts = column.texts(fields.first_rows[chosen])
            apart = np.flatnonzero(~agrees[chosen])
            if not len(apart):
                return texts
            rows, offsets = fields.rows_of(chosen[apart])
            arrays = json_arrays(offsets, json_values(take(column, rows)))
            return kernels.replace_with_mask(texts, arrow.booleans(~agrees[chosen]), arrays)

        return cells


def _worded(
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
