"""The edit-mark columns of scored and held fields: current, old, candidates, status, spans."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from evalbatch import arrow, characters, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.batch import Evaluation
from evalbatch.columns import Signs, arrays, json_characters
from evalbatch.fields import Fields


@dataclass(frozen=True, slots=True)
class SpanTexts:
    """The texts of all spans as they stand in JSON, and then what stands around them in arrays.

    `texts[:count]` are the spans. `in_quotes` tells that quotes are doubled, and arrays in quotes,
    as they stand in a CSV cell: to do that to whole arrays takes longer than to write them.
    """

    texts: pa.StringArray
    count: int
    in_quotes: bool

    @classmethod
    def of(cls, fields: Fields, *, in_quotes: bool = False) -> "SpanTexts":
        """Write the texts of all spans."""
        q, around = ('""', '"') if in_quotes else ('"', "")
        signs = [f"{around}[]{around}", f"{around}[{q}", f"{q}, {q}", f"{q}]{around}"]
        signs.append(f"{around}[{{{q}text{q}: {q}")
        for one in fields.struck.readings:
            mark = f"{q}, {q}struck{q}: {str(one.value).lower()}}}"
            signs += [f"{mark}, {{{q}text{q}: {q}", f"{mark}]{around}"]
        texts = pa.concat_arrays([json_characters(fields.texts, q), arrow.texts(signs)])
        return cls(texts, len(fields.texts), in_quotes)

    def lists(self, spans: Ints, offsets: Ints) -> pa.StringArray:
        """Write arrays of texts; array i has the spans `spans[offsets[i]:offsets[i + 1]]`."""
        signs = Signs(*(self.count + sign for sign in range(4)))
        return arrays(self.texts, spans, offsets, signs)

    def objects(self, spans: Ints, offsets: Ints, marks: Ints) -> pa.StringArray:
        """Write arrays of texts with their marks, given as codes of what these were read as."""
        between = self.count + 5 + 2 * marks
        signs = Signs(self.count, self.count + 4, between, between + 1)
        return arrays(self.texts, spans, offsets, signs)


class Marks:
    """The edit-mark columns of m scored or held fields; each takes places among the m.

    `texts` gives the texts of all spans, in quotes where arrays are to come out so.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        fields: Fields,
        units: Ints,
        texts: Callable[[], SpanTexts],
    ) -> None:
        self._sheet = evaluation.sheet
        self._outcomes = evaluation.outcomes
        self._codes = evaluation.codes[units]
        self._decisions = evaluation.decisions
        self._fields = fields
        self._units = units
        self._texts = texts

    def current(self, places: Ints) -> pa.StringArray:
        """Give the current texts themselves; null where there is none."""
        inside = self._current_places[self._codes[places]]
        spans = self._fields.span_offsets[self._units[places]] + inside
        texts = arrow.take(self._fields.texts, spans, inside < 0)
        decided = self._adjudicated[self._codes[places]]
        if not decided.any():
            return texts
        rows = self._fields.first_rows[self._units[places[decided]]]
        decisions = arrow.take(self._decisions[0].text, rows)
        return kernels.replace_with_mask(texts, arrow.booleans(decided), decisions)

    def status(self, places: Ints) -> pa.StringArray:
        """Give `accepted` or `review`."""
        return arrow.take(arrow.texts(self.statuses), self._codes[places])

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
        texts = self._texts()
        if "spans" in self._sheet.match.roles:
            cells = self._sheet.role("spans").texts(fields.first_rows[units])
            if not texts.in_quotes:
                return cells
            return arrow.joined('"', characters.doubled(cells, b'"'), '"')
        spans, offsets = fields.spans_of(units)
        return texts.objects(spans, offsets, fields.struck.codes[spans])

    def _arrays(self, spans_of: Sequence[tuple[int, ...]], places: Ints) -> pa.StringArray:
        ends_of = np.cumsum([0, *map(len, spans_of)])
        flat = np.array([span for spans in spans_of for span in spans], dtype=np.int64)
        chosen, offsets = arrow.members(ends_of, self._codes[places])
        first = self._fields.span_offsets[self._units[places]]
        spans = np.repeat(first, np.diff(offsets)) + flat[chosen]
        return self._texts().lists(spans, offsets)

    @cached_property
    def _current_places(self) -> Ints:
        found = [-1 if one.current is None else one.current for one in self._outcomes]
        return np.array(found, dtype=np.int64)

    @cached_property
    def statuses(self) -> Sequence[str]:
        """The status that each outcome is."""
        return ["accepted" if one.disposition == "scored" else "review" for one in self._outcomes]

    @cached_property
    def _adjudicated(self) -> Mask:
        return np.array([one.adjudicated for one in self._outcomes], dtype=bool)
