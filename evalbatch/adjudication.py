"""Recorded decisions applied: a held case that one settles is judged again, with it as its label.

Which decisions settle a case is for `core.adjudication` to say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evalbatch import adjudication_notes, arrow
from evalbatch.arrow import Ints
from evalbatch.batch import Evaluation, check_conservation, settled_case, settled_field
from evalbatch.changed_cells import CellsNow
from evalbatch.columns import kinds, replace_where
from evalbatch.core.adjudication import Basis, Ruling, weigh
from evalbatch.decisions import Entry
from evalbatch.records import Cell, Column, Kind, Note, Outcome
from evalbatch.sheets_out import DECISION_COLUMNS

_JOINT = "; "


class Weighed(NamedTuple):
    """All that was recorded on one held case, and what it comes to."""

    unit: int
    entries: Sequence[Entry]
    bases: Sequence[tuple[Basis, str]]
    ruling: Ruling


def adjudicate(evaluation: Evaluation, entries: Sequence[Entry]) -> tuple[Evaluation, list[Note]]:
    """Settle the held cases on which there is a complete decision, and say what became of each.

    The others stay held; a decision that cannot be applied gives them a reason besides their own.
    Decisions on cases that are not held, or that there are none of, move nothing and are noted.
    """
    weighed = list(_weigh_all(evaluation, entries))
    codes, outcomes = _outcomes(evaluation, weighed)
    columns = tuple(_column(evaluation, place, weighed) for place in range(len(DECISION_COLUMNS)))
    settled = replace(evaluation, codes=codes, outcomes=outcomes, decisions=columns)
    check_conservation(settled)
    return settled, [
        *adjudication_notes.of_faults(evaluation, weighed),
        *adjudication_notes.of_strays(evaluation, entries),
    ]


def _weigh_all(evaluation: Evaluation, entries: Sequence[Entry]) -> Sequence[Weighed]:
    held = evaluation.units("held")
    codes = evaluation.ids.codes[evaluation.first_rows[held]]
    names = arrow.take(evaluation.ids.names, codes).to_pylist()
    unit_of = dict(zip(names, held.tolist(), strict=True))
    by_unit: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.name in unit_of:
            by_unit.setdefault(unit_of[entry.name], []).append(entry)
    now = CellsNow(evaluation, sorted(by_unit))
    return [_weigh(evaluation, unit, by_unit[unit], now) for unit in sorted(by_unit)]


def _weigh(evaluation: Evaluation, unit: int, entries: Sequence[Entry], now: CellsNow) -> Weighed:
    bases = [now.basis(unit, entry) for entry in entries]
    decisions = [
        replace(entry.decision, basis=basis)
        for entry, (basis, _) in zip(entries, bases, strict=True)
    ]
    wanted = bool if evaluation.fields is None else str
    return Weighed(unit, entries, bases, weigh(decisions, wanted))


def _outcomes(evaluation: Evaluation, weighed: Sequence[Weighed]) -> tuple[Ints, list[Outcome]]:
    numbers = {outcome: number for number, outcome in enumerate(evaluation.outcomes)}
    codes = evaluation.codes.copy()
    for unit, _, _, ruling in weighed:
        outcome = evaluation.outcomes[codes[unit]]
        if ruling.faults:
            faults = tuple(f"adjudication-{fault}" for fault in ruling.faults)
            outcome = replace(outcome, reasons=(*faults, *outcome.reasons))
        elif evaluation.fields is None:
            outcome = settled_case(evaluation, unit, ruling.value)
        else:
            outcome = settled_field(outcome)
        codes[unit] = numbers.setdefault(outcome, len(numbers))
    return codes, list(numbers)


def _column(evaluation: Evaluation, place: int, weighed: Sequence[Weighed]) -> Column:
    """Give one of the decision columns, by row: what was applied, or what has to be completed."""
    part = evaluation.sheet.part
    kept = part.decisions[place] if part is not None and part.decisions else None
    rows = evaluation.first_rows
    count = len(evaluation.sheet.source_rows)
    texts = pa.nulls(count, pa.string()) if kept is None else kept.text
    kind = np.zeros(count, dtype=np.uint8) if kept is None else kinds(kept).astype(np.uint8)
    cells = {int(rows[one.unit]): cell for one in weighed if (cell := _cell(place, one))}
    changed = np.isin(np.arange(count), list(cells))
    texts = replace_where(texts, changed, lambda where: [cells[row].text for row in where.tolist()])
    kind[changed] = [cells[row].kind for row in np.flatnonzero(changed).tolist()]
    return Column(DECISION_COLUMNS[place], -1, texts, kind)


def _cell(place: int, weighed: Weighed) -> Cell | None:
    _, entries, bases, ruling = weighed
    if ruling.faults:
        # What is to be completed is shown again; of a case that has changed it must be made anew.
        is_to_complete = len(entries) == 1 and bases[0][0] != "stale"
        return entries[0].cells[place] if is_to_complete else None
    if place == 0:
        value = ruling.value
        is_label = isinstance(value, bool)
        return Cell(str(value).lower() if is_label else str(value), _KINDS[is_label])
    said = [entries[one] for one in ruling.rests_on]
    recorded = dict.fromkeys((one.decision.decided_by, one.decision.decided_on) for one in said)
    notes = [note for note in dict.fromkeys(one.note for one in said) if note]
    joined: Mapping[int, str] = {
        1: _JOINT.join(str(who) for who, _ in recorded),
        2: _JOINT.join(str(when) for _, when in recorded),
        3: _JOINT.join(notes),
    }
    return Cell(joined[place] or None, Kind.STRING if joined[place] else Kind.EMPTY)


_KINDS = {True: Kind.BOOLEAN, False: Kind.STRING}
