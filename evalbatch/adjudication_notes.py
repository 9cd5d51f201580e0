"""What became of recorded decisions that were not applied, in words."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from evalbatch import arrow, kernels
from evalbatch.batch import Evaluation
from evalbatch.core.adjudication import Fault
from evalbatch.decisions import Entry
from evalbatch.lookalikes import near_matches, nearly
from evalbatch.records import Note
from evalbatch.words import counted, listed, shown

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
    noun = "case" if evaluation.fields is None else "field"
    for fault, todo in _TODO.items():
        cases = [one for one in weighed if fault in one.ruling.faults]
        if cases:
            yield _note(
                f"adjudication-{fault}",
                f"{counted(len(cases), noun)} held although a decision is recorded; {todo}",
                _SAYS[fault](cases),
                (entry for one in cases for entry in one.entries),
            )
    anew = [one for one in weighed if not one.ruling.faults and list(_stale(one))]
    if anew:
        yield _note(
            "adjudications-superseded",
            f"{counted(len(anew), noun)} settled by a decision on it as it is now; passed over is "
            "what was recorded before it changed",
            [f"{_named(entry)}: {change}" for one in anew for entry, change in _stale(one)],
            (entry for one in anew for entry, _ in _stale(one)),
        )


def of_labels(entries: Sequence[Entry]) -> Iterator[Note]:
    """Note the held cases to which somebody gave a label in the held sheet, and no decision."""
    if entries:
        yield _note(
            "adjudications-labels-not-read",
            f"{counted(len(entries), 'row')} of the decision sheets not disputed any more, and "
            "without a decision: labels are read from the sheet that is evaluated; enter it there, "
            "or record a decision",
            [_named(one) for one in entries],
            entries,
        )


def of_strays(evaluation: Evaluation, entries: Sequence[Entry]) -> Iterator[Note]:
    """Note the decisions on cases that are not held, and those on none of the cases."""
    named = [entry for entry in entries if entry.name is not None]
    found = kernels.index_in(arrow.texts([one.name for one in named]), evaluation.ids.names)
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
            [
                f"{_named(one)}{_nearly(one.name or '', near.get(one.name or ''))}"
                for one in unknown
            ],
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


def _nearly(name: str, names: Sequence[str] | None) -> str:
    return f" is {nearly(name, names)}" if names else ""


def _ends(evaluation: Evaluation, known: Sequence[Entry]) -> Iterator[tuple[Entry, str | None]]:
    """Give each entry with what its case is; None where it is held."""
    if not known:
        return
    names = arrow.texts([entry.name for entry in known])
    codes = arrow.codes(kernels.index_in(names, evaluation.ids.names), -1)
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


def _problems(cases: Sequence["Weighed"]) -> list[str]:
    """Tell each problem once, with the rows that have it."""
    rows: dict[str, list[str]] = {}
    for entry in (entry for one in cases for entry in one.entries):
        if entry.problem:
            rows.setdefault(entry.problem, []).append(_named(entry))
    return [f"{listed(named, _MOST)}: {problem}" for problem, named in rows.items()]


def _all_said(cases: Sequence["Weighed"]) -> list[str]:
    return [f"{shown(one.entries[0].name or '')}: {listed(_said(one))}" for one in cases]


def _said(weighed: "Weighed") -> list[str]:
    return [
        f"{entry.place} says {_value(entry.decision.value)}"
        + (" (the case has changed since)" if basis == "stale" else "")
        for entry, (basis, _) in zip(weighed.entries, weighed.bases, strict=True)
        if isinstance(entry.decision.value, bool | str)
    ]


def _changes(cases: Sequence["Weighed"]) -> list[str]:
    return [f"{_named(entry)}: {change}" for one in cases for entry, change in _stale(one)]


def _stale(weighed: "Weighed") -> Iterator[tuple[Entry, str]]:
    for entry, (basis, change) in zip(weighed.entries, weighed.bases, strict=True):
        if basis == "stale":
            yield entry, change


_SAYS: dict[Fault, Callable[[Sequence["Weighed"]], list[str]]] = {
    "incomplete": _problems,
    "not-boolean": _problems,
    "not-text": _problems,
    "conflict": _all_said,
    "stale": _changes,
}


def _value(value: object) -> str:
    return str(value).upper() if isinstance(value, bool) else shown(str(value))


def _named(entry: Entry) -> str:
    return f"{shown(entry.name or '')} ({entry.place})"


def _note(code: str, text: str, lines: Sequence[str], entries: Iterable[Entry]) -> Note:
    places = dict.fromkeys(entry.place for entry in entries)
    return Note(code, f"{text}: {listed(lines, _MOST, '; ')}", tuple(places)[:_CELLS_IN_A_NOTE])
