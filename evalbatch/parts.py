"""Sheets that evalbatch wrote, fed back: what they say of the evaluation that they come from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from evalbatch import arrow, characters, kernels
from evalbatch.columns import kinds
from evalbatch.errors import EvalbatchError
from evalbatch.reasons import BY_CODE
from evalbatch.records import Column, Disposition, Match, Note, Part, Sheet, Task
from evalbatch.sheets_out import (
    CUT_PATTERN,
    DECISION_COLUMNS,
    FIELD_COLUMNS,
    MARKED,
    MARKED_ROLES,
    NOTHING_WRONG,
    RESULT_COLUMNS,
    marked_kind,
    whole_of,
    would_run,
)
from evalbatch.words import counted, fold_header, listed, shown

# The shorter blocks are the ends of the longer ones.
_LONGEST_FIRST: tuple[Disposition, ...] = ("held", "invalid", "scored")
_EVALUATED: tuple[Task, ...] = ("answer-key", "spans")
_CELLS_IN_A_NOTE = 100
_STILL_MALFORMED = (
    "the row was malformed in the sheet that this part comes from; mend its cells, then clear this "
    "reason cell"
)
_IT_SAID = "; it said: "


def recognise(sheet: Sheet) -> Sheet:
    """Take the result columns off a part, and undo what was done to its cells for CSV.

    A sheet without a block of result columns is given back as it is. Raises EvalbatchError for a
    part whose coverage column does not say, or says in two ways, of how many cases it is a part.
    """
    names = [fold_header(column.name) for column in sheet.columns]
    if sheet.task not in _EVALUATED:
        return _beside(sheet, names)
    found = _find_block(names, sheet.task)
    if found is None:
        _refuse_leftovers(names, sheet)
        return sheet
    disposition, block = found
    columns = {
        name: _as_it_was(sheet.columns[place], sheet, is_marked=False)
        for name, place in block.items()
    }
    total = _whole(columns["coverage"], sheet)
    decisions = tuple(columns[name] for name in DECISION_COLUMNS if name in columns)
    malformed = dict(sheet.malformed)
    scattered = None
    if disposition == "invalid":
        # Faults that a row's own cells do not show any more, now that it stands in another sheet.
        scattered = arrow.true(kernels.match_substring(columns["reason"].text, "field-scattered"))
        malformed = {**_still_malformed(columns, sheet), **malformed}
    malformed = {**_cut_off(sheet), **malformed}
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
        rest.append(_as_it_was(column, sheet, is_marked=role in marked))
    return replace(
        sheet,
        columns=tuple(rest),
        match=Match(sheet.match.layout, places),
        malformed=malformed,
        notes=(*sheet.notes, *_notes(columns, sheet, disposition)),
        part=Part(total, decisions, scattered),
    )


def is_held_sheet(sheet: Sheet) -> bool:
    """Tell whether a decision sheet is a held sheet that evalbatch wrote, its columns untouched."""
    names = [fold_header(column.name) for column in sheet.columns]
    blocks = (_find_block(names, task) for task in _EVALUATED)
    return any(found is not None and found[0] == "held" for found in blocks)


def _notes(columns: Mapping[str, Column], sheet: Sheet, disposition: Disposition) -> Iterator[Note]:
    """Note what somebody typed into a part and what is not read as a label or a text."""
    typed = columns.get("decision")
    if typed is not None and not arrow.empty(typed.text).all():
        rows = np.flatnonzero(~arrow.empty(typed.text))
        yield Note(
            "decisions-kept",
            f"{counted(len(rows), 'decision')} in the sheet kept; to apply them, run the key with "
            "this sheet as --adjudications",
            tuple(sheet.places(typed, rows[:_CELLS_IN_A_NOTE]).to_pylist()),
        )
    current = columns.get("current")
    if disposition == "held" and current is not None and not arrow.empty(current.text).all():
        rows = np.flatnonzero(~arrow.empty(current.text))
        yield Note(
            "current-not-read",
            f"{counted(len(rows), 'cell')} of the current column not read, for it is worked out "
            "from the spans; record a current text as the decision",
            tuple(sheet.places(current, rows[:_CELLS_IN_A_NOTE]).to_pylist()),
        )
    added = np.flatnonzero(arrow.empty(columns["coverage"].text))
    if len(added):
        yield Note(
            "rows-added-to-part",
            f"{counted(len(added), 'row')} of the part without a coverage cell, added since it was "
            "written; judged like the others",
            tuple(sheet.places(columns["coverage"], added[:_CELLS_IN_A_NOTE]).to_pylist()),
        )


def _beside(sheet: Sheet, names: Sequence[str]) -> Sheet:
    """Undo what was done for CSV to a sheet of decisions or answers, if it is a sheet out."""
    if all(_find_block(names, task) is None for task in _EVALUATED):
        return sheet
    columns = tuple(_as_it_was(column, sheet, is_marked=False) for column in sheet.columns)
    return replace(sheet, columns=columns)


def _find_block(names: Sequence[str], task: Task) -> tuple[Disposition, dict[str, int]] | None:
    """Find the result columns of a sheet out: its disposition, and each column's place."""
    lead = _run(names, FIELD_COLUMNS) if task == "spans" else None
    for disposition in _LONGEST_FIRST:
        block = RESULT_COLUMNS[task, disposition]
        # Without its field columns, "coverage, source_row" alone says nothing.
        is_field = task == "spans" and disposition != "invalid"
        start = _run(names, block)
        if start is None or (is_field and lead is None):
            continue
        places = dict(zip(block, range(start, start + len(block)), strict=True))
        if is_field and lead is not None:
            places |= zip(FIELD_COLUMNS, range(lead, lead + len(FIELD_COLUMNS)), strict=True)
        before = start - len(DECISION_COLUMNS)
        if "decision" not in places and tuple(names[max(before, 0) : start]) == DECISION_COLUMNS:
            places |= zip(DECISION_COLUMNS, range(before, start), strict=True)
        return disposition, places
    return None


