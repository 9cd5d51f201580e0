"""What became of recorded decisions that were not applied, in words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch import arrow
from evalbatch.batch import Evaluation
from evalbatch.core.adjudication import Fault
from evalbatch.decisions import Entry
from evalbatch.lookalikes import near_matches
from evalbatch.records import Note
from evalbatch.words import counted, escaped, listed, shown

if TYPE_CHECKING:
    from evalbatch.adjudication import Weighed

_MOST = 12
_CELLS_IN_A_NOTE = 100
_TODO: dict[Fault, str] = {
    "incomplete": "complete what is missing",
    "not-boolean": "a decision on a label is TRUE or FALSE",
    "not-text": "a decision on a field is its current text",
    "conflict": "agree on one, and delete the others",
    "stale": "decide anew of the row as it is now",
}


def of_faults(evaluation: Evaluation, weighed: Sequence["Weighed"]) -> Iterator[Note]:
    """Note the held cases whose decisions cannot be applied, by what is wrong with them."""
    says: dict[Fault, Callable[[Weighed], Iterator[str]]] = {
        "incomplete": _problems,
        "not-boolean": _problems,
        "not-text": _problems,
        "conflict": _all_said,
        "stale": _changes,
    }
    for fault, told in says.items():
        cases = [one for one in weighed if fault in one.ruling.faults]
        if cases:
            lines = [line for one in cases for line in told(one)]
            noun = "case" if evaluation.fields is None else "field"
            yield _note(
                f"adjudication-{fault}",
                f"{counted(len(cases), noun)} held although a decision is recorded; {_TODO[fault]}",
                lines,
                (entry for one in cases for entry in one.entries),
            )


def of_strays(evaluation: Evaluation, entries: Sequence[Entry]) -> Iterator[Note]:
    """Note the decisions on cases that are not held, and those on none of the cases."""
    named = [entry for entry in entries if entry.name is not None]
    found = pc.index_in(arrow.texts([one.name for one in named]), evaluation.ids.names)
    is_known = ~arrow.null(found)
    unknown = [one for one, known in zip(named, is_known, strict=True) if not known]
    ends = _ends(evaluation, [one for one, known in zip(named, is_known, strict=True) if known])
    idle = [(entry, end) for entry, end in ends if end is not None]
    if idle:
        yield _note(
            "adjudications-not-needed",
            f"{counted(len(idle), 'decision')} not applied, on cases that are not held",
            [f"{_named(entry)} {end}" for entry, end in idle],
            (entry for entry, _ in idle),
        )
    if unknown:
        near = near_matches([one.name or "" for one in unknown], evaluation.ids.names.to_pylist())
        yield _note(
            "adjudications-unknown",
            f"{counted(len(unknown), 'decision')} on ids that no case has",
            [f"{_named(one)}{_nearly(near.get(one.name or ''))}" for one in unknown],
            unknown,
        )
    nameless = [entry for entry in entries if entry.name is None]
    if nameless:
        yield _note(
            "adjudications-without-id",
            f"{counted(len(nameless), 'decision')} without the id of a case",
            [f"{one.place}{f': {one.problem}' if one.problem else ''}" for one in nameless],
            nameless,
        )


def nearly(names: Sequence[str]) -> str:
    """Name ids that are nearly the same as one that no case has."""
    return f"nearly the same as {listed([escaped(name) for name in names], 3)}"


def _nearly(names: Sequence[str] | None) -> str:
    return f" is {nearly(names)}, and not joined with it" if names else ""


def _ends(evaluation: Evaluation, known: Sequence[Entry]) -> Iterator[tuple[Entry, str | None]]:
    """Give each entry with what its case is; None where it is held."""
    if not known:
        return
    names = arrow.texts([entry.name for entry in known])
    codes = arrow.numbers(pc.index_in(names, evaluation.ids.names).cast(pa.int64()))
    unit_of = np.full(evaluation.ids.count, -1, dtype=np.int64)
    owners = evaluation.ids.codes[evaluation.first_rows]
    unit_of[owners[owners >= 0]] = np.flatnonzero(owners >= 0)
    for entry, unit in zip(known, unit_of[codes].tolist(), strict=True):
        outcome = evaluation.outcomes[evaluation.codes[unit]]
        if outcome.disposition == "held":
            yield entry, None
        elif outcome.disposition == "invalid":
            yield entry, f"is invalid ({' '.join(outcome.reasons)})"
        else:
            yield entry, _settled(evaluation, unit, entry)


def _settled(evaluation: Evaluation, unit: int, entry: Entry) -> str:
    if evaluation.fields is not None:
        return "has a current text"
    labels = evaluation.cells["expected"]
    label = labels.readings[labels.codes[unit]].value
    decided = entry.decision.value
    if isinstance(decided, bool) and decided is not label:
        return f"is agreed as {str(label).upper()}, and the decision says {str(decided).upper()}"
    return "is agreed"


def _problems(weighed: "Weighed") -> Iterator[str]:
    yield from (f"{_named(one)}: {one.problem}" for one in weighed.entries if one.problem)


def _all_said(weighed: "Weighed") -> Iterator[str]:
    said = [
        f"{one.place} says {_value(one.decision.value)}"
        for one in weighed.entries
        if isinstance(one.decision.value, bool | str)
    ]
    yield f"{shown(weighed.entries[0].name or '')}: {listed(said)}"


def _changes(weighed: "Weighed") -> Iterator[str]:
    for entry, change in zip(weighed.entries, weighed.changes, strict=True):
        if change:
            yield f"{_named(entry)}: {change}"


def _value(value: object) -> str:
    return str(value).upper() if isinstance(value, bool) else shown(str(value))


def _named(entry: Entry) -> str:
    return f"{shown(entry.name or '')} ({entry.place})"


def _note(code: str, text: str, lines: Sequence[str], entries: Iterable[Entry]) -> Note:
    places = dict.fromkeys(entry.place for entry in entries)
    return Note(code, f"{text}: {listed(lines, _MOST, '; ')}", tuple(places)[:_CELLS_IN_A_NOTE])
