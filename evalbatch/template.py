"""Templates: an empty sheet in which it is hard to go wrong, perhaps with the ids of another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from evalbatch import loaders
from evalbatch.arrow import Ints
from evalbatch.columns import take
from evalbatch.errors import EvalbatchError, PublishError
from evalbatch.ids import read_ids
from evalbatch.loaders.options import ReadOptions
from evalbatch.records import Column, Sheet
from evalbatch.schema import ANSWER_KEY, IDS, KEY_ALONE, SPAN_ARRAYS, SPAN_ROWS, Schema
from evalbatch.sheets_out import would_run
from evalbatch.spellings import Spellings
from evalbatch.words import counted, fold_header, listed, shown

TemplateTask = Literal["answer-key", "spans"]
MOST_ROWS = 100_000
_ROWS = 500
_LAYOUTS = {"answer-key": ANSWER_KEY, "spans": SPAN_ROWS}
_SOURCES = (ANSWER_KEY, SPAN_ROWS, SPAN_ARRAYS, KEY_ALONE, IDS)
_NOTE = "note"

EXPLAINED: Mapping[TemplateTask, Mapping[str, str]] = {
    "answer-key": {
        "id": "The case. One row a case, each with an id of its own, as text: 0012 stays 0012.",
        "state": "agreed if the reviewers agree on the label; disputed until they do. A disputed "
        "case is held, and not scored.",
        "expected": "The label: TRUE or FALSE. It may be empty while the case is disputed.",
        "answer": "The answer under evaluation: TRUE or FALSE.",
    },
    "spans": {
        "id": "The field. The rows of one field stand together and have the same id, as text.",
        "text": "What was seen, exactly. If a blank was seen, enter [blank]: an empty cell says "
        "that nothing was recorded, and some spreadsheets drop an empty text on saving.",
        "struck": "TRUE if this text is struck out, FALSE if it stands.",
    },
}
"""What to enter in the columns that have a role."""


@dataclass(frozen=True, slots=True)
class TemplateColumn:
    """A column to fill in (`role`), or one that is carried from another sheet with its cells."""

    name: str
    role: str | None = None
    cells: Column | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A sheet to fill in: its columns, and for how many rows it is prepared."""

    task: TemplateTask
    columns: Sequence[TemplateColumn]
    rows: int
    delimiter: str = ","
    left_out: str = ""

    def position(self, role: str) -> int:
        """Give the place of a role's column, from 0."""
        return next(place for place, one in enumerate(self.columns) if one.role == role)


def make(
    task: TemplateTask,
    path: Path,
    *,
    rows: int | None = None,
    source: Path | None = None,
    columns: Mapping[str, str] | None = None,
    options: ReadOptions | None = None,
) -> Template:
    """Write a template to `path`, a workbook or CSV by its name.

    `source` is a sheet whose ids are taken, and whose columns without a role are carried with their
    cells. Raises EvalbatchError for a file that exists or an option that means nothing.
    """
    is_book = path.suffix.lower() == ".xlsx"
    if path.suffix.lower() not in (".xlsx", ".csv"):
        raise EvalbatchError(f"{path}: a template is written as .xlsx or .csv; name it so.")
    if rows is not None and not is_book:
        raise EvalbatchError("--rows prepares rows of a workbook; CSV has none to prepare.")
    if rows is not None and not 1 <= rows <= MOST_ROWS:
        raise EvalbatchError(f"--rows is {rows:,}; it must be from 1 to {MOST_ROWS:,}.")
    if path.exists():
        raise EvalbatchError(f"{path} exists, and may hold work; choose another name.")
    if source is None:
        template = _empty(task, rows or _ROWS)
    else:
        template = _from(task, source, rows or _ROWS, dict(columns or {}), options or ReadOptions())
    from evalbatch.writers import template as writer

    if not is_book:
        _refuse_run_ids(template)
    data = writer.workbook(template) if is_book else writer.csv_bytes(template)
    try:
        with path.open("xb") as file:
            file.write(data)
    except OSError as error:
        raise PublishError(f"{path}: cannot be written: {error.strerror}.") from None
    return template


def _refuse_run_ids(template: Template) -> None:
    """Refuse ids that CSV could only hold as others, lest a spreadsheet run them."""
    ids = template.columns[template.position("id")].cells
    if ids is None:
        return
    risky = np.flatnonzero(would_run(ids.text))
    if len(risky):
        name = shown(ids.text[int(risky[0])].as_py())
        raise EvalbatchError(
            f"{counted(len(risky), 'id')} such as {name} would be run by a spreadsheet that opens "
            "CSV; make the template a workbook (.xlsx)."
        )


def _empty(task: TemplateTask, rows: int) -> Template:
    columns = [TemplateColumn(role, role) for role in _LAYOUTS[task].roles]
    return Template(task, [*columns, TemplateColumn(_NOTE)], rows)


def _from(
    task: TemplateTask, source: Path, rows: int, columns: dict[str, str], options: ReadOptions
) -> Template:
    sheet = loaders.load(source, Schema(_SOURCES, columns, takes_first=True), options)
    kept, left_out = _rows_with_ids(sheet, options.spellings)
    own = _LAYOUTS[task].roles
    role_of = {place: role for role, place in sheet.match.roles.items()}
    found: list[TemplateColumn] = []
    for place, column in enumerate(sheet.columns):
        role = role_of.get(place)
        if role == "id":
            found.append(TemplateColumn(column.name, role, take(column, kept)))
        elif role in own:
            found.append(TemplateColumn(column.name, role))
        elif role is None and fold_header(column.name) not in own:
            found.append(TemplateColumn(column.name, None, take(column, kept)))
    there = {one.role for one in found}
    found += [TemplateColumn(role, role) for role in own if role not in there]
    return Template(task, found, max(rows, len(kept)), sheet.delimiter or ",", left_out)


def _rows_with_ids(sheet: Sheet, spellings: Spellings) -> tuple[Ints, str]:
    """Give the first row of each id, and say what was left out."""
    ids = read_ids(sheet, spellings.within(sheet))
    first = np.full(ids.count, -1, dtype=np.int64)
    rows = np.flatnonzero(ids.codes >= 0)[::-1]
    first[ids.codes[rows]] = rows
    if not len(first):
        raise EvalbatchError(f"{sheet.source.name}: no row has an id to take.")
    without = np.flatnonzero(ids.codes < 0)
    repeated = np.setdiff1d(np.flatnonzero(ids.codes >= 0), first)
    said = []
    for some, why in (
        (without, "no id that can be taken"),
        (repeated[:0] if "text" in sheet.match.roles else repeated, "an id of a row above"),
    ):
        numbers = sheet.source_rows[some].tolist()
        if numbers:
            said.append(f"{counted(len(numbers), 'row')} with {why} ({listed(numbers)})")
    name = shown(sheet.source.name)
    return np.sort(first), f"{name}: left out {' and '.join(said)}" if said else ""