def _refuse_leftovers(names: Sequence[str], sheet: Sheet) -> None:
    """Refuse a sheet with cells that evalbatch wrote, but no longer in the form of a part.

    It has been joined of parts, or trimmed: what was malformed, or of how many cases it is a part,
    cannot be told any more.
    """
    for place, name in enumerate(names):
        if name not in ("coverage", "reason"):
            continue
        cells = kernels.drop_null(kernels.unique(sheet.columns[place].text)).to_pylist()
        codes = {code for cell in cells for code in cell.split()}
        is_share = name == "coverage" and any(whole_of(cell) is not None for cell in cells)
        if is_share or (name == "reason" and codes and codes <= BY_CODE.keys()):
            raise EvalbatchError(
                f"column {shown(sheet.columns[place].name)} holds what evalbatch wrote, but the "
                "result columns are not those of one of its sheets: sheets have been joined, or "
                "columns removed. Evaluate the sheet that they came from, or feed back one part as "
                "it is; if this is a sheet of its own, delete or rename that column."
            )


def _run(names: Sequence[str], block: Sequence[str]) -> int | None:
    for start in range(len(names) - len(block) + 1):
        if tuple(names[start : start + len(block)]) == tuple(block):
            return start
    return None


def _whole(coverage: Column, sheet: Sheet) -> int:
    cells = [cell for cell in kernels.unique(coverage.text).to_pylist() if cell]
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


def _cut_off(sheet: Sheet) -> dict[int, str]:
    """Find the rows with a text that was cut to fit a cell of a workbook, and so is another one."""
    found = {}
    for role in sheet.match.roles:
        column = sheet.role(role)
        cut = arrow.true(kernels.match_substring_regex(column.text, CUT_PATTERN))
        for row in np.flatnonzero(cut).tolist():
            found[row] = (
                f"{sheet.place(column, row)}: {role} was cut to fit a cell of the workbook; feed "
                "back a CSV sheet, or evaluate the sheet that it came from"
            )
    return found


def _still_malformed(columns: Mapping[str, Column], sheet: Sheet) -> dict[int, str]:
    """Find the rows that were malformed in the sheet that the part comes from, and say why."""
    reasons, problems = columns["reason"], columns["problem"].text
    found = {}
    # A malformed row has no other reason; a row of answers may be malformed as well.
    for row in np.flatnonzero(
        arrow.true(kernels.starts_with(reasons.text, "row-malformed"))
    ).tolist():
        before = problems[row].as_py() or ""
        # A sound row of a malformed field is not malformed itself.
        if not before.startswith(NOTHING_WRONG):
            why = before.partition(_IT_SAID)[2] or before
            place = sheet.place(reasons, row)
            found[row] = f"{place}: {_STILL_MALFORMED}{_IT_SAID}{why}"
    return found


def _as_it_was(column: Column, sheet: Sheet, *, is_marked: bool) -> Column:
    if sheet.delimiter is None:
        return _unmarked(column) if is_marked and sheet.addressed else column
    [name] = _unescaped(Column("", 0, arrow.texts([column.name]))).text.to_pylist()
    unescaped = replace(_unescaped(column), name=name or "")
    return _unmarked(unescaped) if is_marked else unescaped


def _unescaped(column: Column) -> Column:
    """Take off the one apostrophe that was put before a text which a spreadsheet would run."""
    quoted = characters.first_bytes(column.text) == ord("'")
    if not quoted.any():
        return column
    rest = kernels.utf8_slice_codeunits(column.text, 1)
    put_on = arrow.booleans(quoted & would_run(rest))
    return replace(column, values=kernels.if_else(put_on, rest, column.text))


def _unmarked(column: Column) -> Column:
    """Read cells such as `14 (number)` as what they were."""
    marked = kernels.match_substring_regex(column.text, rf"(?s)^{MARKED.pattern}$")
    places = np.flatnonzero(arrow.true(marked))
    if not len(places):
        return column
    kind: npt.NDArray[np.uint8] = kinds(column).astype(np.uint8)
    texts = column.text.to_pylist()
    for place in places.tolist():
        found = MARKED.fullmatch(texts[place])
        if found is not None:
            texts[place] = found[1]
            kind[place] = marked_kind(found[2])
    return replace(column, values=arrow.texts(texts), kind=kind)
