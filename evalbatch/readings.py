"""What a cell means in its role: a value for the evaluator, or the reasons why it is none.

One cell at a time, never by what the rest of its column looks like. Nothing is coerced.
"""

import json
from collections.abc import Callable, Container
from dataclasses import replace
from typing import Any

from evalbatch.records import Cell, Kind, Reading
from evalbatch.spellings import BLANK_MARKER, DECLARABLE, Spellings, like_boolean
from evalbatch.strict_json import FlawedJsonError, parse
from evalbatch.words import fold, options, shown, trim

KIND_NAMES = {
    Kind.STRING: "text",
    Kind.BOOLEAN: "Boolean",
    Kind.NUMBER: "number",
    Kind.DATE: "date",
    Kind.ERROR: "error",
    Kind.ARRAY: "array",
    Kind.OBJECT: "object",
    Kind.TEXT: "text",
    Kind.WHOLE: "number",
    Kind.UNCALCULATED: "not calculated",
    Kind.MERGED: "merged",
    Kind.REPEATED: "repeated",
    Kind.MALFORMED: "malformed",
}
_TEXTS = (Kind.WORD, Kind.STRING, Kind.TEXT)
_ABSENT = (Kind.EMPTY, Kind.UNCALCULATED, Kind.MERGED, Kind.REPEATED, Kind.MALFORMED)
_DEEPER = {
    Kind.ERROR: ("cell-error",),
    Kind.UNCALCULATED: ("formula-not-calculated",),
    Kind.MERGED: ("cell-merged",),
    Kind.REPEATED: ("id-duplicate",),
    Kind.MALFORMED: ("row-malformed",),
}
_CODES = {
    "struck": ("observation-label", "observation-label"),
    "text": ("observation-text", "observation-text"),
    "decision": ("adjudication-incomplete", "adjudication-not-boolean"),
    "text decision": ("adjudication-incomplete", "adjudication-not-text"),
}
"""The reasons of roles for a cell that is absent, and for one of another type."""
_WHY_ABSENT = {
    Kind.UNCALCULATED: (
        "is a formula without a saved result",
        "let a spreadsheet calculate and save it, or {}",
    ),
    Kind.MERGED: ("is covered by a merged cell", "unmerge it, and {}"),
    Kind.REPEATED: ("is given by several rows", "keep the one that counts"),
    Kind.MALFORMED: ("stands in a malformed row", "mend its delimiters and quotes"),
}


def read(role: str, cell: Cell, spellings: Spellings) -> Reading:
    """Read one cell in its role."""
    reading = _READERS[role](role, cell, spellings)
    if reading.reasons and cell.kind > Kind.WORD and spellings.source == "words":
        # Among words, a type can only come from the mark that a part has.
        mark = f"' ({KIND_NAMES[cell.kind]})'"
        return replace(reading, mend=f"{reading.mend} (take off {mark} once it is right)")
    return reading


def described(cell: Cell) -> str:
    """Say what a cell is: `the text 'pass'`, `the number 1`."""
    text = cell.text or ""
    if cell.kind in _TEXTS:
        return f"the text {shown(text)}"
    if cell.kind in (Kind.ARRAY, Kind.OBJECT):
        return f"the {KIND_NAMES[cell.kind]} {shown(text)}"
    return f"the {KIND_NAMES[cell.kind]} {text}"


def _is_text(cell: Cell) -> bool:
    return cell.kind in _TEXTS


def _is_absent(cell: Cell) -> bool:
    return cell.kind in _ABSENT or (_is_text(cell) and not trim(cell.text or ""))


def _why(cell: Cell) -> tuple[str, ...]:
    return _DEEPER.get(cell.kind, ())


def _absent(role: str, reason: str, cell: Cell, todo: str) -> Reading:
    what, mend = _WHY_ABSENT.get(cell.kind, ("is absent", "{}"))
    return Reading(None, (reason, *_why(cell)), f"{role} {what}", mend.format(todo))


def _id(role: str, cell: Cell, spellings: Spellings) -> Reading:
    if _is_absent(cell):
        return _absent(role, "id-missing", cell, "enter the id of this row")
    if not _is_text(cell) and cell.kind != Kind.WHOLE:
        what = f"{role} is {described(cell)}"
        mend = "it must be a text"
        if cell.kind in (Kind.NUMBER, Kind.DATE) and spellings.source == "cells":
            mend += " (format the cell as Text and enter it anew, as it is shown)"
        return Reading(cell.text, ("id-not-text", *_why(cell)), what, mend)
    return Reading(cell.text)


def _state(role: str, cell: Cell, spellings: Spellings) -> Reading:
    wanted = "it must be agreed or disputed"
    if _is_absent(cell):
        return _absent(role, "state-missing", cell, wanted.replace("it must be", "enter"))
    state = fold(cell.text or "") if cell.kind in DECLARABLE else cell.text
    if _is_text(cell) and state in ("agreed", "disputed"):
        return Reading(state)
    if spellings.source == "values" and fold(cell.text or "") in ("agreed", "disputed"):
        wanted += ", in exactly these letters"
    reasons = ("state-unknown", *_why(cell))
    return Reading(state, reasons, f"{role} is {described(cell)}", wanted)


