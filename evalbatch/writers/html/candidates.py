"""The page of several candidates: compared over what all have scored, then each by itself."""

from collections.abc import Iterator

from evalbatch.candidates import Candidates
from evalbatch.coverage import percentage
from evalbatch.writers.html import text
from evalbatch.writers.html.figures import Mark, coverage_bar, pass_rate_marks
from evalbatch.writers.html.page import page

_WHOLE = "comparison.csv"


def candidates_page(found: Candidates) -> bytes:
    """Give the page of several candidates."""
    first = next(iter(found.results.values())).coverage
    return page(
        "candidates.html",
        statement=found.statement,
        marks=list(_marks(found)),
        covered=f"{found.common:,} of {found.total:,} cases scored by every candidate "
        f"({percentage(found.common / found.total)})",
        candidates=[
            {
                "name": name,
                "statement": result.statement,
                "segments": coverage_bar(result.coverage),
                "marks": pass_rate_marks(result.coverage),
                "notes": result.coverage.notes,
            }
            for name, result in found.results.items()
        ],
        facts=[
            ("Key", text.value(first.source.name, _WHOLE)),
            ("SHA-256", first.source.sha256 or "none: it was no file"),
            *_answers(found),
            ("Made by", f"evalbatch {first.version}"),
        ],
        whole=_WHOLE,
    )


def _marks(found: Candidates) -> Iterator[Mark]:
    for name in found.results:
        rate = found.pass_rate(name)
        low, high = rate.interval95 or (None, None)
        yield Mark(text.plain(name), f"{text.plain(name)}: {rate}", low, high, rate.value)


def _answers(found: Candidates) -> Iterator[tuple[str, object]]:
    for result in found.results.values():
        source = result.coverage.options["answers"]
        told = f"{source['name']} (SHA-256 {source['sha256']})"
        yield "Answers", text.value(told, _WHOLE)
