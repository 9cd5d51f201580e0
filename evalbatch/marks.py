"""The edit-mark columns of scored and held fields: current, old, candidates, status, spans."""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch import arrow
from evalbatch.arrow import Ints, Mask
from evalbatch.batch import Evaluation
from evalbatch.columns import joined_lists
from evalbatch.fields import Fields


class Marks:
    """The edit-mark columns of m scored or held fields; each takes places among the m.

    `strings` gives the texts of all spans as JSON. Where `quote` is doubled, in them as well,
    arrays come out as they stand in a CSV cell, quotes and all: to double the quotes of whole
    arrays takes longer than all else that is done to them.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        fields: Fields,
        units: Ints,
        strings: Callable[[], pa.StringArray],
        quote: str = '"',
    ) -> None:
        self._sheet = evaluation.sheet
        self._outcomes = evaluation.outcomes
        self._codes = evaluation.codes[units]
        self._decisions = evaluation.decisions
        self._fields = fields
        self._units = units
        self._strings = strings
        self._quote = quote
        self._around = "" if quote == '"' else '"'

    def current(self, places: Ints) -> pa.StringArray:
        """Give the current texts themselves; null where there is none."""
        inside = self._current_places[self._codes[places]]
        spans = self._fields.span_offsets[self._units[places]] + inside
        texts = self._fields.texts.take(arrow.ints(spans, inside < 0))
        decided = self._adjudicated[self._codes[places]]
        if not decided.any():
            return texts
        rows = self._fields.first_rows[self._units[places[decided]]]
        decisions = self._decisions[0].text.take(arrow.ints(rows))
        return pc.replace_with_mask(texts, arrow.booleans(decided), decisions)

    def status(self, places: Ints) -> pa.StringArray:
        """Give `accepted` or `review`."""
        return self._statuses.take(arrow.ints(self._codes[places]))

    def old(self, places: Ints) -> pa.StringArray:
        """Give the struck texts as JSON arrays."""
        return self._arrays([one.old for one in self._outcomes], places)

    def candidates(self, places: Ints) -> pa.StringArray:
        """Give the unstruck texts as JSON arrays."""
        return self._arrays([one.candidates for one in self._outcomes], places)

    def spans(self, places: Ints) -> pa.StringArray:
        """Give the spans as they can be fed back."""
        fields = self._fields
        units = self._units[places]
        if "spans" in self._sheet.match.roles:
            cells = self._sheet.role("spans").text.take(arrow.ints(fields.first_rows[units]))
            return arrow.joined('"', arrow.doubled(cells, b'"'), '"') if self._around else cells
        spans, offsets = fields.spans_of(units)
        q = self._quote
        ends = arrow.texts(
            f", {q}struck{q}: {str(one.value).lower()}}}" for one in fields.struck.readings
        )
        written = arrow.joined(
            f"{{{q}text{q}: ",
            self._strings().take(arrow.ints(spans)),
            ends.take(arrow.ints(fields.struck.codes[spans])),
        )
        return joined_lists(offsets, written, self._around)

    def _arrays(self, spans_of: Sequence[tuple[int, ...]], places: Ints) -> pa.StringArray:
        sizes_of = np.array([len(spans) for spans in spans_of], dtype=np.int64)
        flat = np.array([span for spans in spans_of for span in spans], dtype=np.int64)
        lists = arrow.lists(np.concatenate([[0], np.cumsum(sizes_of)]), arrow.ints(flat))
        codes = self._codes[places]
        sizes = sizes_of[codes]
        inside = arrow.numbers(pc.list_flatten(lists.take(arrow.ints(codes))))
        spans = np.repeat(self._fields.span_offsets[self._units[places]], sizes) + inside
        strings = self._strings().take(arrow.ints(spans))
        return joined_lists(np.concatenate([[0], np.cumsum(sizes)]), strings, self._around)

    @cached_property
    def _current_places(self) -> Ints:
        found = [-1 if one.current is None else one.current for one in self._outcomes]
        return np.array(found, dtype=np.int64)

    @cached_property
    def _statuses(self) -> pa.StringArray:
        return arrow.texts(
            "accepted" if one.disposition == "scored" else "review" for one in self._outcomes
        )

    @cached_property
    def _adjudicated(self) -> Mask:
        return np.array([one.adjudicated for one in self._outcomes], dtype=bool)
