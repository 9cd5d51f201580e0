"""What a weekly run says to the person who must act on it: what failed comes first."""

from collections.abc import Iterator
from typing import Any

from evalbatch.history.read import FILE_NAME
from evalbatch.history.runs import SheetRun
from evalbatch.weekly.results import Batch
from evalbatch.weekly.totals import left_out, totals
from evalbatch.words import counted, legible

_MOST_SKIPPED = 10
GONE = "In the run before, and not among the sheets any more"


def headline(batch: Batch) -> str:
    """Say in one sentence how many sheets were evaluated, failed, or miss a gate."""
    evaluated = len(batch.sheets) - len(batch.failed)
    start = f"{evaluated} of {counted(len(batch.sheets), 'sheet')} evaluated"
    bad = []
    if batch.failed:
        bad.append(f"{len(batch.failed)} failed")
    if batch.unmet:
        one = len(batch.unmet) == 1
        bad.append(f"{len(batch.unmet)} {'misses its' if one else 'miss their'} gates")
    return f"{start}{'; ' if bad else ''}{', '.join(bad)}."


def lines(batch: Batch) -> Iterator[str]:
    """Put a weekly run into words for a terminal."""
    yield headline(batch)
    if repeated := over_again(batch):
        yield repeated
    if batch.failed:
        yield ""
        yield "Failed"
        yield from (f"  {legible(one.name)}: {legible(one.error or '')}" for one in batch.failed)
        if any("--" in (one.error or "") for one in batch.failed):
            yield f"  (an option such as --header-row 3 is header_row = 3 in {batch.job.name})"
    if batch.unmet:
        yield ""
        yield "Gates not met"
        yield from (f"  {legible(one.name)}: {line}" for one in batch.unmet for line in one.unmet)
    yield from _sheets(batch)
    yield from _totals(batch)
    if batch.gone:
        yield ""
        yield GONE
        yield from (f"  {legible(name)}" for name in batch.gone)
    if batch.skipped:
        yield ""
        yield "Skipped"
        yield from (f"  {line}" for line in skipped(batch))
    yield ""
    yield recorded(batch)


def skipped(batch: Batch) -> Iterator[str]:
    """Name what was skipped, and count what is beyond the first few."""
    for name, why in batch.skipped[:_MOST_SKIPPED]:
        yield f"{legible(name)}: {why}"
    if len(batch.skipped) > _MOST_SKIPPED:
        yield f"and {len(batch.skipped) - _MOST_SKIPPED:,} more; the log names them all"


def over_again(batch: Batch) -> str | None:
    """Say that the run is the latest one over again; None if it is not."""
    if not batch.recorded.repeated:
        return None
    when = batch.recorded.ended.replace("T", " ")[:16]
    return (
        f"Nothing has changed since run {batch.recorded.run} ({when}): the same sheets and "
        "options. It is not counted again."
    )


def recorded(batch: Batch) -> str:
    """Say where the run stands in the history."""
    file = batch.job.folder / FILE_NAME
    if batch.recorded.repeated:
        return f"{file} holds it as run {batch.recorded.run}"
    return f"Recorded as run {batch.recorded.run} in {file}"


def as_dict(batch: Batch) -> dict[str, Any]:
    """Give a weekly run to a program."""
    return {
        "job": batch.job.name,
        "run": batch.recorded.run,
        "repeated": batch.recorded.repeated,
        "ended": batch.recorded.ended,
        "sheets": [
            {
                "name": one.name,
                "error": one.error,
                "unmet": list(one.unmet),
                "unchanged": one.stands,
                "folder": one.folder,
                "coverage": one.coverage,
            }
            for one in batch.sheets
        ],
        "totals": [
            {
                "task": one.task,
                "sheets": one.sheets,
                "total": one.total,
                "scored": one.scored,
                "held": one.held,
                "invalid": one.invalid,
                "passed": one.passed,
                "statement": one.statement,
            }
            for one in totals(batch.sheets)
        ],
        "gone": list(batch.gone),
        "skipped": [{"name": name, "why": why} for name, why in batch.skipped],
    }


def _sheets(batch: Batch) -> Iterator[str]:
    for sheet in batch.sheets:
        if sheet.coverage is None:
            continue
        yield ""
        yield legible(sheet.name) + ("  (unchanged)" if sheet.stands else "")
        yield f"  {sheet.coverage['statement']}"
        folder = legible(str(batch.job.folder / (sheet.folder or "")))
        yield "  " + "; ".join([*to_do(sheet), f"results in {folder}"])
        yield from (f"  note: {legible(line)}" for line in notes(sheet))


def notes(sheet: SheetRun) -> list[str]:
    """Give what a reader of a sheet's results should know; that empty rows were skipped is not."""
    found = (sheet.coverage or {}).get("notes", ())
    return [note["text"] for note in found if note["code"] != "blank-rows"]


def to_do(sheet: SheetRun) -> Iterator[str]:
    """Say how many cases wait for a decision and how many rows have to be mended, and why."""
    from evalbatch.reasons import BY_CODE

    found = sheet.coverage or {}
    for disposition, doing in (("held", "to settle"), ("invalid", "to mend")):
        if found.get(disposition):
            why = ", ".join(
                f"{code} {number:,}"
                for code, number in found["reasons"].items()
                if BY_CODE[code].disposition == disposition
            )
            yield f"{doing}: {why}"


def _totals(batch: Batch) -> Iterator[str]:
    found = totals(batch.sheets)
    if found:
        yield ""
        yield from (one.statement for one in found)
        if left := left_out(batch.sheets):
            yield left
