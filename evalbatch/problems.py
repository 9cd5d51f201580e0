"""The `problem` of each invalid row: where the fault is, and what a reviewer must do."""

from collections.abc import Mapping, Sequence
from functools import cached_property, reduce

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.batch import Evaluation
from evalbatch.columns import replace_where
from evalbatch.ids import rows_by_id
from evalbatch.records import Readings, Sheet
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

    def _id_problems(self, rows: Ints) -> list[pa.StringArray]:
        found = self._evaluation.ids
        faulty = has_reasons(found.readings)[found.readings.codes[rows]]
        parts = [self._cell_problems("id", found.readings, rows, faulty)]
        if "text" not in self._sheet.match.roles:
            codes = found.codes[rows]
            repeated = np.isin(codes, list(self.repeated_ids))
            texts = [in_full(*self.repeated_ids[code]) for code in codes[repeated].tolist()]
            where = self._sheet.places(found.column, rows[repeated])
            parts.append(placed(repeated, arrow.joined(where, arrow.texts(texts), separator=": ")))
        return parts

    def _cell_problems(
        self, role: str, readings: Readings, rows: Ints, at_fault: Mask
    ) -> pa.StringArray:
        words = arrow.texts([reading.problem for reading in readings.readings])
        faulty = rows[at_fault]
        where = self._sheet.places(self._sheet.role(role), faulty)
        texts = arrow.take(words, readings.codes[faulty])
        return placed(at_fault, arrow.joined(where, texts, separator=": "))

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


def in_full(what: str, mend: str) -> str:
    """Say what is wrong and how to mend it in one line."""
    return f"{what}; {mend}"


def has_reasons(readings: Readings) -> Mask:
    """Tell which readings are none that an evaluator can take."""
    return np.array([bool(reading.reasons) for reading in readings.readings], dtype=bool)


def placed(where: Mask, texts: pa.StringArray) -> pa.StringArray:
    """Spread texts over the rows of a mask; the others are null."""
    nothing = pa.nulls(len(where), pa.string())
    return kernels.replace_with_mask(nothing, arrow.booleans(where), texts)


def _one_and_other(one: pa.StringArray, other: pa.StringArray) -> pa.StringArray:
    """Join two columns of texts where both have one, else give the one that is there."""
    # Arrow's own null_handling="skip" drops the rows in which every column is null.
    return kernels.coalesce(arrow.joined(one, other, separator="; "), one, other)
