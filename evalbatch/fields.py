"""The fields of a span sheet: which rows and spans belong to each, and what is wrong with them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.columns import read_column, read_texts, replace_where, take
from evalbatch.faults import ROW_FAULTS, having
from evalbatch.ids import Ids
from evalbatch.readings import json_cell, read
from evalbatch.records import Reading, Readings, Sheet
from evalbatch.spellings import EXACT, Spellings

FAULTS = (
    "row-malformed",
    "id-missing",
    "id-not-text",
    "id-duplicate",
    "field-scattered",
    "rows-without-id",
)
"""The faults of a field as such, in the order in which one decides; a field may have several."""


@dataclass(frozen=True, slots=True)
class Span:
    """One span as the rule sees it: whether its text is one, and its mark (None if it is none).

    `reasons` holds those of its text and those of its mark.
    """

    is_text: bool
    struck: bool | None
    reasons: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Fields:
    """The fields of a sheet, in the order of their first rows.

    Field i has the rows `rows[row_offsets[i]:row_offsets[i + 1]]`, the spans
    `span_offsets[i]` to `span_offsets[i + 1]` and the faults whose bits `faults[i]` has. Span j has
    the text `texts[j]` and was read as `text` and `struck`. Where a cell holds all spans of its
    field, `cell` is what it was read as, by field. `cells` holds the readings by row.
    """

    rows: Ints
    row_offsets: Ints
    span_offsets: Ints
    faults: Ints
    texts: pa.StringArray
    text: Readings
    struck: Readings
    cell: Readings
    cells: dict[str, Readings]

    @cached_property
    def first_rows(self) -> Ints:
        """The first row of each field."""
        return self.rows[self.row_offsets[:-1]]

    def rows_of(self, units: Ints) -> tuple[Ints, Ints]:
        """Give all rows of m fields, one after the other, and the m + 1 offsets between them."""
        members, offsets = arrow.members(self.row_offsets, units)
        return self.rows[members], offsets

    def spans_of(self, units: Ints) -> tuple[Ints, Ints]:
        """Give all spans of m fields, one after the other, and the m + 1 offsets between them."""
        return arrow.members(self.span_offsets, units)

    def patterns(self) -> tuple[Ints, list[list[Span]]]:
        """Give each field's pattern: its spans without their texts. The patterns are distinct."""
        texts, text_codes = _classes(
            [(isinstance(one.value, str), one.reasons) for one in self.text.readings],
            self.text.codes,
        )
        marks, mark_codes = _classes(
            [
                (one.value if isinstance(one.value, bool) else None, one.reasons)
                for one in self.struck.readings
            ],
            self.struck.codes,
        )
        spans = [
            Span(is_text, struck, (text_reasons, mark_reasons))
            for is_text, text_reasons in texts
            for struck, mark_reasons in marks
        ]
        if len(spans) > 256:
            raise OverflowError(f"{len(spans)} kinds of spans do not fit a byte")
        codes = (text_codes * len(marks) + mark_codes).astype(np.uint8)
        encoded = kernels.dictionary_encode(arrow.binaries(self.span_offsets, codes))
        patterns = [[spans[code] for code in pattern] for pattern in encoded.dictionary.to_pylist()]
        return arrow.numbers(encoded.indices), patterns


def group(
    sheet: Sheet, ids: Ids, row_faults: Ints, spellings: Spellings, scattered: bool
) -> Fields:
    """Group a span sheet's rows into fields, and read their spans.

    A field of several rows stands together unless `scattered` declares it; each row without an id
    is a field of its own, and casts doubt on the field above.
    """
    if "spans" in sheet.match.roles:
        return _one_row_each(sheet, row_faults, spellings)
    return _several_rows(sheet, ids, row_faults, spellings, scattered)


def _several_rows(
    sheet: Sheet, ids: Ids, row_faults: Ints, spellings: Spellings, scattered: bool
) -> Fields:
    count = len(sheet.source_rows)
    orphan = ids.codes < 0
    keys = ids.codes.copy()
    keys[orphan] = ids.count + np.arange(int(orphan.sum()))
    begins = np.ones(count, dtype=bool)
    begins[1:] = keys[1:] != keys[:-1]
    total = ids.count + int(orphan.sum())
    numbers = np.cumsum(begins) - 1
    if numbers[-1] + 1 > total:
        # Some stand apart: number the fields by their first rows.
        numbers = arrow.numbers(kernels.dictionary_encode(arrow.ints(keys)).indices)
    runs = np.bincount(numbers[begins], minlength=total)
    sizes = np.bincount(numbers, minlength=total)
    rows = np.arange(count) if (runs == 1).all() else np.argsort(numbers, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(sizes)])

    faults = np.zeros(total, dtype=np.int64)

    def blame(numbers: Ints, fault: str) -> None:
        faults[numbers] |= 1 << FAULTS.index(fault)

    blame(numbers[list(sheet.malformed)], "row-malformed")
    for fault in ("id-missing", "id-not-text"):
        blame(numbers[having(row_faults, fault)], fault)
    if not scattered:
        blame(np.flatnonzero(runs > 1), "field-scattered")
        if sheet.part is not None and sheet.part.scattered is not None:
            stood_apart = np.bincount(numbers[sheet.part.scattered], minlength=total)
            blame(np.flatnonzero((stood_apart > 0) & (sizes > 1)), "field-scattered")
    blame(numbers[_above_rows_without_id(orphan, row_faults)], "rows-without-id")

    by_row = _spans_by_row(sheet, spellings)
    no_cell = Readings(np.zeros(total, dtype=np.int64), [Reading(None)])
    order, span_offsets, texts = rows, offsets, by_row.texts
    if by_row.offsets is not None:
        order, bounds = arrow.members(by_row.offsets, rows)
        span_offsets = bounds[offsets]
    if (runs > 1).any():
        texts = arrow.take(texts, order)
    in_order = (
        Readings(by_row.text.codes[order], by_row.text.readings),
        Readings(by_row.struck.codes[order], by_row.struck.readings),
    )
    return Fields(rows, offsets, span_offsets, faults, texts, *in_order, no_cell, by_row.cells)


