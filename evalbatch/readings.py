"""What a cell means in its role: a value for the evaluator, or the reasons why it is none.

One cell at a time, never by what the rest of its column looks like. Nothing is coerced.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from evalbatch.errors import EvalbatchError
from evalbatch.records import Cell, Kind, Reading
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
    """The words that mean a Boolean or a known blank in cells without a type, folded."""

    true: frozenset[str] = frozenset({"true"})
    false: frozenset[str] = frozenset({"false"})
    blank: frozenset[str] = frozenset({BLANK_MARKER})

    @classmethod
    def declare(
        cls, true: Iterable[str] = (), false: Iterable[str] = (), blank: Iterable[str] = ()
    ) -> "Spellings":
        """Add declared words to the defaults; one word for two meanings is refused."""
        base = cls()
        meanings = {
            "--true": base.true | {*map(fold, true)},
            "--false": base.false | {*map(fold, false)},
            "--blank": base.blank | {*map(fold, blank)},
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
        return cls(meanings["--true"], meanings["--false"], meanings["--blank"])


EXACT = Spellings(frozenset(), frozenset(), frozenset())
"""No spellings at all, for sources whose types are taken as they are."""


def read(role: str, cell: Cell, spellings: Spellings) -> Reading:
    """Read one cell in its role."""
    reading = _READERS[role](role, cell, spellings)
    if reading.reasons and cell.kind > Kind.WORD and spellings != EXACT:
        # Among words, a type can only come from the mark that a part has.
        mark = f"' ({KIND_NAMES[cell.kind]})'"
        return replace(reading, problem=f"{reading.problem} (take off {mark} once it is right)")
    return reading


def described(cell: Cell) -> str:
    """Say what a cell is: `the text 'pass'`, `the number 1`."""
    text = cell.text or ""
    if cell.kind in (Kind.WORD, Kind.STRING):
        return f"the text {shown(text)}"
    if cell.kind in (Kind.ARRAY, Kind.OBJECT):
        return f"the {KIND_NAMES[cell.kind]} {shown(text)}"
    return f"the {KIND_NAMES[cell.kind]} {text}"


def like_boolean(text: str) -> str | None:
    """Name the option that would declare a word which looks like a Boolean; None for others."""
    word = trim(text).casefold()
    return "--true" if word in _LIKE_TRUE else "--false" if word in _LIKE_FALSE else None


def _is_text(cell: Cell) -> bool:
    return cell.kind in (Kind.WORD, Kind.STRING)


def _is_absent(cell: Cell) -> bool:
    return cell.kind == Kind.EMPTY or (_is_text(cell) and not trim(cell.text or ""))


def _why(cell: Cell) -> tuple[str, ...]:
    return ("cell-error",) if cell.kind == Kind.ERROR else ()


def _id(role: str, cell: Cell, _: Spellings) -> Reading:
    if _is_absent(cell):
        return Reading(None, ("id-missing",), f"{role} is absent; enter the id of this row")
    if not _is_text(cell):
        problem = f"{role} is {described(cell)}; it must be a text"
        return Reading(cell.text, ("id-not-text", *_why(cell)), problem)
    return Reading(cell.text)


def _state(role: str, cell: Cell, spellings: Spellings) -> Reading:
    wanted = "it must be agreed or disputed"
    if _is_absent(cell):
        return Reading(None, ("state-missing",), f"{role} is absent; {wanted}")
    state = fold(cell.text or "") if cell.kind == Kind.WORD else cell.text
    if _is_text(cell) and state in ("agreed", "disputed"):
        return Reading(state)
    if spellings == EXACT and fold(cell.text or "") in ("agreed", "disputed"):
        wanted += ", in exactly these letters"
    reasons = ("state-unknown", *_why(cell))
    return Reading(state, reasons, f"{role} is {described(cell)}; {wanted}")


def _boolean(role: str, cell: Cell, spellings: Spellings) -> Reading:
    missing, wrong = (
        ("observation-label", "observation-label")
        if role == "struck"
        else (f"{role}-missing", f"{role}-not-boolean")
    )
    wanted = "true or false" if spellings == EXACT else "TRUE or FALSE"
    if _is_absent(cell):
        return Reading(None, (missing,), f"{role} is absent; it must be {wanted}")
    if cell.kind == Kind.BOOLEAN:
        return Reading(cell.text == "true")
    word = fold(cell.text or "")
    if cell.kind == Kind.WORD and word in spellings.true | spellings.false:
        return Reading(word in spellings.true)
    problem = f"{role} is {described(cell)}; it must be {wanted}"
    if word in ("true", "false") and spellings == EXACT:
        problem += ", a Boolean and no text"
    elif cell.kind == Kind.WORD and (flag := like_boolean(cell.text or "")):
        meaning = flag.removeprefix("--").upper()
        declared = options(flag, [trim(cell.text or "")])
        problem += f" (if this one means {meaning} here, run with {declared})"
    return Reading(cell.text, (wrong, *_why(cell)), problem)


def _text(role: str, cell: Cell, spellings: Spellings) -> Reading:
    if cell.kind == Kind.EMPTY:
        blank = (
            f"the marker {BLANK_MARKER} if a blank was seen (some spreadsheets drop an empty text "
            "on saving)"
            if spellings.blank
            else 'the empty text "" if a blank was seen'
        )
        problem = f"{role} is absent; enter what was seen, or {blank}"
        return Reading(None, ("observation-text",), problem)
    if not _is_text(cell):
        problem = f"{role} is {described(cell)}; it must be a text"
        # The evaluator is told of a text only where there is one.
        return Reading(None, ("observation-text", *_why(cell)), problem)
    if cell.kind == Kind.WORD and fold(cell.text or "") in spellings.blank:
        return Reading("")
    return Reading(cell.text)


def _spans(role: str, cell: Cell, _: Spellings) -> Reading:
    wanted = 'it must be a JSON array such as [{"text": "12", "struck": true}]'
    if _is_absent(cell):
        return Reading(None, ("spans-not-json",), f"{role} is absent; {wanted}")
    if cell.kind not in (Kind.WORD, Kind.ARRAY):
        problem = f"{role} is {described(cell)}; {wanted}"
        return Reading(None, ("spans-not-json", *_why(cell)), problem)
    try:
        spans = parse(cell.text or "")
    except FlawedJsonError as flaw:
        return Reading(None, ("spans-not-json",), f"{role} is no JSON: {flaw}; {wanted}")
    if not isinstance(spans, list):
        return Reading(None, ("spans-not-json",), f"{role} is JSON but no array; {wanted}")
    for number, span in enumerate(spans, 1):
        if not isinstance(span, dict):
            problem = f"{role}: span {number} is no object; {wanted}"
            return Reading(None, ("spans-not-json",), problem)
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
}
