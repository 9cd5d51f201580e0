"""A results folder read again: where each case ended, and what its cells were."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalbatch import loaders, publish
from evalbatch.changed_cells import comparable
from evalbatch.core.rate_change import Scored
from evalbatch.errors import EvalbatchError
from evalbatch.loaders.options import ReadOptions
from evalbatch.records import DISPOSITIONS, Disposition, Sheet
from evalbatch.schema import RESULT_ROWS, Schema
from evalbatch.sheets_out import MARKED, MARKED_ROLES
from evalbatch.words import fold_header, listed

if TYPE_CHECKING:
    import pandas as pd

_NO_ID = ("id-missing", "id-not-text")
_COLUMNS = (
    "id",
    "disposition",
    "passed",
    "reason",
    "adjudicated",
    "key",
    "answer",
    "current",
    "source_row",
)


@dataclass(frozen=True)
class Results:
    """What a results folder holds: its coverage summary, and one row for each id of a case.

    `cases` has the index `id` and the columns `disposition`, `passed` (None unless scored),
    `reason` (the deciding one), `adjudicated`, `key`, `answer`, `current` and `source_row`, the
    texts in the form in which they can be compared. A repeated id is one case here, and rows
    without an id are none: `uncompared` counts what that leaves out.
    """

    folder: Path
    coverage: Mapping[str, Any]
    cases: "pd.DataFrame"

    @property
    def task(self) -> str:
        """The task that was evaluated."""
        return str(self.coverage["task"])

    @property
    def statement(self) -> str:
        """The evaluation's own statement."""
        return str(self.coverage["statement"])

    @property
    def uncompared(self) -> int:
        """How many cases share their id with another, or have none."""
        return int(self.coverage["total"]) - len(self.cases)

    @property
    def scored(self) -> Scored:
        """How many cases were scored, and how many passed."""
        return Scored(self.coverage.get("passed") or 0, self.coverage["scored"])


def read(folder: Path) -> Results:
    """Read a results folder. Raises EvalbatchError for one that evalbatch did not write whole."""
    import pandas as pd

    coverage = _coverage(folder)
    _refuse_changed(folder)
    frames = [_cases(folder, coverage, one) for one in DISPOSITIONS if coverage[one]]
    frame = pd.concat(frames) if frames else pd.DataFrame(columns=list(_COLUMNS), dtype=object)
    with_id = frame[frame["id"].notna()]
    # A repeated id makes all its rows invalid, so that they are one case that cannot be scored.
    return Results(folder, coverage, with_id.drop_duplicates("id").set_index("id"))


def _coverage(folder: Path) -> dict[str, Any]:
    path = folder / "coverage.json"
    if (folder / "comparison.csv").exists() and not path.exists():
        names = listed(sorted(one.name for one in folder.iterdir() if one.is_dir()))
        raise EvalbatchError(
            f"{folder} holds the results of several candidates ({names}); name the folder of one."
        )
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        missing = {"task", "total", *DISPOSITIONS, "statement", "options", "source"} - found.keys()
    except OSError as error:
        raise EvalbatchError(
            f"{folder} is no results folder: {path.name} cannot be read: {error.strerror}. Name "
            "the folder that a run wrote."
        ) from None
    except (ValueError, AttributeError):
        missing = {"its form"}
    if missing:
        raise EvalbatchError(f"{path} is not what evalbatch wrote; run the evaluation again.")
    return dict(found)


def _refuse_changed(folder: Path) -> None:
    """Refuse results that were edited; decisions are recorded in held sheets, and may be."""
    edited = [name for name in publish.edited(folder) if name not in ("held.csv", "results.xlsx")]
    if edited:
        raise EvalbatchError(
            f"{folder} was changed since evalbatch wrote it ({listed(edited)}), so that it does "
            "not say what the evaluation found; run the evaluation again."
        )


def _cases(folder: Path, coverage: Mapping[str, Any], disposition: Disposition) -> "pd.DataFrame":
    import pandas as pd

    frames = []
    for sheet in _sheets(folder, coverage, disposition):
        cells = _Cells(sheet, coverage["options"].get("columns", {}))
        is_key = coverage["task"] == "answer-key"
        columns = cells.of_key(disposition) if is_key else cells.of_spans(disposition)
        frames.append(pd.DataFrame({"disposition": disposition, **columns}, dtype=object))
    found = pd.concat(frames)
    passed = int((found["passed"] == True).sum())  # noqa: E712 - cells may be None
    if disposition == "scored" and passed != (coverage.get("passed") or 0):
        raise EvalbatchError(
            f"{folder}: the sheet scored has {passed} passed cases, and coverage.json says "
            f"{coverage.get('passed')}; the folder was changed. Run the evaluation again."
        )
    rows_are_cases = coverage["task"] == "answer-key" or disposition != "invalid"
    if rows_are_cases and len(found) != coverage[disposition]:
        raise EvalbatchError(
            f"{folder}: the sheet {disposition} has {len(found)} rows, and coverage.json says "
            f"{coverage[disposition]}; the folder was changed. Run the evaluation again."
        )
    return found[list(_COLUMNS)]


