"""Merged cells: which cells of roles they cover, and what that makes of them."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from evalbatch import arrow
from evalbatch.arrow import Ints
from evalbatch.columns import kinds as column_kinds
from evalbatch.loaders.xlsx.package import damaged
from evalbatch.loaders.xlsx.parser import Merge
from evalbatch.records import Column, Kind, Sheet
from evalbatch.schema import FORMATTED_SPANS, SPAN_ROWS


def with_merges(sheet: Sheet, merges: Sequence[Merge]) -> Sheet:
    """Tell which cells of roles are covered by a merged one.

    A vertically merged id of a sheet with several rows for a field covers its rows.
    """
    if not merges:
        return sheet
    columns = list(sheet.columns)
    for role, place in sheet.match.roles.items():
        spreads = role == "id" and sheet.match.layout in (SPAN_ROWS, FORMATTED_SPANS)
        columns[place] = _covered(columns[place], sheet, merges, spreads=spreads)
    return replace(sheet, columns=tuple(columns))


def _covered(column: Column, sheet: Sheet, merges: Sequence[Merge], *, spreads: bool) -> Column:
    texts = kind = None
    here = [one for one in merges if one.first_column <= column.position <= one.last_column]
    here.sort()
    for above, below in pairwise(here):
        if below.first_row <= above.last_row:
            raise damaged(f"merged cells overlap in row {below.first_row}")
    for merge in here:
        begin, end = np.searchsorted(sheet.source_rows, [merge.first_row, merge.last_row + 1])
        rows: Ints = np.arange(begin, end)
        is_top = rows[:1][sheet.source_rows[rows[:1]] == merge.first_row]
        covered = rows[len(is_top) :] if column.position == merge.first_column else rows
        if not len(covered):
            continue
        if texts is None or kind is None:
            texts, kind = column.text.to_pylist(), column_kinds(column).astype(np.uint8)
        if spreads and len(is_top) and merge.first_column == merge.last_column:
            for row in covered.tolist():
                # What a covered cell holds of its own was meant for something else.
                is_own = texts[row] and texts[row] != texts[begin]
                kind[row] = Kind.MERGED if is_own else kind[begin]
                texts[row] = texts[row] if is_own else texts[begin]
        else:
            for row in covered.tolist():
                texts[row] = texts[row] or ""
            kind[covered] = Kind.MERGED
    if texts is None or kind is None:
        return column
    return replace(column, values=arrow.texts(texts), kind=kind)
