"""What a check says of a sheet: all that a run would, and what to do about it."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from typing import Any

from evalbatch.findings import Finding, find
from evalbatch.result import Result
from evalbatch.words import counted, listed

_CELLS = 10


def as_dict(name: str, result: Result) -> dict[str, Any]:
    """Give a check for a program: the coverage, and the findings with all their cells.

    `name` tells what was checked: the sheet, and the answers with which it was.
    """
    findings = [
        asdict(one) | {"cells": list(one.cells), "count": len(one.cells)}
        for one in find(result.evaluation)
    ]
    return {
        "name": name,
        "statement": result.statement,
        "findings": findings,
        "coverage": result.coverage.as_dict(),
    }


def lines(name: str, result: Result) -> Iterator[str]:
    """Put a check into words for a terminal."""
    yield f"{name}: {result.statement}"
    groups = groupby(find(result.evaluation), key=lambda one: (one.disposition, one.reason))
    for (disposition, reason), some in groups:
        findings = list(some)
        total = sum(len(one.cells) for one in findings)
        yield ""
        noun = "case" if disposition == "held" else "cell"
        yield f"{reason} ({disposition}), {counted(total, noun)}"
        for one in findings:
            yield from _finding(one)
    if result.coverage.notes:
        yield ""
        yield "Notes"
        yield from (f"  {note.text}" for note in result.coverage.notes)


def _finding(finding: Finding) -> Iterator[str]:
    cells = listed(finding.cells, _CELLS)
    if finding.reason == "row-malformed":
        yield f"  {finding.what}"
        return
    yield f"  {finding.what}: {cells}"
    yield f"    {finding.mend}"
