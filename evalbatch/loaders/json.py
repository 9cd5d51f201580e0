"""JSON and JSON Lines: objects to a sheet of typed cells, each type taken as it is."""

import re
from collections.abc import Sequence
from typing import Any

from evalbatch.errors import EvalbatchError
from evalbatch.loaders.decoding import decoded
from evalbatch.loaders.typed import sheet_of
from evalbatch.records import Note, Sheet, Source
from evalbatch.schema import Schema
from evalbatch.strict_json import FlawedJsonError, end_of_next, parse
from evalbatch.words import counted, listed, shown

_LISTS = {"cases": "answer-key", "fields": "spans"}
_SHAPES = (
    'it must be {"cases": [{"id", "state", "expected", "answer"}]}, '
    '{"fields": [{"id", "spans"}]}, an array of such objects, or one object a line'
)


def load(data: bytes, source: Source, schema: Schema) -> Sheet:
    """Read a JSON document, or one object a line. Raises EvalbatchError for anything else."""
    text = decoded(data, "utf-8-sig")
    items, task, notes = _items(text)
    if task is not None:
        schema = schema.for_task(task)
    return sheet_of(items, source, schema, notes)


def _items(text: str) -> tuple[Sequence[Any], str | None, list[Note]]:
    try:
        document = parse(text)
    except FlawedJsonError as flaw:
        lines = _lines(text)
        if lines is None:
            raise EvalbatchError(f"{_place(text)}{flaw}.") from None
        return lines, None, []
    if isinstance(document, list):
        return document, None, []
    if isinstance(document, dict):
        named = [key for key in _LISTS if isinstance(document.get(key), list)]
        if len(named) == 1:
            others = [shown(key) for key in document if key != named[0]]
            return document[named[0]], _LISTS[named[0]], _left_out(others)
        if "scored" in document and "coverage" in document:
            raise EvalbatchError(
                "these are results that evalbatch wrote; feed back a sheet such as held.csv."
            )
        if not named and document and "\n" not in text.strip():
            return [document], None, []
    raise EvalbatchError(f"the document is no sheet: {_SHAPES}.")


def _left_out(keys: Sequence[str]) -> list[Note]:
    if not keys:
        return []
    other = counted(len(keys), "key")
    return [Note("keys-not-read", f"{other} beside the list not read: {listed(keys)}")]


def _lines(text: str) -> list[Any] | None:
    """Read one object a line; None if the text is not of that form at all."""
    starts = [line.lstrip()[:1] for line in text.split("\n") if line.strip()]
    if len(starts) < 2 or set(starts) != {"{"}:
        return None
    items = []
    # JSON Lines ends lines with LF only; other line ends are characters of a text.
    for number, line in enumerate(text.split("\n"), 1):
        try:
            items.append(parse(line) if line.strip() else {})
        except FlawedJsonError as flaw:
            raise EvalbatchError(f"line {number}: {flaw}.") from None
    while items and items[-1] == {}:
        items.pop()
    return items


def _place(text: str) -> str:
    """Say at which item of the sheet's array parsing stops, as far as one can tell."""
    begin = re.match(r'\s*(\{\s*"(cases|fields)"\s*:\s*)?\[', text)
    if begin is None:
        return ""
    position = begin.end()
    number = 1
    try:
        while True:
            position = end_of_next(text, position)
            comma = re.compile(r"\s*,").match(text, position)
            if comma is None:
                return ""
            position = comma.end()
            number += 1
    except FlawedJsonError:
        return f"item {number}: "
