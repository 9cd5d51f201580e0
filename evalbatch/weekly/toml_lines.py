"""TOML with the line of each key, which tomllib does not tell for keys that it can read.

A TOML document is a row of statements, and the text of each is TOML by itself, while no beginning
of one is: an open bracket or quote is refused. So statements are told apart by tomllib itself.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

KeyPath = tuple[str | int, ...]
"""A key below its tables, such as `("sheet", 0, "path")`."""

_PLACE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


class FlawedTomlError(ValueError):
    """A text that is no TOML: the line, from 1, and what is wrong there."""

    def __init__(self, line: int, flaw: str) -> None:
        super().__init__(flaw)
        self.line = line


@dataclass(frozen=True)
class Located:
    """The values of a document; a number with a point is a Decimal, exactly what was typed."""

    values: Mapping[str, Any]
    text: str

    def line(self, path: KeyPath) -> int:
        """Give the line, from 1, of the statement that gives a key, or else the nearest table."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines[path] if path else 1

    @cached_property
    def _lines(self) -> dict[KeyPath, int]:
        found: dict[KeyPath, int] = {}
        for path, line, _ in _places(self.text):
            found.setdefault(path, line)
        return found


def parse(text: str) -> Located:
    """Parse a document; raise FlawedTomlError where it is none, or gives one key twice."""
    try:
        return Located(_loads(text), text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        _refuse_repeated(text)
        raise _flaw(text, error) from None


def _loads(text: str) -> dict[str, Any]:
    return tomllib.loads(text, parse_float=Decimal)


def _statements(text: str) -> Iterator[tuple[int, dict[str, Any] | None, bool]]:
    """Give the line of each statement, what it says, and whether it opens a table.

    The last is None where the text from that line on is no statement.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    begin = 0
    for end in range(1, len(lines) + 1):
        try:
            said = _loads("\n".join(lines[begin:end]))
        except (tomllib.TOMLDecodeError, RecursionError):
            continue
        yield begin + 1, said, lines[begin].lstrip().startswith("[")
        begin = end
    if begin < len(lines):
        yield begin + 1, None, False


def _places(text: str) -> Iterator[tuple[KeyPath, int, bool]]:
    """Give each key's path and line, in the order of the document, and whether it is final.

    A table that a longer key implies is not: it may still be named.
    """
    table: KeyPath = ()
    counts: dict[KeyPath, int] = {}
    for line, said, opens in _statements(text):
        if said is None:
            return
        if opens:
            table = _opened(said, counts)
            yield from ((table[:end], line, False) for end in range(1, len(table)))
            yield table, line, True
        else:
            yield from ((path, line, final) for path, final in _paths(said, table))


def _opened(header: Any, counts: dict[KeyPath, int]) -> KeyPath:
    """Follow a header to its table: each array of tables in it stands for its last one."""
    path: KeyPath = ()
    while header:
        [(key, header)] = header.items()
        path += (key,)
        if isinstance(header, list):
            counts[path] = counts.get(path, 0) + 1
            header = None
        if path in counts:
            path += (counts[path] - 1,)
    return path


def _paths(value: Any, table: KeyPath) -> Iterator[tuple[KeyPath, bool]]:
    items: Any = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, inner in items:
        yield (*table, key), not isinstance(inner, dict) or not inner
        yield from _paths(inner, (*table, key))


def _refuse_repeated(text: str) -> None:
    seen: dict[KeyPath, int] = {}
    for path, line, final in _places(text):
        if not final:
            continue
        if path in seen:
            name = ".".join(str(key) for key in path if isinstance(key, str))
            raise FlawedTomlError(line, f"{name} is given twice, first in line {seen[path]}")
        seen[path] = line


def _flaw(text: str, error: Exception) -> FlawedTomlError:
    place = _PLACE.fullmatch(str(error))
    if place and place[2]:
        return FlawedTomlError(int(place[2]), f"{place[1]} (column {place[3]})")
    what = place[1] if place else "it is nested too deeply"
    return FlawedTomlError(_line_of_flaw(text), what)


def _line_of_flaw(text: str) -> int:
    """Find the first statement with which the document is none any more."""
    lines = text.replace("\r\n", "\n").split("\n")
    begin = 1
    for next_one, said, _ in [*_statements(text), (len(lines) + 1, None, False)]:
        try:
            _loads("\n".join(lines[: next_one - 1]))
        except (tomllib.TOMLDecodeError, RecursionError):
            return begin
        begin = next_one
        if said is None:
            break
    return begin
