"""What a cell means in its role: a value for the evaluator, or the reasons why it is none.

One cell at a time, never by what the rest of its column looks like. Nothing is coerced.
"""

import json
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, replace
from typing import Any

from evalbatch.errors import EvalbatchError
from evalbatch.records import Cell, Kind, Origin, Reading, Sheet
from evalbatch.strict_json import FlawedJsonError, parse
from evalbatch.words import fold, options, shown, trim

BLANK_MARKER = "[blank]"
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
# A string of JSON, or a text that a part marks as one, is what it is.
_DECLARABLE = (Kind.WORD, Kind.TEXT)
_FLAGS = ("--true", "--false", "--blank")
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
# Words that reviewers and spreadsheets write for Booleans. None of them is ever read as one; they
# only decide whether a message names the option that would declare them.
_LIKE_TRUE = frozenset(
    """
    1 1.0 y yes t on ok ✓ ✔ ☑ wahr ja richtig vrai oui verdadero sí si verdadeiro sim vero waar
    doğru evet prawda tak sann sant sand tosi pravda ano igaz igen adevărat да истина правда
    真 是 はい 예 참
    """.split()  # noqa: SIM905 - a list of this length is not readable
)
_LIKE_FALSE = frozenset(
    """
    0 0.0 n no f off ✗ ✘ ☐ falsch nein faux non falso não nao onwaar nee yanlış yanliş hayır
    fałsz nie falskt falsk epätosi nepravda ne hamis nem fals нет ложь неправда
    假 否 いいえ 아니요 거짓
    """.split()  # noqa: SIM905 - a list of this length is not readable
)


@dataclass(frozen=True, slots=True)
class Spellings:
    """The words that are declared to mean a Boolean or a known blank, folded; and their source."""

    true: frozenset[str] = frozenset()
    false: frozenset[str] = frozenset()
    blank: frozenset[str] = frozenset()
    numbers_as_text: bool = False
    source: Origin = "words"

    @classmethod
    def declare(
        cls,
        true: Iterable[str] = (),
        false: Iterable[str] = (),
        blank: Iterable[str] = (),
        *,
        numbers_as_text: bool = False,
    ) -> "Spellings":
        """Declare words beside the defaults; one word for two meanings is refused."""
        declared = [frozenset(map(fold, words)) for words in (true, false, blank)]
        defaults = ({"true"}, {"false"}, {BLANK_MARKER})
        meanings = {
            flag: words | default
            for flag, words, default in zip(_FLAGS, declared, defaults, strict=True)
        }
        for flag, words in meanings.items():
            if "" in words:
                raise EvalbatchError(f"{flag} needs a word; an empty cell stays absent.")
            for other, others in meanings.items():
                if other > flag and (both := words & others):
                    raise EvalbatchError(
                        f"{shown(min(both))} cannot mean both {flag} and {other}; "
                        "give each word one meaning."
                    )
        return cls(declared[0], declared[1], declared[2], numbers_as_text)

    def within(self, sheet: Sheet) -> "Spellings":
        """Give the spellings that hold in a sheet, by what its cells are."""
        if sheet.delimiter is not None:
            return replace(self, source="words")
        return replace(self, source="cells") if sheet.addressed else EXACT

    @property
    def blanks(self) -> frozenset[str]:
        """All words for a known blank."""
        return frozenset() if self.source == "values" else self.blank | {BLANK_MARKER}

    def boolean(self, cell: Cell) -> bool | None:
        """Give the Boolean that a text means, None if it means none.

        The words true and false mean themselves only where cells have no type.
        """
        word = fold(cell.text or "")
        plain = cell.kind == Kind.WORD
        if (plain and word == "true") or (cell.kind in _DECLARABLE and word in self.true):
            return True
        if (plain and word == "false") or (cell.kind in _DECLARABLE and word in self.false):
            return False
        return None


EXACT = Spellings(source="values")
"""No spellings at all, for sources whose types are taken as they are."""


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


def like_boolean(text: str) -> str | None:
    """Name the option that would declare a word which looks like a Boolean; None for others."""
    word = trim(text).casefold()
    return "--true" if word in _LIKE_TRUE else "--false" if word in _LIKE_FALSE else None


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
    state = fold(cell.text or "") if cell.kind in _DECLARABLE else cell.text
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
    elif cell.kind in _DECLARABLE and (flag := like_boolean(text)):
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
    if cell.kind in _DECLARABLE and fold(cell.text or "") in spellings.blanks:
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
    if cell.kind not in (*_DECLARABLE, Kind.ARRAY):
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
