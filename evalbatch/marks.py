"""The edit-mark columns of scored and held fields: current, old, candidates, status, spans."""

from collections.abc import Callable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch import arrow
from evalbatch.arrow import Ints
from evalbatch.batch import Evaluation
from evalbatch.columns import joined_lists, json_strings
from evalbatch.fields import Fields

Cells = Callable[[Ints], pa.StringArray]


def mark_cells(evaluation: Evaluation, fields: Fields, units: Ints) -> Mapping[str, Cells]:
    """Give, by column, the cells of m scored or held fields; each takes places among the m.

    `current` is null where there is none; old, candidates and spans are JSON arrays. The rule told
    the places of the spans; here their texts are put in.
    """
    codes = evaluation.codes[units]
    outcomes = evaluation.outcomes
    statuses = arrow.texts(["review" if one.current is None else "accepted" for one in outcomes])
    currents = np.array(
        [-1 if one.current is None else one.current for one in outcomes], dtype=np.int64
    )

    def current(places: Ints) -> pa.StringArray:
        inside = currents[codes[places]]
        spans = fields.span_offsets[units[places]] + inside
        return fields.texts.take(arrow.ints(spans, inside < 0))

    def texts(spans_of: list[tuple[int, ...]]) -> Cells:
        sizes_of = np.array([len(spans) for spans in spans_of], dtype=np.int64)
        flat = np.array([span for spans in spans_of for span in spans], dtype=np.int64)
        lists = arrow.lists(np.concatenate([[0], np.cumsum(sizes_of)]), arrow.ints(flat))

        def cells(places: Ints) -> pa.StringArray:
            chosen = lists.take(arrow.ints(codes[places]))
            sizes = sizes_of[codes[places]]
            begins = np.repeat(fields.span_offsets[units[places]], sizes)
            spans = begins + arrow.numbers(pc.list_flatten(chosen))
            strings = json_strings(fields.texts.take(arrow.ints(spans)))
            return joined_lists(np.concatenate([[0], np.cumsum(sizes)]), strings)

        return cells

    return {
        "current": current,
        "old": texts([one.old for one in outcomes]),
        "candidates": texts([one.candidates for one in outcomes]),
        "status": lambda places: statuses.take(arrow.ints(codes[places])),
        "spans": lambda places: _spans(evaluation, fields, units[places]),
    }


def _spans(evaluation: Evaluation, fields: Fields, units: Ints) -> pa.StringArray:
    """Give the spans of scored or held fields as they can be fed back."""
    if "spans" in evaluation.sheet.match.roles:
        return evaluation.sheet.role("spans").text.take(arrow.ints(fields.first_rows[units]))
    spans, offsets = fields.spans_of(units)
    marks = arrow.texts([str(one.value).lower() for one in fields.struck.readings])
    written = arrow.joined(
        '{"text": ',
        json_strings(fields.texts.take(arrow.ints(spans))),
        ', "struck": ',
        marks.take(arrow.ints(fields.struck.codes[spans])),
        "}",
    )
    return joined_lists(offsets, written)