class _SpansByRow(NamedTuple):
    """The spans of n rows: row i has `offsets[i]` to `offsets[i + 1]`, or one where that is None.

    `cells` holds the readings of the rows' own cells.
    """

    texts: pa.StringArray
    text: Readings
    struck: Readings
    cells: dict[str, Readings]
    offsets: Ints | None = None


def _spans_by_row(sheet: Sheet, spellings: Spellings) -> _SpansByRow:
    text, texts = read_texts("text", sheet.role("text"), spellings)
    if "struck" in sheet.match.roles:
        struck = read_column("struck", sheet.role("struck"), spellings)
        return _SpansByRow(texts, text, struck, {"text": text, "struck": struck})
    count = len(sheet.source_rows)
    sizes = np.ones(count, dtype=np.int64)
    sizes[list(sheet.pieces)] = [len(pieces) for pieces in sheet.pieces.values()]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    is_struck = np.zeros(count, dtype=bool)
    is_struck[list(sheet.struck_texts)] = True
    spread = take(sheet.role("text"), np.repeat(np.arange(count), sizes))
    struck_spans = np.repeat(is_struck, sizes)
    apart = sorted(sheet.pieces)
    inside = np.zeros(len(struck_spans), dtype=bool)
    inside[arrow.members(offsets, np.array(apart, dtype=np.int64))[0]] = True
    pieces = [piece for row in apart for piece in sheet.pieces[row]]
    struck_spans[inside] = [struck for _, struck in pieces]
    texts = replace_where(spread.text, inside, lambda _: [text for text, _ in pieces])
    spread = replace(spread, values=texts)
    spans, span_texts = read_texts("text", spread, spellings)
    marks = Readings(struck_spans.astype(np.int64), [Reading(False), Reading(True)])
    return _SpansByRow(span_texts, spans, marks, {"text": text}, offsets)


def _above_rows_without_id(orphan: Mask, row_faults: Ints) -> Ints:
    """Give the nearest row with an id above each row that lacks one."""
    missing = orphan & ~having(row_faults, "id-not-text")
    above = np.maximum.accumulate(np.where(missing, -1, np.arange(len(orphan))))[missing]
    above = above[above >= 0]
    return above[~orphan[above]]


def _one_row_each(sheet: Sheet, row_faults: Ints, spellings: Spellings) -> Fields:
    cells = read_column("spans", sheet.role("spans"), spellings)
    arrays = [r.value if isinstance(r.value, list) else [] for r in cells.readings]
    lengths = np.array([len(array) for array in arrays], dtype=np.int64)[cells.codes]
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    flat = [
        (json_cell(span.get("text")), json_cell(span.get("struck")))
        for code in cells.codes.tolist()
        for span in arrays[code]
    ]
    text = _spread_cells("text", [one for one, _ in flat])
    struck = _spread_cells("struck", [one for _, one in flat])
    values = [reading.value for reading in text.readings]
    texts = [
        values[code] if isinstance(values[code], str) else None for code in text.codes.tolist()
    ]
    faults = np.zeros(len(sheet.source_rows), dtype=np.int64)
    for fault in ROW_FAULTS[1:]:
        faults[having(row_faults, fault)] |= 1 << FAULTS.index(fault)
    rows = np.arange(len(faults))
    row_offsets = np.arange(len(faults) + 1)
    return Fields(
        rows=rows,
        row_offsets=row_offsets,
        span_offsets=offsets,
        faults=faults,
        texts=arrow.texts(texts),
        text=text,
        struck=struck,
        cell=cells,
        cells={"spans": cells},
    )


def _spread_cells(role: str, cells: Sequence[Any]) -> Readings:
    numbers = {cell: number for number, cell in enumerate(dict.fromkeys(cells))}
    codes = np.array([numbers[cell] for cell in cells], dtype=np.int64)
    return Readings(codes, [read(role, cell, EXACT) for cell in numbers])


def _classes(kinds: Sequence[Any], codes: Ints) -> tuple[list[Any], Ints]:
    """Join readings that the rule and the reasons cannot tell apart."""
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    mapped = np.array([numbers[kind] for kind in kinds], dtype=np.int64)
    return list(numbers), mapped[codes] if len(mapped) else codes
