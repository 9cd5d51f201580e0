"""JSON as RFC 8259 has it, without the parts on which parsers differ.

A repeated key, NaN or an infinity, a lone surrogate or a number beyond double precision's range is
refused: each is read in one way here and in another elsewhere.
"""

import json
import math
import re
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
SURROGATE = re.compile("[\ud800-\udfff]")


class FlawedJsonError(ValueError):
    """A text that is no JSON, or JSON that cannot be trusted; it says what and where."""


def parse(text: str) -> Any:
    """Parse a JSON text; raise FlawedJsonError with the fault and its place."""
    value, end = _parsed(text, 0)
    if _end_of_space(text, end) < len(text):
        raise FlawedJsonError(_told(json.JSONDecodeError("Extra data", text, end)))
    return value


def end_of_next(text: str, position: int) -> int:
    """Parse the value at a position, white space skipped; give the position behind it."""
    return _parsed(text, position)[1]


def _parsed(text: str, position: int) -> tuple[Any, int]:
    begin = _end_of_space(text, position)
    try:
        value, end = _DECODER.raw_decode(text, begin)
    except json.JSONDecodeError as error:
        raise FlawedJsonError(_told(error)) from None
    except RecursionError:
        raise FlawedJsonError("it is nested too deeply") from None
    if "\\u" in text[begin:end]:
        _refuse_surrogates(value)
    return value, end


def _told(error: json.JSONDecodeError) -> str:
    return f"{error.msg} at line {error.lineno}, column {error.colno}"


def _end_of_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return position if space is None else space.end()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise FlawedJsonError(f"the key {json.dumps(repeated)} is repeated in one object")
    return value


def _constant(name: str) -> Any:
    raise FlawedJsonError(f"{name} is no JSON value")


def _integer(digits: str) -> int:
    if len(digits) > 4000:
        raise FlawedJsonError(f"a number of {len(digits):,} digits is too long")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise FlawedJsonError(f"the number {digits} is too large")
    return value


def _refuse_surrogates(value: Any) -> None:
    texts = [value]
    while texts:
        one = texts.pop()
        if isinstance(one, dict):
            texts += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            texts += one
        elif isinstance(one, str) and (found := SURROGATE.search(one)):
            raise FlawedJsonError(f"the lone surrogate {ascii(found[0])[1:-1]} is no character")
        elif isinstance(one, str) and "\0" in one:
            raise FlawedJsonError("a NUL is no character of a text")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_constant=_constant,
    parse_int=_integer,
    parse_float=_float,
)
