"""A comparison of two evaluations in words, and for programs: the classes before any rate."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from evalbatch.comparison import Comparison
from evalbatch.core.rate_change import Scored
from evalbatch.coverage import percentage
from evalbatch.results_folder import Results
from evalbatch.words import counted, shown

_MOST = 30


def statement(found: Comparison) -> str:
    """Say in one sentence what changed, and what the pass rate owes to it."""
    parts = [f"{number:,} {name}" for name, number in found.counts.items() if number]
    noun = "case" if found.new.task == "answer-key" else "field"
    changed = counted(sum(found.counts.values()), noun)
    told = f"{changed} changed ({', '.join(parts)})" if parts else f"{changed} changed"
    return f"{told}, {found.unchanged:,} did not{_rate_in_short(found)}."


def as_dict(found: Comparison) -> dict[str, Any]:
    """Give the comparison for a program; every rate has its numerator and denominator."""
    return {
        "statement": statement(found),
        "old": _side(found.old, found.old_common),
        "new": _side(found.new, found.new_common),
        "classes": found.counts,
        "unchanged": found.unchanged,
        "pass_rate_change": _rate_change(found),
        "cases": found.rows(),
    }


def lines(found: Comparison) -> Iterator[str]:
    """Put a comparison into words for a terminal."""
    yield statement(found)
    yield ""
    yield f"  old  {found.old.statement}"
    yield f"  new  {found.new.statement}"
    rows = found.rows()
    if rows:
        yield ""
        yield from _table(rows)
    for number, line in enumerate(rate_words(found)):
        yield from ("", f"  {line}") if number == 0 else (f"    {line}",)
    before, now = found.old.uncompared, found.new.uncompared
    if before or now:
        yield ""
        yield (
            "  left out, for they share their id with a case that is compared, or have none: "
            f"{before} before, {now} now"
        )


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """List the changed cases by class, in the order in which the classes are told."""
    cells = [
        (row["class"], shown(row["id"], 30), row["old"] or "", row["new"] or "", _what(row))
        for row in rows
    ]
    listed = [("class", "id", "old", "new", "changed"), *cells[:_MOST]]
    widths = [max(len(row[place]) for row in listed) for place in range(4)]
    for row in listed:
        padded = (f"{cell:<{width}}" for cell, width in zip(row[:4], widths, strict=True))
        yield f"  {'  '.join(padded)}  {row[4]}".rstrip()
    if len(cells) > _MOST:
        yield f"  … and {len(cells) - _MOST:,} more; --csv and --json list them all"


def _what(row: dict[str, Any]) -> str:
    named = [name for name in ("key", "answer") if row[f"{name}_changed"]]
    return " and ".join(named)


def rate_words(found: Comparison) -> Iterator[str]:
    """Tell the change of the pass rate, and then its two parts; nothing for spans."""
    change = found.rate_change
    if change is None:
        return
    old, new = found.old.scored, found.new.scored
    yield f"pass rate {_rate(old)} before, {_rate(new)} now: {_points(change.whole)}"
    if change.same_cases is None:
        yield "no case was scored in both, so that nothing is known of the same cases"
        return
    before, now = found.old_common, found.new_common
    same, rest = _adding_up(change.whole, change.same_cases)
    yield (
        f"{same} on the {before.scored} cases scored in both ({before.passed} passed before, "
        f"{now.passed} now)"
    )
    totals = (found.old.coverage["total"], found.new.coverage["total"])
    yield (
        f"{rest} from which cases are scored ({old.scored} of {totals[0]} before, {new.scored} of "
        f"{totals[1]} now)"
    )


def _rate_in_short(found: Comparison) -> str:
    change = found.rate_change
    if change is None or change.whole is None:
        return ""
    old, new = found.old.scored, found.new.scored
    told = f"; pass rate {_rate(old)} to {_rate(new)}"
    if change.same_cases is None:
        return f"{told}, and no case was scored in both"
    same, rest = _adding_up(change.whole, change.same_cases)
    return (
        f"{told}: {same} on the {found.old_common.scored} cases scored in both, {rest} from which "
        "cases are scored"
    )


def _rate(scored: Scored) -> str:
    if scored.rate is None:
        return "n/a (none scored)"
    return f"{percentage(float(scored.rate))} ({scored.passed} of {scored.scored} scored)"


def _adding_up(whole: Fraction | None, same: Fraction) -> tuple[str, str]:
    """Write the two parts of a change such that they add up as they are shown."""
    if whole is None:
        return _points(same), "n/a"
    rounded = [round(float(part) * 100, 1) for part in (whole, same)]
    return _signed(rounded[1]), _signed(rounded[0] - rounded[1])


def _points(change: Fraction | None) -> str:
    return "n/a" if change is None else _signed(round(float(change) * 100, 1))


def _signed(points: float) -> str:
    # Rounding may leave -0.0.
    return f"{round(points, 1) + 0:+.1f} points"


def _side(results: Results, common: Scored) -> dict[str, Any]:
    coverage = results.coverage
    counts = ("total", "scored", "adjudicated", "held", "invalid", "passed")
    return {
        "folder": results.folder.name,
        "statement": results.statement,
        "source": coverage.get("source"),
        **{name: coverage[name] for name in counts if name in coverage},
        "uncompared": results.uncompared,
        "common_scored": common.scored,
        "common_passed": common.passed if results.task == "answer-key" else None,
    }


def _rate_change(found: Comparison) -> dict[str, float | None] | None:
    change = found.rate_change
    if change is None:
        return None
    parts = {
        "whole": change.whole,
        "same_cases": change.same_cases,
        "scored_set": change.scored_set,
    }
    return {name: None if part is None else float(part) for name, part in parts.items()}
