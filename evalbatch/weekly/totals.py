"""What may be said of several sheets together: their cases counted, task by task.

Counts are added, rates are not. Answer keys and spans are different things to count, a part speaks
of an evaluation whose other cases stand elsewhere, several candidates answer the same cases, and of
a sheet that failed nobody knows how many cases it has. So each of these stays outside, and the
sentence says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evalbatch.coverage import percentage
from evalbatch.history.runs import SheetRun
from evalbatch.words import counted

_NOUNS = {"answer-key": ("answer key", "cases"), "spans": ("span sheet", "fields")}


@dataclass(frozen=True, slots=True)
class Total:
    """The added counts of the whole sheets of one task; `passed` is None for spans.

    A case that stands in two sheets counts in both.
    """

    task: str
    sheets: int
    total: int
    scored: int
    held: int
    invalid: int
    passed: int | None

    @property
    def statement(self) -> str:
        """The counts in one sentence, each with what it is out of."""
        sheet, noun = _NOUNS[self.task]
        passed = (
            ""
            if self.passed is None
            else f"{self.passed:,} of {self.scored:,} scored cases passed; "
        )
        share = f" ({percentage(self.scored / self.total)})" if self.total else ""
        return (
            f"{counted(self.sheets, sheet)} together: {passed}{self.scored:,} of {self.total:,} "
            f"{noun} scored{share}, {self.held:,} held, {self.invalid:,} invalid."
        )


def totals(sheets: Sequence[SheetRun]) -> list[Total]:
    """Add up the sheets that were evaluated and are no parts; a single sheet makes no total."""
    found = []
    keys = _keys_of_several(sheets)
    for task in _NOUNS:
        whole = [
            one.coverage
            for one in sheets
            if one.coverage is not None
            and one.coverage["task"] == task
            and one.coverage["source"]["part_of"] is None
            and _key(one) not in keys
        ]
        if len(whole) > 1:
            names = ("total", "scored", "held", "invalid")
            sums = {name: sum(one[name] for one in whole) for name in names}
            passed = sum(one["passed"] for one in whole) if task == "answer-key" else None
            found.append(Total(task, len(whole), **sums, passed=passed))
    return found


def _key(sheet: SheetRun) -> str | None:
    """Give the digest of the key that a candidate answers; None for any other sheet."""
    if sheet.coverage is None or "answers" not in sheet.coverage["options"]:
        return None
    return str(sheet.coverage["source"]["sha256"])


def _keys_of_several(sheets: Sequence[SheetRun]) -> set[str]:
    """Give the keys that several candidates answer, whose cases would be counted several times."""
    keys = [key for one in sheets if (key := _key(one)) is not None]
    return {key for key in keys if keys.count(key) > 1}


def left_out(sheets: Sequence[SheetRun]) -> str | None:
    """Say which sheets no total holds, and why; None if all are in one."""
    failed = sum(one.error is not None for one in sheets)
    parts = sum(
        one.coverage is not None and one.coverage["source"]["part_of"] is not None for one in sheets
    )
    keys = _keys_of_several(sheets)
    candidates = sum(_key(one) in keys for one in sheets)
    why = []
    if candidates:
        why.append(f"{candidates} candidates share their key, and so their cases, with another")
    if failed:
        hold = "it holds" if failed == 1 else "they hold"
        why.append(f"{counted(failed, 'sheet')} failed, and how many cases {hold} is not known")
    if parts:
        holds = "holds" if parts == 1 else "hold"
        why.append(f"{counted(parts, 'sheet')} {holds} only a part of an evaluation")
    return f"Not counted there: {'; '.join(why)}." if why else None
