"""What a run says to the person who started it: the statement first, then what to do."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from evalbatch.reasons import BY_CODE
from evalbatch.records import Disposition
from evalbatch.result import Result
from evalbatch.words import counted

if TYPE_CHECKING:
    from evalbatch.candidates import Candidates

_PROBLEMS = 5


def lines(result: Result) -> Iterator[str]:
    """Put a result into words for a terminal."""
    found = result.coverage
    yield found.statement
    yield ""
    yield from _counts(result)
    if found.pass_rate is not None:
        yield ""
        yield f"  {found.pass_rate}"
    if found.invalid:
        yield ""
        yield from _problems(result)
    if found.notes:
        yield ""
        yield "Notes"
        yield from (f"  {note.text}" for note in found.notes)
    if result.folder is not None:
        yield ""
        yield f"Results in {result.folder}"
        rows = {sheet.disposition: counted(sheet.count, "row") for sheet in result.sheets}
        holds = {f"{name}.csv": number for name, number in rows.items()}
        holds["results.xlsx"] = ", ".join(f"{name} {number}" for name, number in rows.items())
        for name in sorted(path.name for path in result.folder.iterdir()):
            yield f"  {name:<14} {holds.get(name, '')}".rstrip()


def candidate_lines(found: "Candidates") -> Iterator[str]:
    """Put the comparison of several candidates into words for a terminal."""
    yield found.statement
    yield ""
    width = max(map(len, found.results))
    for name in found.results:
        yield f"  {name:<{width}}  {found.pass_rate(name)}"
    for name, result in found.results.items():
        yield ""
        yield f"{name}: {result.statement}"
        yield from (f"  note: {note.text}" for note in result.coverage.notes)
    if found.folder is not None:
        yield ""
        yield f"Results in {found.folder}"
        yield from (f"  {name}" for name in sorted(path.name for path in found.folder.iterdir()))


def _counts(result: Result) -> Iterator[str]:
    found = result.coverage
    marks = (
        ""
        if found.passed is None
        else (f"{found.passed:,} passed, {found.scored - found.passed:,} failed")
    )
    decided = f"{found.adjudicated:,} on a recorded decision" if found.adjudicated else ""
    width = len(f"{found.total:,}")
    for name, number, detail in (
        ("scored", found.scored, ", ".join(filter(None, (marks, decided)))),
        ("held", found.held, _reasons(result, "held")),
        ("invalid", found.invalid, _reasons(result, "invalid")),
        ("all", found.total, ""),
    ):
        yield f"  {name:<8} {number:>{width},}  {detail}".rstrip()


def _reasons(result: Result, disposition: Disposition) -> str:
    return ", ".join(
        f"{code} {number:,}"
        for code, number in result.coverage.reasons.items()
        if BY_CODE[code].disposition == disposition
    )


def _problems(result: Result) -> Iterator[str]:
    problems = result.problems(_PROBLEMS + 1)
    more = len(problems) > _PROBLEMS
    where = "the problem column of the invalid sheet has them all"
    yield f"To mend (the first {_PROBLEMS}; {where})" if more else "To mend"
    yield from (f"  {problem}" for _, problem in problems[:_PROBLEMS])
