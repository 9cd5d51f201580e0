"""Filled cases: whether each input still gives exactly the result that somebody worked out."""

import json
from pathlib import Path
from typing import Any

from evalbatch.documents import evaluate
from evalbatch.errors import EvalbatchError
from evalbatch.loaders import load
from evalbatch.loaders.options import ReadOptions
from evalbatch.records import Sheet
from evalbatch.schema import FILLED_CASES, Schema
from evalbatch.strict_json import FlawedJsonError, parse
from evalbatch.words import shown


def verify(path: Path | str, options: ReadOptions | None = None) -> dict[str, Any]:
    """Evaluate filled cases (`id`, `input`, `expected`), and compare type for type.

    A sheet holds input and expected as JSON. Returns `{"checked", "caseIds"}`, with `mismatches`
    (`id`, `expected`, `actual`) only where there are some. Raises EvalbatchError for a sheet that
    is no sheet of filled cases, a malformed row, or an input that is no document.
    """
    path = Path(path)
    sheet = load(
        path, Schema((FILLED_CASES,), advice="Rename the columns."), options or ReadOptions()
    )
    for problem in sheet.malformed.values():
        raise EvalbatchError(f"{path.name}: {problem}.")
    names: list[str] = []
    mismatches = []
    for row in range(len(sheet.source_rows)):
        name = sheet.role("id").text[row].as_py()
        if not name:
            raise EvalbatchError(
                f"{path.name}: {sheet.place(sheet.role('id'), row)}: id is absent."
            )
        document, expected = (_value(path, sheet, role, row) for role in ("input", "expected"))
        try:
            actual = evaluate(document)
        except EvalbatchError as error:
            raise EvalbatchError(f"{path.name}: the input of {shown(name)}: {error}") from None
        names.append(name)
        if not same(expected, actual):
            mismatches.append({"id": name, "expected": expected, "actual": actual})
    found: dict[str, Any] = {"checked": len(names), "caseIds": names}
    return found | {"mismatches": mismatches} if mismatches else found


def same(left: Any, right: Any) -> bool:
    """Compare JSON values type for type: true is not 1, and 1 is not 1.0."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def difference(mismatch: dict[str, Any]) -> str:
    """Show what was expected of a case, and what came out."""
    expected, actual = (
        json.dumps(mismatch[key], ensure_ascii=False) for key in ("expected", "actual")
    )
    return f"{mismatch['id']}\n  expected  {expected}\n  actual    {actual}"


def _value(path: Path, sheet: Sheet, role: str, row: int) -> Any:
    column = sheet.role(role)
    text = column.text[row].as_py()
    if text is None and not sheet.addressed:
        return None
    try:
        return parse(text or "")
    except FlawedJsonError as flaw:
        where = sheet.place(column, row)
        raise EvalbatchError(f"{path.name}: {where}: {role} is no JSON: {flaw}.") from None
