"""Sheets that evalbatch wrote, fed back: what they say of the evaluation that they come from."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from evalbatch import arrow
from evalbatch.arrow import Mask
from evalbatch.errors import EvalbatchError
from evalbatch.records import Column, Disposition, Kind, Match, Part, Sheet
from evalbatch.sheets_out import (
    DECISION_COLUMNS,
    FIELD_COLUMNS,
    MARKED,
    MARKED_ROLES,
    RESULT_COLUMNS,
    marked_kind,
    whole_of,
    would_run,
)
from evalbatch.words import fold_header, listed, shown

# The shorter blocks are the ends of the longer ones.
_LONGEST_FIRST: tuple[Disposition, ...] = ("held", "invalid", "scored")
_STILL_MALFORMED = (
    "the row was malformed in the sheet that this part comes from; mend its cells, then clear this "
    "reason cell"
)


def recognise(sheet: Sheet) -> Sheet:
    """Take the result columns off a CSV part, and undo what was done to its cells for writing.

    A sheet without a block of result columns is given back as it is. Raises EvalbatchError for a
    part whose coverage column does not say, or says in two ways, of how many cases it is a part.
    """
    names = [fold_header(column.name) for column in sheet.columns]
    found = _find_block(names, sheet)
    if found is None:
        return sheet
    disposition, block = found
    columns = {name: _unescaped(sheet.columns[place]) for name, place in block.items()}
    total = _whole(columns["coverage"], sheet)
    decisions = tuple(columns[name] for name in DECISION_COLUMNS if name in columns)
    malformed = dict(sheet.malformed)
    scattered = None
    if disposition == "invalid":
        # Faults that a row's own cells do not show any more, now that it stands in another sheet.
        scattered = _had_reason(columns["reason"], "field-scattered")
        for row in np.flatnonzero(_had_reason(columns["reason"], "row-malformed")).tolist():
            place = sheet.place(columns["reason"], row)
            malformed.setdefault(row, f"{place}: {_STILL_MALFORMED}")
    role_of = {place: role for role, place in sheet.match.roles.items()}
    marked = MARKED_ROLES[disposition]
    rest: list[Column] = []
    places: dict[str, int] = {}
    for index, column in enumerate(sheet.columns):
        role = role_of.get(index)
        if index in block.values() and role is None:
            continue
        if role is not None:
            places[role] = len(rest)
        unescaped = _unescaped(column)
        rest.append(_unmarked(unescaped) if role in marked else unescaped)
    return replace(
        sheet,
        columns=tuple(rest),
        match=Match(sheet.match.layout, places),
        malformed=malformed,
        part=Part(total, decisions, scattered),
    )


def _find_block(names: Sequence[str], sheet: Sheet) -> tuple[Disposition, dict[str, int]] | None:
    """Find the result columns of a sheet out: its disposition, and each column's place."""
    lead = _run(names, FIELD_COLUMNS) if sheet.task == "spans" else None
    for disposition in _LONGEST_FIRST:
        block = RESULT_COLUMNS.get((sheet.task, disposition), ())
        # Without its field columns, "coverage, source_row" alone says nothing.
        is_field = sheet.task == "spans" and disposition != "invalid"
        start = _run(names, block)
        if not block or start is None or (is_field and lead is None):
            continue
        places = dict(zip(block, range(start, start + len(block)), strict=True))
        if is_field and lead is not None:
            places |= zip(FIELD_COLUMNS, range(lead, lead + len(FIELD_COLUMNS)), strict=True)
        before = start - len(DECISION_COLUMNS)
        if "decision" not in places and tuple(names[max(before, 0) : start]) == DECISION_COLUMNS:
            places |= zip(DECISION_COLUMNS, range(before, start), strict=True)
        return disposition, places
    return None


def _run(names: Sequence[str], block: Sequence[str]) -> int | None:
    for start in range(len(names) - len(block) + 1):
        if tuple(names[start : start + len(block)]) == tuple(block):
            return start
    return None


def _whole(coverage: Column, sheet: Sheet) -> int:
    cells = [cell for cell in pc.unique(coverage.text).to_pylist() if cell]
    wholes = {cell: whole_of(cell) for cell in cells}
    totals = sorted({whole for whole in wholes.values() if whole is not None})
    if len(totals) == 1:
        return totals[0]
    where = f"column {shown(coverage.name)}"
    if totals:
        raise EvalbatchError(
            f"{where}: the rows are parts of different evaluations, of {listed(totals)} cases; "
            "evaluate each part by itself."
        )
    raise EvalbatchError(
        f"{where}: the sheet has the result columns of a part of an evaluation, but no row says of "
        "how many cases (such as '3 of 5'). Put the coverage cells back, or delete or rename the "
        f"result columns if this is a sheet of its own ({sheet.task})."
    )


def _unescaped(column: Column) -> Column:
    """Take off the one apostrophe that was put before a text which a spreadsheet would run."""
    quoted = arrow.first_bytes(column.text) == ord("'")
    if not quoted.any():
        return column
    rest = pc.utf8_slice_codeunits(column.text, 1)
    put_on = arrow.booleans(quoted & would_run(rest))
    return replace(column, text=pc.if_else(put_on, rest, column.text))


def _unmarked(column: Column) -> Column:
    """Read cells such as `14 (number)` as what they were."""
    marked = pc.match_substring_regex(column.text, rf"(?s)^{MARKED.pattern}$")
    places = np.flatnonzero(arrow.true(marked))
    if not len(places):
        return column
    kind: npt.NDArray[np.uint8] = np.where(arrow.null(column.text), Kind.EMPTY, Kind.WORD).astype(
        np.uint8
    )
    texts = column.text.to_pylist()
    for place in places.tolist():
        found = MARKED.fullmatch(texts[place])
        if found is not None:
            texts[place] = found[1]
            kind[place] = marked_kind(found[2])
    return replace(column, text=arrow.texts(texts), kind=kind)


def _had_reason(column: Column, reason: str) -> Mask:
    return arrow.true(pc.match_substring(column.text, reason))
