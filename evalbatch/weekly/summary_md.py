"""The same in Markdown, for the page of a CI job."""

import re
from collections.abc import Iterator, Sequence

from evalbatch.coverage import percentage
from evalbatch.history.runs import SheetRun
from evalbatch.weekly.results import Batch
from evalbatch.weekly.summary import GONE, headline, notes, over_again, recorded, skipped
from evalbatch.weekly.totals import left_out, totals
from evalbatch.words import legible

# What Markdown, or a site that shows it, would take for markup or a link.
_MARKUP = re.compile(r"([\\`*_{}\[\]#!|<>&~$@]|:(?=//)|(?<=www)\.)")


def markdown(batch: Batch) -> str:
    """Give a weekly run as a page of Markdown; no text of a sheet becomes markup."""
    return "\n".join([f"# {_text(batch.job.name)}", "", *_parts(batch), ""])


def markdown_of_error(job: str, error: str) -> str:
    """Give the page of a run that could not begin or end, in the place of an earlier one's."""
    return f"# {_text(job)}\n\nThe batch did not run: {_text(error)}\n"


def _parts(batch: Batch) -> Iterator[str]:
    yield f"**{_text(headline(batch))}**"
    if repeated := over_again(batch):
        yield ""
        yield _text(repeated)
    if batch.failed:
        yield from _list(
            "Failed", [f"{_text(s.name)}: {_text(s.error or '')}" for s in batch.failed]
        )
    if batch.unmet:
        missed = [f"{_text(one.name)}: {_text(line)}" for one in batch.unmet for line in one.unmet]
        yield from _list("Gates not met", missed)
    evaluated = [one for one in batch.sheets if one.coverage is not None]
    if evaluated:
        yield from ("", "## Sheets", "")
        yield "| sheet | scored | passed | held | invalid | full pass rate |"
        yield "|---|---|---|---|---|---|"
        yield from (_row(one) for one in evaluated)
    told = [f"{_text(one.name)}: {_text(line)}" for one in evaluated for line in notes(one)]
    if told:
        yield from _list("Notes", told)
        yield ""
    if found := totals(batch.sheets):
        yield from (line for one in found for line in ("", _text(one.statement)))
        if left := left_out(batch.sheets):
            yield from ("", _text(left))
    if batch.gone:
        yield from _list(GONE, [_text(name) for name in batch.gone])
    if batch.skipped:
        yield from _list("Skipped", list(map(_text, skipped(batch))))
    yield ""
    yield _text(recorded(batch))


def _list(title: str, items: Sequence[str]) -> Iterator[str]:
    yield from ("", f"## {title}", "", *(f"- {item}" for item in items))


def _row(sheet: SheetRun) -> str:
    found = sheet.coverage or {}
    part = found["source"]["part_of"]
    decided = found.get("adjudicated")
    scored = f"{found['scored']} of {found['total']} ({percentage(found['coverage'])})"
    scored += f", {decided} on a recorded decision" if decided else ""
    passed, bounds = "", ""
    if "passed" in found:
        passed = f"{found['passed']} of {found['scored']} scored"
        low, high = map(percentage, found["full_pass_rate_bounds"] or (0, 0))
        bounds = low if low == high else f"{low} to {high}"
    cells = (
        sheet.name,
        scored + (f", part of {part}" if part is not None else ""),
        passed,
        f"{found['held']} of {found['total']}",
        f"{found['invalid']} of {found['total']}",
        bounds + (" of the part" if bounds and part is not None else ""),
    )
    return f"| {' | '.join(map(_text, cells))} |"


def _text(text: str) -> str:
    return _MARKUP.sub(r"\\\1", legible(text))
