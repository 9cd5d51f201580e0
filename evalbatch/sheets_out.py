"""The form of the sheets out: their result columns, and how cells are written in CSV.

Writers use it to write, and `parts` to recognise what was written when it is fed back.
"""

import re

import numpy as np
import pyarrow as pa

from evalbatch import arrow, characters, kernels
from evalbatch.arrow import Mask
from evalbatch.readings import KIND_NAMES
from evalbatch.records import Disposition, Kind, Task

DECISION_COLUMNS = ("decision", "decided_by", "decided_on", "decision_note")
FIELD_COLUMNS = ("current", "old", "candidates", "status", "spans")
NOTHING_WRONG = "nothing is wrong here"
"""How the problem of a sound row in an invalid field begins."""
_LAST = ("coverage", "source_row")

RESULT_COLUMNS: dict[tuple[Task, Disposition], tuple[str, ...]] = {
    ("answer-key", "scored"): ("pass", *_LAST),
    ("answer-key", "held"): ("reason", *DECISION_COLUMNS, *_LAST),
    ("answer-key", "invalid"): ("reason", "problem", *_LAST),
    ("spans", "scored"): _LAST,
    ("spans", "held"): ("reason", *DECISION_COLUMNS, *_LAST),
    ("spans", "invalid"): ("reason", "problem", *_LAST),
}
"""The block that ends each sheet out; before it, a scored or held field has FIELD_COLUMNS."""

MARKED_ROLES: dict[Disposition, tuple[str, ...]] = {
    "scored": (),
    "held": ("expected", "answer"),
    "invalid": ("id", "state", "expected", "answer", "text", "struck", "spans"),
}
"""The roles in which a sheet out can hold a cell whose type was the fault."""

# What a spreadsheet would run, if a CSV cell starts so; a number may start with a sign.
_RUNS = "^'*[=@\t\r+\\-]"
# Every text that it would run begins so; not every one that begins so is run.
_FIRST_BYTES = np.isin(np.arange(256), list(b"'=@\t\r+-"))
_IS_NUMBER = r"^[+-][0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$"
# One name stands for several kinds; in a part it is the first of them.
_MARKED_KINDS = {name: kind for kind, name in reversed(KIND_NAMES.items())}
MARKED = re.compile(rf"(.*) \(({'|'.join(_MARKED_KINDS)})\)", re.DOTALL)


CUT = "… [cut off here; the whole text of {:,} characters is in the sheet that was evaluated]"
"""How a text ends that is longer than a cell of a workbook."""
CUT_PATTERN = r"(?s)… \[cut off here; the whole text of [0-9,]+ characters is in [^\]]*\]$"


def reserved(task: Task) -> frozenset[str]:
    """Give the names of result columns; an input column of such a name gets another one."""
    names = {name for (of, _), block in RESULT_COLUMNS.items() if of == task for name in block}
    return frozenset(names | {"id", *FIELD_COLUMNS}) if task == "spans" else frozenset(names)


def would_run(texts: pa.StringArray) -> Mask:
    """Tell which texts a spreadsheet would take for a formula or a command."""
    runs = _FIRST_BYTES[characters.first_bytes(texts)]
    rows = np.flatnonzero(runs)
    if len(rows):
        some = arrow.take(texts, rows)
        is_number = arrow.true(kernels.match_substring_regex(some, _IS_NUMBER))
        runs[rows] = arrow.true(kernels.match_substring_regex(some, _RUNS)) & ~is_number
    return runs


def mark(text: str, kind: Kind) -> str:
    """Write a cell with its kind: `14 (number)`."""
    return f"{text} ({KIND_NAMES[Kind.STRING if kind == Kind.WORD else kind]})"


def marked_kind(name: str) -> Kind:
    """Give the kind that a mark names."""
    return _MARKED_KINDS[name]


def share(scored: int, total: int, part_of: int | None) -> str:
    """Write a coverage cell: `3 of 5`, which no spreadsheet takes for a date as it would 3/5."""
    return f"{scored} of {total}" + (f", part of {part_of}" if part_of is not None else "")


def whole_of(cell: str) -> int | None:
    """Read from a coverage cell how many cases the whole evaluation has; None if it is none."""
    found = re.fullmatch(r"[0-9]+ of ([0-9]+)(?:, part of ([0-9]+))?", cell.strip())
    return int(found[2] or found[1]) if found else None
