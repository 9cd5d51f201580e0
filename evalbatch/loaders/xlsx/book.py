"""What a workbook says of all its sheets: their names, its shared strings, its formats."""

import posixpath
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from evalbatch.loaders.xlsx.package import Attributes, Package, damaged, local
from evalbatch.loaders.xlsx.strings import Strings, read_strings

_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)})
_PLAIN = frozenset({"general", "0", "@"})
_BUILT_IN_PLAIN = frozenset({0, 1, 49})
# Quoted and escaped text, and conditions or colours, which are no part of a date.
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)
_DURATION = re.compile(r"\[[hms]+\]", re.IGNORECASE)


class Format(IntEnum):
    """What a number format makes of a number."""

    PLAIN = 0
    """The digits, and nothing else."""
    DATE = 1
    OTHER = 2


@dataclass(frozen=True, slots=True)
class Style:
    """What a cell's format means here: what it makes of numbers, and whether its font is struck."""

    number: Format
    is_struck: bool


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A sheet as the workbook lists it."""

    name: str
    part: str
    is_visible: bool


@dataclass(frozen=True, slots=True)
class Book:
    """A workbook: its sheets, and what their cells refer to."""

    package: Package
    sheets: Sequence[SheetEntry]
    strings: Strings
    styles: Sequence[Style]
    is_1904: bool


def open_book(data: bytes) -> Book:
    """Read everything of a workbook but its cells."""
    package = Package(data)
    main = _target(_relations(package, ""), "officeDocument")
    if main is None:
        raise damaged("it names no workbook part")
    relations = _relations(package, main)
    sheets: list[SheetEntry] = []
    is_1904: bool | None = None

    def start(name: str, attributes: Attributes) -> None:
        nonlocal is_1904
        name = local(name)
        # An extension may bring an element of the same name.
        if name == "workbookPr" and is_1904 is None:
            is_1904 = attributes.get("date1904") in ("1", "true")
        elif name == "sheet":
            key = next((v for k, v in attributes.items() if k.endswith(":id")), None)
            part = relations.get(key or "", ("", ""))
            if part[0] == "worksheet":
                visible = attributes.get("state", "visible") == "visible"
                sheets.append(SheetEntry(attributes.get("name", ""), part[1], visible))

    for _ in package.parse(main, start):
        pass
    strings = _target(relations, "sharedStrings")
    styles = _target(relations, "styles")
    return Book(
        package,
        sheets,
        read_strings(package, strings) if strings and strings in package else Strings(),
        _styles(package, styles) if styles and styles in package else (),
        bool(is_1904),
    )


def _relations(package: Package, part: str) -> dict[str, tuple[str, str]]:
    """Give a part's relations by id: their kind and the part that they point to."""
    folder, name = posixpath.split(part)
    found: dict[str, tuple[str, str]] = {}

    def start(name: str, attributes: Attributes) -> None:
        if local(name) == "Relationship" and attributes.get("TargetMode") != "External":
            target = attributes.get("Target", "")
            path = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = attributes.get("Type", "").rpartition("/")[2]
            found[attributes.get("Id", "")] = (kind, path)

    path = posixpath.join(folder, "_rels", f"{name}.rels")
    for _ in package.parse(path, start):
        pass
    return found


def _target(relations: dict[str, tuple[str, str]], kind: str) -> str | None:
    return next((path for found, path in relations.values() if found == kind), None)


def _styles(package: Package, part: str) -> list[Style]:
    codes: dict[int, str] = {}
    struck_fonts: list[bool] = []
    styles: list[tuple[int, int]] = []
    inside: list[str] = []

    def start(name: str, attributes: Attributes) -> None:
        name = local(name)
        inside.append(name)
        if name == "numFmt" and inside[-2:-1] == ["numFmts"]:
            codes[_number(attributes, "numFmtId")] = attributes.get("formatCode", "")
        elif name == "font" and inside[-2:-1] == ["fonts"]:
            struck_fonts.append(False)
        elif name == "strike" and inside[-2:-1] == ["font"] and "fonts" in inside:
            struck_fonts[-1] = attributes.get("val", "1") not in ("0", "false")
        elif name == "xf" and inside[-2:-1] == ["cellXfs"]:
            styles.append((_number(attributes, "numFmtId"), _number(attributes, "fontId")))

    for _ in package.parse(part, start, lambda _: inside.pop()):
        pass
    return [
        Style(_format(number, codes), font < len(struck_fonts) and struck_fonts[font])
        for number, font in styles
    ]


def _format(number: int, codes: dict[int, str]) -> Format:
    code = codes.get(number)
    if code is None:
        plain = number in _BUILT_IN_PLAIN
        return Format.PLAIN if plain else Format.DATE if number in _BUILT_IN_DATES else Format.OTHER
    if code.lower() in _PLAIN:
        return Format.PLAIN
    if _DURATION.search(code):
        return Format.OTHER
    # Only the section for positive numbers says whether it is a date.
    section = _LITERAL.sub("", code.partition(";")[0]).lower()
    is_date = any(letter in section for letter in "ymdhs") and "general" not in section
    return Format.DATE if is_date else Format.OTHER


def _number(attributes: Attributes, name: str) -> int:
    value = attributes.get(name, "0")
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise damaged(f"the number {name} of a style is {value!r}")
    return int(value)
