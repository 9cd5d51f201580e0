"""The `problem` of each invalid row: where the fault is, and what a reviewer must do."""

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.batch import Evaluation
from evalbatch.columns import replace_where
from evalbatch.fields import FAULTS, Fields
from evalbatch.ids import rows_by_id
from evalbatch.records import Readings, Sheet
from evalbatch.sheets_out import NOTHING_WRONG
from evalbatch.words import listed, shown

_ROWS_NAMED = 100
Words = tuple[str, str]
"""What is wrong, and how to mend it."""


class Problems:
    """Writes the problems of an evaluation's invalid rows, any number of them at a time."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._sheet: Sheet = evaluation.sheet

    def of_cases(self, rows: Ints) -> pa.StringArray:
        """Give the problems of some invalid rows, each of which is a case."""
        evaluation = self._evaluation
        parts = self._id_problems(rows)
        for role, readings in evaluation.cells.items():
            faulty = np.array([role in one.faults for one in evaluation.outcomes], dtype=bool)
            at_fault = faulty[evaluation.codes[rows]]
            parts.append(self._cell_problems(role, readings, rows, at_fault))
        return self._joined(rows, parts)

    def of_fields(self, fields: Fields, rows: Ints, units: Ints) -> pa.StringArray:
        """Give the problems of some rows of invalid fields; `units` tells the field of each.

        A row without a fault of its own names the row that has one.
        """
        parts = self._id_problems(rows)
        for fault, texts in self.field_faults.items():
            blamed = (fields.faults[units] >> FAULTS.index(fault) & 1).astype(bool)
            words = arrow.texts(_in_full(*texts[unit]) for unit in units[blamed].tolist())
            where = self._sheet.places(self._sheet.role("id"), rows[blamed])
            parts.append(_placed(blamed, arrow.joined(where, words, separator=": ")))
        for role, readings in fields.cells.items():
            faulty = _has_reasons(readings)[readings.codes[rows]]
            parts.append(self._cell_problems(role, readings, rows, faulty))
        if "spans" in fields.cells:
            parts.append(self._span_problems(fields, rows, units))
        joined = self._joined(rows, parts)
        silent = arrow.null(joined)
        return kernels.replace_with_mask(
            joined, arrow.booleans(silent), self._pointers(units[silent])
        )

    def _id_problems(self, rows: Ints) -> list[pa.StringArray]:
        found = self._evaluation.ids
        faulty = _has_reasons(found.readings)[found.readings.codes[rows]]
        parts = [self._cell_problems("id", found.readings, rows, faulty)]
        if "text" not in self._sheet.match.roles:
            codes = found.codes[rows]
            repeated = np.isin(codes, list(self.repeated_ids))
            texts = [_in_full(*self.repeated_ids[code]) for code in codes[repeated].tolist()]
            where = self._sheet.places(found.column, rows[repeated])
            parts.append(_placed(repeated, arrow.joined(where, arrow.texts(texts), separator=": ")))
        return parts

    def _cell_problems(
        self, role: str, readings: Readings, rows: Ints, at_fault: Mask
    ) -> pa.StringArray:
        words = arrow.texts([reading.problem for reading in readings.readings])
        faulty = rows[at_fault]
        where = self._sheet.places(self._sheet.role(role), faulty)
        texts = arrow.take(words, readings.codes[faulty])
        return _placed(at_fault, arrow.joined(where, texts, separator=": "))

    def _joined(self, rows: Ints, parts: Sequence[pa.StringArray]) -> pa.StringArray:
        joined = reduce(_one_and_other, parts)
        malformed = self._sheet.malformed
        if not malformed:
            return joined
        wrong = np.isin(rows, list(malformed))
        return replace_where(
            joined, wrong, lambda where: [malformed[row] for row in rows[where].tolist()]
        )

    def _row_names(self, rows: Ints) -> str:
        noun = "row" if self._sheet.addressed else "item"
        numbers = self._sheet.source_rows[rows].tolist()
        return f"{noun if len(numbers) == 1 else noun + 's'} {listed(numbers, _ROWS_NAMED)}"

    @cached_property
    def repeated_ids(self) -> Mapping[int, Words]:
        """The words for ids that stand in several rows, by their codes."""
        found = self._evaluation.ids
        counts = np.bincount(found.codes[found.codes >= 0], minlength=found.count)
        return {
            code: (
                f"the id {shown(found.name(code))} is in {self._row_names(rows)}",
                "keep the row that counts, or give each case an id of its own",
            )
            for code, rows in rows_by_id(found, np.flatnonzero(counts > 1)).items()
        }

    @cached_property
    def field_faults(self) -> Mapping[str, Mapping[int, Words]]:
        """The words for faults of a field as such, by fault and field."""
        fields = self._evaluation.fields
        texts: dict[str, dict[int, Words]] = {"field-scattered": {}, "rows-without-id": {}}
        if fields is None or "text" not in self._sheet.match.roles:
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

    def _span_problems(self, fields: Fields, rows: Ints, units: Ints) -> pa.StringArray:
        """Speak of each faulty span inside a JSON cell, counted from 1."""
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
        fields = self._evaluation.fields
        if fields is None:
            return np.zeros(0, dtype=np.int64)
        faulty = np.zeros(len(fields.rows), dtype=bool)
        faulty[list(self._sheet.malformed)] = True
        for readings in fields.cells.values():
            faulty |= _has_reasons(readings)[readings.codes]
        nowhere = len(fields.rows)
        places = np.where(faulty[fields.rows], np.arange(nowhere), nowhere - 1)
        return fields.rows[np.minimum.reduceat(places, fields.row_offsets[:-1])]


def _in_full(what: str, mend: str) -> str:
    return f"{what}; {mend}"


def _has_reasons(readings: Readings) -> Mask:
    return np.array([bool(reading.reasons) for reading in readings.readings], dtype=bool)


def _placed(where: Mask, texts: pa.StringArray | Sequence[str | None]) -> pa.StringArray:
    """Spread texts over the rows of a mask; the others are null."""
    nothing = pa.nulls(len(where), pa.string())
    values = texts if isinstance(texts, pa.Array) else arrow.texts(texts)
    return kernels.replace_with_mask(nothing, arrow.booleans(where), values)


def _one_and_other(one: pa.StringArray, other: pa.StringArray) -> pa.StringArray:
    """Join two columns of texts where both have one, else give the one that is there."""
    # Arrow's own null_handling="skip" drops the rows in which every column is null.
    return kernels.coalesce(arrow.joined(one, other, separator="; "), one, other)
