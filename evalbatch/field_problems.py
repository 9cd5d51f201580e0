"""The `problem` of each row of an invalid field: a fault of its own, or where its field has one."""

from collections.abc import Mapping
from functools import cached_property

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints
from evalbatch.batch import Evaluation
from evalbatch.fields import FAULTS, Fields
from evalbatch.problems import Problems, Words, has_reasons, in_full, placed
from evalbatch.sheets_out import NOTHING_WRONG
from evalbatch.words import shown


class FieldProblems(Problems):
    """Writes the problems of invalid fields, any number of rows at a time."""

    def __init__(self, evaluation: Evaluation, fields: Fields) -> None:
        super().__init__(evaluation)
        self._fields = fields

    def of_fields(self, rows: Ints, units: Ints) -> pa.StringArray:
        """Give the problems of some rows of invalid fields; `units` tells the field of each.

        A row without a fault of its own names the row that has one.
        """
        fields = self._fields
        parts = self._id_problems(rows)
        for fault, texts in self.field_faults.items():
            blamed = (fields.faults[units] >> FAULTS.index(fault) & 1).astype(bool)
            words = arrow.texts(in_full(*texts[unit]) for unit in units[blamed].tolist())
            where = self._sheet.places(self._sheet.role("id"), rows[blamed])
            parts.append(placed(blamed, arrow.joined(where, words, separator=": ")))
        for role, readings in fields.cells.items():
            faulty = has_reasons(readings)[readings.codes[rows]]
            parts.append(self._cell_problems(role, readings, rows, faulty))
        if "spans" in fields.cells:
            parts.append(self._span_problems(rows, units))
        joined = self._joined(rows, parts)
        silent = arrow.null(joined)
        return kernels.replace_with_mask(
            joined, arrow.booleans(silent), self._pointers(units[silent])
        )

    @cached_property
    def field_faults(self) -> Mapping[str, Mapping[int, Words]]:
        """The words for faults of a field as such, by fault and field."""
        fields = self._fields
        texts: dict[str, dict[int, Words]] = {"field-scattered": {}, "rows-without-id": {}}
        if "text" not in self._sheet.match.roles:
            return texts
        is_part = self._sheet.part is not None
        for unit in np.flatnonzero(fields.faults >> FAULTS.index("field-scattered") & 1).tolist():
            rows, _ = fields.rows_of(np.array([unit]))
            apart, together = (
                ("stood apart in the sheet that this part comes from", "clear their reason cells")
                if is_part and np.ptp(rows) + 1 == len(rows)
                else ("stand apart", "bring them together")
            )
            texts["field-scattered"][unit] = (
                f"the rows of the field {self._name(rows[0])} {apart} ({self._row_names(rows)})",
                f"if they are one field, {together}, or run with --scattered; else give each field "
                "an id of its own",
            )
        for unit in np.flatnonzero(fields.faults >> FAULTS.index("rows-without-id") & 1).tolist():
            rows, _ = fields.rows_of(np.array([unit]))
            below = self._rows_without_id_below(rows)
            texts["rows-without-id"][unit] = (
                f"no id in {self._row_names(below)} below, which may belong to the field "
                f"{self._name(rows[0])}",
                "write the id into each of its rows",
            )
        return texts

    def _name(self, row: int) -> str:
        found = self._evaluation.ids
        return shown(found.name(int(found.codes[row])))

    def _rows_without_id_below(self, rows: Ints) -> Ints:
        found = self._evaluation.ids
        lacks = [one.reasons[:1] == ("id-missing",) for one in found.readings.readings]
        missing = np.array(lacks, dtype=bool)[found.readings.codes]
        below: list[int] = []
        for row in rows.tolist():
            following = row + 1
            while following < len(missing) and missing[following]:
                below.append(following)
                following += 1
        return np.array(below, dtype=np.int64)

    def _span_problems(self, rows: Ints, units: Ints) -> pa.StringArray:
        """Speak of each faulty span inside a JSON cell, counted from 1."""
        fields = self._fields
        places = self._sheet.places(self._sheet.role("spans"), rows).to_pylist()
        texts: list[str | None] = []
        for place, unit in zip(places, units.tolist(), strict=True):
            begin, end = fields.span_offsets[unit : unit + 2].tolist()
            faults = [
                f"{place}: span {span - begin + 1}: {reading.problem}"
                for span in range(begin, end)
                for readings in (fields.text, fields.struck)
                if (reading := readings.readings[readings.codes[span]]).reasons
            ]
            texts.append("; ".join(faults) or None)
        return arrow.texts(texts)

    def _pointers(self, units: Ints) -> pa.StringArray:
        """Name the first faulty row of each field, for rows that have no fault themselves."""
        where = arrow.digits(self._sheet.source_rows[self._first_faulty[units]])
        unit = "row" if self._sheet.addressed else "item"
        return arrow.joined(f"{NOTHING_WRONG}, but in {unit} ", where, " of the same field")

    @cached_property
    def _first_faulty(self) -> Ints:
        """The first row of each field that has a fault of its own."""
        fields = self._fields
        faulty = np.zeros(len(fields.rows), dtype=bool)
        faulty[list(self._sheet.malformed)] = True
        for readings in fields.cells.values():
            faulty |= has_reasons(readings)[readings.codes]
        nowhere = len(fields.rows)
        places = np.where(faulty[fields.rows], np.arange(nowhere), nowhere - 1)
        return fields.rows[np.minimum.reduceat(places, fields.row_offsets[:-1])]
