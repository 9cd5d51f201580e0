"""The page of two evaluations compared: what changed, class by class, before any rate."""

from collections.abc import Iterator, Mapping
from typing import Any

from evalbatch.comparison import CLASS_MEANINGS, Comparison
from evalbatch.comparison_words import rate_words, statement
from evalbatch.coverage import percentage
from evalbatch.results_folder import Results
from evalbatch.writers.html import text
from evalbatch.writers.html.figures import Mark, Segment, bar
from evalbatch.writers.html.page import page

MOST = 1_000
"""The most changed cases that the page lists."""
_WHOLE = "what evalbatch compare --csv prints"


def comparison_page(found: Comparison) -> bytes:
    """Give the page of a comparison."""
    rows = found.rows()
    counts = {name: number for name, number in found.counts.items() if number}
    total = sum(found.counts.values()) + found.unchanged
    noun = "case" if found.new.task == "answer-key" else "field"
    return page(
        "comparison.html",
        statement=statement(found),
        noun=noun,
        old=_side(found.old),
        new=_side(found.new),
        counts=[(name, CLASS_MEANINGS[name], number) for name, number in counts.items()],
        unchanged=found.unchanged,
        total=total,
        rows=rows[:MOST],
        changed=len(rows),
        listing=_listing(len(rows), total, noun),
        rate=list(rate_words(found)),
        marks=[*_marks(found.old, "before"), *_marks(found.new, "now")],
        facts=[*_facts(found.old, "Before"), *_facts(found.new, "Now")],
        whole=_WHOLE,
    )


def _side(results: Results) -> Mapping[str, Any]:
    name = f"{results.folder.name} ({results.coverage['source']['name']})"
    return {"name": name, "statement": results.statement, "segments": _segments(results)}


def _segments(results: Results) -> list[Segment]:
    counts = results.coverage
    return bar(
        counts["total"], counts["scored"], counts["held"], counts["invalid"], counts.get("passed")
    )


def _listing(changed: int, total: int, noun: str) -> str:
    listed = min(changed, MOST)
    rest = "" if listed == changed else f" The rest is in {_WHOLE}."
    return (
        f"{listed:,} of the {changed:,} that have changed, of {total:,} {noun}s before and now, in "
        f"the order of the sheet now.{rest}"
    )


def _marks(results: Results, when: str) -> Iterator[Mark]:
    rate, bounds = results.coverage.get("pass_rate"), results.coverage.get("full_pass_rate_bounds")
    if rate is None or bounds is None:
        return
    low, high = rate["interval95"] or (None, None)
    share = f"{rate['numerator']:,} of {rate['denominator']:,}"
    told = "n/a" if rate["value"] is None else percentage(rate["value"])
    ends = " to ".join(map(percentage, rate["interval95"] or ()))
    spread = f", 95% interval {ends}" if ends else ""
    words = f"Pass rate {when}: {told} ({share}{spread}): {rate['scope']}"
    yield Mark(f"{when}, scored cases only", words, low, high, rate["value"])
    counts = results.coverage
    most = counts["passed"] + counts["held"] + counts["invalid"]
    span = " to ".join(dict.fromkeys(map(percentage, bounds)))
    yield Mark(
        f"{when}, full evaluation",
        f"Pass rate of the full evaluation {when}: {span} ({counts['passed']:,} to {most:,} of "
        f"{counts['total']:,})",
        *bounds,
    )


def _facts(results: Results, when: str) -> Iterator[tuple[str, object]]:
    source = results.coverage["source"]
    yield f"{when}, folder", text.value(results.folder.name, _WHOLE)
    yield f"{when}, file", text.value(source["name"], _WHOLE)
    yield f"{when}, SHA-256", source["sha256"] or "none: it was no file"
