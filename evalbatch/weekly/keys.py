"""The keys of a job file: one table of what each takes, and how it is described.

A new option of `evalbatch.run` needs a row in SHEET_KEYS, and nothing else.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

_FINEST = -30


@dataclass(frozen=True, slots=True)
class Kind:
    """What a key takes: in words, and read; `read` gives None for a value of another kind."""

    wanted: str
    read: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its kind, and the example and the words with which a new job file shows it."""

    name: str
    kind: Kind
    example: str
    meaning: str


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value and "\0" not in value else None


def _texts(value: Any) -> tuple[str, ...] | None:
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not found or not all(map(_text, found)):
        return None
    return tuple(found)


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _row(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _share(value: Any) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    number = Decimal(value)
    # A gate of 1e-999999999 would take minutes to compare.
    if not number.is_finite() or not 0 <= number <= 1 or _exponent(number) < _FINEST:
        return None
    return Fraction(number)


def _exponent(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


def _headers(value: Any) -> dict[str, str] | None:
    if not isinstance(value, dict) or not all(map(_text, value.values())):
        return None
    return value


def _table(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


TEXT = Kind("a text", _text)
TEXTS = Kind("a text, or a list of texts", _texts)
FLAG = Kind("true or false", _flag)
ROW = Kind("a whole number from 1", _row)
SHARE = Kind("a number from 0 to 1", _share)
HEADERS = Kind('a table of texts, such as { expected = "gold" }', _headers)
PATHS = Kind("the path of a file, or a list of paths", _texts)
TABLE = Kind("a table", _table)

SHEET_KEYS = (
    Key("task", TEXT, '"answer-key"', "or spans, if a header fits both"),
    Key("columns", HEADERS, '{ expected = "gold" }', "the header of a role, if it has another"),
    Key("true", TEXTS, '["yes"]', "further words for TRUE"),
    Key("false", TEXTS, '["no"]', "further words for FALSE"),
    Key("blank", TEXTS, '["empty"]', "further words for a known blank text"),
    Key("scattered", FLAG, "true", "the rows of one field may stand apart"),
    Key("delimiter", TEXT, '";"', "or tab, if the header does not tell"),
    Key("encoding", TEXT, '"cp1252"', "if it is not UTF-8"),
    Key("header_row", ROW, "3", "if it is not the first row"),
    Key("sheet", TEXT, '"Key"', "the sheet of a workbook, if several fit"),
    Key("numbers_as_text", FLAG, "true", "take whole numbers of a workbook for text"),
    Key("adjudications", PATHS, '"decisions.csv"', "recorded decisions on disputed cases"),
    Key("answers", PATHS, '"answers.csv"', "answers apart from the key; several are candidates"),
    Key("marks", TEXT, '"formatting"', "where the marks of a span sheet stand"),
)
"""What a [[sheet]] takes beside its path: options of `evalbatch.run`, under the same names."""

RESULTS_KEYS = (
    Key(
        "folder",
        TEXT,
        '"results/{week}/{stem}"',
        "the results folder of each sheet: {stem} is its file name without the ending,\n"
        "{week} the week, such as 2025-W31, {date} the day",
    ),
    Key("to", TEXTS, '["csv", "json"]', "the formats; without it the sheet's own, json and html"),
    Key("bom", FLAG, "false", "never start a CSV file with a byte order mark"),
    Key(
        "overwrite",
        FLAG,
        "true",
        "replace results in that folder, if nobody has changed them",
    ),
)
GATES_KEYS = (
    Key("require_complete", FLAG, "true", "every case must be scored"),
    Key("min_coverage", SHARE, "0.9", "scored cases as a share of all"),
    Key("min_pass_rate", SHARE, "0.8", "of answer keys, even if every case not scored fails"),
)
