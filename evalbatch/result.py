"""The result of one evaluation, for a program, a terminal or a notebook."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.batch import Evaluation
from evalbatch.columns import kinds as column_kinds
from evalbatch.coverage import Coverage
from evalbatch.outputs import OutColumn, SheetOut
from evalbatch.records import Column, Disposition, Kind
from evalbatch.sheets_out import NOTHING_WRONG

if TYPE_CHECKING:
    import pandas as pd

    from evalbatch.answers import Unmatched


_LOOKED_AT = 64


@dataclass(frozen=True)
class Result:
    """An evaluation: its coverage, and its scored, held and invalid sheets as pandas frames.

    The frames have the columns of the sheets out, one row for each case; for span sheets one for
    each field, and one for each row of an invalid field. Cells are as they were found: a CSV cell
    is a str, or missing where it is empty; a typed one is the value that it was. `pass` is bool and
    `source_row` int. A known blank is "" in `current`.

    `folder` is where the results were published, None if they were not. `unmatched` are the answers
    without a case, where answers stood apart.
    """

    coverage: Coverage
    evaluation: Evaluation
    sheets: Sequence[SheetOut]
    folder: Path | None = None
    unmatched: "Unmatched | None" = None

    @property
    def statement(self) -> str:
        """The result in one sentence, with its denominators."""
        return self.coverage.statement

    @cached_property
    def scored(self) -> "pd.DataFrame":
        """The cases that were scored; for spans the fields that were accepted."""
        return self._frame("scored")

    @cached_property
    def held(self) -> "pd.DataFrame":
        """The cases that wait for a recorded decision."""
        return self._frame("held")

    @cached_property
    def invalid(self) -> "pd.DataFrame":
        """The cases that nothing can be said of, each with its reason and its problem."""
        return self._frame("invalid")

    def problems(self, most: int) -> list[tuple[str, str]]:
        """Give the reasons and the problem of the first few rows in which something is wrong."""
        sheet = self._sheet("invalid")
        cells = {column.name: column.cells for column in sheet.columns}
        found: list[tuple[str, str]] = []
        for begin in range(0, sheet.count, _LOOKED_AT):
            places = np.arange(begin, min(begin + _LOOKED_AT, sheet.count))
            rows = zip(
                *(cells[one](places).to_pylist() for one in ("reason", "problem")), strict=True
            )
            found += [row for row in rows if not row[1].startswith(NOTHING_WRONG)]
            if len(found) >= most:
                break
        return found[:most]

    def __str__(self) -> str:
        return "\n".join([self.statement, *(f"note: {note.text}" for note in self.coverage.notes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        import html

        counts = self.coverage
        cells = {"scored": counts.scored, "held": counts.held, "invalid": counts.invalid}
        head = "".join(f"<th>{name}</th>" for name in [*cells, "all"])
        body = "".join(f"<td>{number}</td>" for number in [*cells.values(), counts.total])
        notes = "".join(f"<li>{html.escape(note.text)}</li>" for note in counts.notes)
        return (
            f"<p><strong>{html.escape(self.statement)}</strong></p>"
            f"<table><thead><tr>{head}</tr></thead><tbody><tr>{body}</tr></tbody></table>"
            + (f"<ul>{notes}</ul>" if notes else "")
        )

    def _sheet(self, disposition: Disposition) -> SheetOut:
        return next(sheet for sheet in self.sheets if sheet.disposition == disposition)

    def _frame(self, disposition: Disposition) -> "pd.DataFrame":
        import pandas as pd

        sheet = self._sheet(disposition)
        places = np.arange(sheet.count)
        series = {number: _series(one, places) for number, one in enumerate(sheet.columns)}
        frame = pd.DataFrame(series, index=range(sheet.count))
        # Names may repeat, so that they are set last.
        frame.columns = pd.Index([column.name for column in sheet.columns])
        return frame


def _series(column: OutColumn, places: Any) -> "pd.Series[Any]":
    import pandas as pd

    if column.original is not None and (original := column.original(places)).kind is not None:
        return pd.Series(_values(original), dtype=object).infer_objects()
    texts = column.cells(places)
    if column.kind == Kind.BOOLEAN:
        return pd.Series(arrow.true(kernels.equal(texts, arrow.scalar("true"))), dtype=bool)
    if column.kind == Kind.NUMBER:
        return pd.Series(arrow.numbers(kernels.cast(texts, pa.int64())), dtype="int64")
    return pd.Series(texts.to_pandas())


def _values(column: Column) -> list[Any]:
    kinds = column_kinds(column).tolist()
    return [_value(text, kind) for text, kind in zip(column.text.to_pylist(), kinds, strict=True)]


def _value(text: str, kind: int) -> Any:
    if kind not in (Kind.BOOLEAN, Kind.NUMBER, Kind.ARRAY, Kind.OBJECT):
        return text
    try:
        return json.loads(text)
    except ValueError:
        # Edited in a part, or a number that JSON has no form for.
        return text