def _boolean(role: str, cell: Cell, spellings: Spellings) -> Reading:
    missing, wrong = _CODES.get(role, (f"{role}-missing", f"{role}-not-boolean"))
    wanted = "true or false" if spellings.source == "values" else "TRUE or FALSE"
    if _is_absent(cell):
        return _absent(role, missing, cell, f"enter {wanted}")
    if cell.kind == Kind.BOOLEAN:
        return Reading(fold(cell.text or "") == "true")
    if (declared := spellings.boolean(cell)) is not None:
        return Reading(declared)
    text = cell.text or ""
    mend = f"it must be {wanted}"
    if spellings.source != "words" and _is_text(cell) and fold(text) in ("true", "false"):
        mend += ", a Boolean and no text"
    elif cell.kind in DECLARABLE and (flag := like_boolean(text)):
        meaning = flag.removeprefix("--").upper()
        declared_so = options(flag, [trim(text)])
        mend += f" (if this one means {meaning} here, run with {declared_so})"
    return Reading(text, (wrong, *_why(cell)), f"{role} is {described(cell)}", mend)


def _text(role: str, cell: Cell, spellings: Spellings) -> Reading:
    missing, wrong = _CODES[role]
    role = role.removeprefix("text ")
    if cell.kind in _ABSENT:
        blank = (
            'the empty text "" if a blank was seen'
            if spellings.source == "values"
            else f"the marker {BLANK_MARKER} if a blank was seen (some spreadsheets drop an empty "
            "text on saving)"
        )
        return _absent(role, missing, cell, f"enter what was seen, or {blank}")
    if cell.kind == Kind.WHOLE and spellings.numbers_as_text:
        return Reading(cell.text)
    if not _is_text(cell):
        mend = "it must be a text"
        if cell.kind == Kind.WHOLE:
            mend += " (format the cell as Text and enter it anew, or run with --numbers-as-text)"
        # The evaluator is told of a text only where there is one.
        reasons = (wrong, *_why(cell))
        return Reading(None, reasons, f"{role} is {described(cell)}", mend)
    if cell.kind in DECLARABLE and fold(cell.text or "") in spellings.blanks:
        return Reading("")
    return Reading(cell.text)


def _who(role: str, cell: Cell, _: Spellings) -> Reading:
    return _recorded(role, cell, (*_TEXTS, Kind.WHOLE), "enter who decided")


def _when(role: str, cell: Cell, _: Spellings) -> Reading:
    return _recorded(role, cell, (*_TEXTS, Kind.WHOLE, Kind.DATE), "enter the date")


def _recorded(role: str, cell: Cell, kinds: Container[Kind], todo: str) -> Reading:
    if _is_absent(cell):
        return _absent(role, "adjudication-incomplete", cell, todo)
    if cell.kind not in kinds:
        return Reading(None, ("adjudication-incomplete",), f"{role} is {described(cell)}", todo)
    return Reading(cell.text)


def _spans(role: str, cell: Cell, _: Spellings) -> Reading:
    wanted = 'it must be a JSON array such as [{"text": "12", "struck": true}]'
    if _is_absent(cell):
        return _absent(role, "spans-not-json", cell, wanted.replace("it must be", "enter"))
    if cell.kind not in (*DECLARABLE, Kind.ARRAY):
        return Reading(
            None, ("spans-not-json", *_why(cell)), f"{role} is {described(cell)}", wanted
        )
    try:
        spans = parse(cell.text or "")
    except FlawedJsonError as flaw:
        return Reading(None, ("spans-not-json",), f"{role} is no JSON: {flaw}", wanted)
    if not isinstance(spans, list):
        return Reading(None, ("spans-not-json",), f"{role} is JSON but no array", wanted)
    for number, span in enumerate(spans, 1):
        if not isinstance(span, dict):
            what = f"{role}: span {number} is no object"
            return Reading(None, ("spans-not-json",), what, wanted)
    return Reading(spans)


def json_cell(value: Any) -> Cell:
    """Make a cell of a parsed JSON value; null and an absent key are empty."""
    if value is None:
        return Cell(None, Kind.EMPTY)
    if isinstance(value, bool):
        return Cell("true" if value else "false", Kind.BOOLEAN)
    if isinstance(value, str):
        return Cell(value, Kind.STRING)
    if isinstance(value, list | dict):
        kind = Kind.ARRAY if isinstance(value, list) else Kind.OBJECT
        return Cell(json.dumps(value, ensure_ascii=False), kind)
    return Cell(shortest(value), Kind.NUMBER)


def shortest(number: float) -> str:
    """Write a number as the shortest decimal that is read as the same number."""
    if isinstance(number, float) and number.is_integer() and abs(number) < 1e16:
        return str(int(number))
    return repr(number)


_READERS: dict[str, Callable[[str, Cell, Spellings], Reading]] = {
    "id": _id,
    "state": _state,
    "expected": _boolean,
    "answer": _boolean,
    "struck": _boolean,
    "text": _text,
    "spans": _spans,
    "decision": _boolean,
    "text decision": _text,
    "decided_by": _who,
    "decided_on": _when,
}
