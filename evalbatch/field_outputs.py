"""The three sheets out of a span sheet: a row for each field, or for each row of an invalid one."""

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.batch import Evaluation
from evalbatch.columns import json_arrays, json_values, take
from evalbatch.field_problems import FieldProblems
from evalbatch.fields import Fields
from evalbatch.marks import Marks, SpanTexts
from evalbatch.outputs import CaseSheets, OutColumn, SheetOut
from evalbatch.records import Column, Disposition
from evalbatch.threads import once


class FieldSheets(CaseSheets):
    """Sheets with one row for each field; the invalid one has the fields' own rows."""

    def __init__(self, evaluation: Evaluation, fields: Fields, share: str) -> None:
        super().__init__(evaluation, share)
        self._problems_of_fields = FieldProblems(evaluation, fields)
        self._fields = fields
        # Whether the rows of each field share the value of a column, by the column's place.
        self._shared: dict[int, Mask] = {}
        # Each is for one format, and most runs write only one.
        self._plain_texts = once(lambda: SpanTexts.of(fields))
        self._texts_in_quotes = once(lambda: SpanTexts.of(fields, in_quotes=True))

    def sheet(self, disposition: Disposition) -> SheetOut:
        """Lay out one of the sheets."""
        units = self._evaluation.units(disposition)
        if disposition == "invalid":
            rows, offsets = self._fields.rows_of(units)
            # In the order of the sheet, so that what stood apart or below another still does.
            order = np.argsort(rows)
            rows = rows[order]
            owner = np.repeat(np.arange(len(units)), np.diff(offsets))[order]
            problem = OutColumn(
                "problem",
                lambda places: self._problems_of_fields.of_fields(
                    rows[places], units[owner[places]]
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