def _sheets(folder: Path, coverage: Mapping[str, Any], disposition: Disposition) -> Iterator[Sheet]:
    """Read one of the three sheets: from CSV if it is there, else from the workbook."""
    fields_have_rows = coverage["task"] == "spans" and disposition != "invalid"
    own = {"id": "id"} if fields_have_rows else coverage["options"].get("columns", {})
    schema = Schema.beside(RESULT_ROWS, own)
    path = folder / f"{disposition}.csv"
    if path.exists():
        yield _loaded(path, schema, None)
        return
    book = folder / "results.xlsx"
    if not book.exists():
        raise EvalbatchError(
            f"{folder} holds neither {path.name} nor {book.name}, so that its cases cannot be "
            "compared; run again with --to csv or --to xlsx."
        )
    names = loaders.sheet_names(book)
    for name in names:
        if name == disposition or name.startswith(f"{disposition} ("):
            yield _loaded(book, schema, name)


def _loaded(path: Path, schema: Schema, name: str | None) -> Sheet:
    try:
        return loaders.load(path, schema, ReadOptions(sheet=name, is_side=True))
    except EvalbatchError as error:
        raise EvalbatchError(f"{path.parent}: {error}") from None


class _Cells:
    """The columns of one sheet out, by name or by the role that the options gave to a name."""

    def __init__(self, sheet: Sheet, columns: Mapping[str, str]) -> None:
        self._sheet = sheet
        self._by_name = {fold_header(column.name): column for column in reversed(sheet.columns)}
        self._names = {role: fold_header(name) for role, name in columns.items()}

    def of_key(self, disposition: Disposition) -> dict[str, list[Any]]:
        """Give the columns of cases."""
        states, labels, answers = (self._role(role) for role in ("state", "expected", "answer"))
        is_scored = disposition == "scored"
        adjudicated = [is_scored and state == "disputed" for state in states]
        decisions = [
            decision if decided else ""
            for decision, decided in zip(self._role("decision"), adjudicated, strict=True)
        ]
        passes = self._texts("pass")
        return self._common(disposition) | {
            "passed": [word == "true" if is_scored else None for word in passes],
            "adjudicated": adjudicated,
            "key": list(zip(states, labels, decisions, strict=True)),
            "answer": answers,
            "current": [None] * len(states),
        }

    def of_spans(self, disposition: Disposition) -> dict[str, list[Any]]:
        """Give the columns of fields; of an invalid one the rows say no more than the reason."""
        count = len(self._sheet.source_rows)
        has_row = disposition != "invalid"
        candidates = self._texts("candidates") if has_row else [None] * count
        is_scored = disposition == "scored"
        return self._common(disposition) | {
            "passed": [None] * count,
            "adjudicated": [is_scored and len(json.loads(one or "[]")) != 1 for one in candidates],
            "key": self._texts("spans") if has_row else [None] * count,
            "answer": [None] * count,
            "current": self._texts("current") if is_scored else [None] * count,
        }

    def _common(self, disposition: Disposition) -> dict[str, list[Any]]:
        is_marked = "id" in MARKED_ROLES[disposition]
        reasons = [(cell or "").partition(" ")[0] for cell in self._texts("reason")]
        ids = [
            None if reason in _NO_ID else _unmarked(text) if is_marked else text
            for text, reason in zip(self._sheet.role("id").text.to_pylist(), reasons, strict=True)
        ]
        rows = [int(row) for row in self._texts("source_row")]
        return {"id": ids, "reason": reasons, "source_row": rows}

    def _texts(self, name: str) -> list[Any]:
        column = self._by_name.get(name)
        if column is None:
            return [None] * len(self._sheet.source_rows)
        texts: list[Any] = column.text.to_pylist()
        return texts

    def _role(self, role: str) -> list[str]:
        return [comparable(text, role) for text in self._texts(self._names.get(role, role))]


def _unmarked(text: str | None) -> str | None:
    """Take off the mark of an id that looks like a marked cell."""
    found = MARKED.fullmatch(text or "")
    return found[1] if found else text
