"""What a workbook says of all its sheets: their names, its shared strings, its formats."""

import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

import pyarrow as pa

from evalbatch import arrow
from evalbatch.loaders.xlsx.package import Attributes, Package, damaged, local

_BUILT_IN_DATES = frozenset({*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)})
_PLAIN = frozenset({"general", "0", "@"})
_BUILT_IN_PLAIN = frozenset({0, 1, 49})
# Quoted and escaped text, and conditions or colours, which are no part of a date.
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)
_DURATION = re.compile(r"\[[hms]+\]", re.IGNORECASE)
# A NUL is no character of a sheet, so that its escape stays as it is.
_ESCAPE = re.compile("_x(?!0000)([0-9A-Fa-f]{4})_")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")


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
class Text:
    """A text cell's characters, and its runs where some have a format of their own.

    A run is struck or not by its own format; None stands for one that follows the cell's.
    """

    characters: str
    runs: tuple[tuple[str, bool | None], ...] = ()

    def pieces(self, cell_is_struck: bool) -> tuple[tuple[str, bool], ...]:
        """Give the pieces of the text that are struck, or not, throughout."""
        found: list[tuple[str, bool]] = []
        for text, own in self.runs or ((self.characters, None),):
            is_struck = cell_is_struck if own is None else own
            if found and found[-1][1] == is_struck:
                found[-1] = (found[-1][0] + text, is_struck)
            else:
                found.append((text, is_struck))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Strings:
    """The shared strings: their characters, and by their number those with runs of their own."""

    texts: pa.StringArray
    rich: Mapping[int, Text]

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, number: int) -> Text:
        found = self.rich.get(number)
        return Text(self.texts[number].as_py()) if found is None else found


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
        _strings(package, strings if strings and strings in package else None),
        _styles(package, styles) if styles and styles in package else (),
        bool(is_1904),
    )


def unescaped(text: str) -> str:
    """Decode `_x000D_` and the like, as Excel does; a lone surrogate becomes U+FFFD."""
    if "_x" not in text:
        return text
    found = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    paired = _PAIR.sub(_character, found)
    return _LONE.sub("\ufffd", paired)


def _character(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")


class TextReader:
    """Gathers the text of a shared or inline string: its runs, without phonetic guides."""

    def __init__(self) -> None:
        self._runs: list[tuple[str, bool | None]] = []
        self._parts: list[str] = []
        self._is_text = self._is_guide = False
        self._run_is_struck: bool | None = None

    def start(self, name: str, attributes: Attributes) -> None:
        """Take the start of an element inside the string."""
        if name == "t":
            self._is_text = not self._is_guide
        elif name == "rPh":
            self._is_guide = True
        elif name == "rPr":
            self._run_is_struck = False
        elif name == "strike":
            self._run_is_struck = attributes.get("val", "1") not in ("0", "false")

    def characters(self, data: str) -> None:
        """Take characters; those outside of texts are white space between elements."""
        if self._is_text:
            self._parts.append(data)

    def end(self, name: str) -> None:
        """Take the end of an element inside the string."""
        if name == "t":
            if self._is_text:
                self._runs.append((unescaped("".join(self._parts)), self._run_is_struck))
            self._parts = []
            self._is_text = False
        elif name == "rPh":
            self._is_guide = False
        elif name == "r":
            self._run_is_struck = None

    def text(self) -> Text:
        """Give the whole text."""
        whole = "".join(text for text, _ in self._runs)
        has_own = any(is_struck is not None for _, is_struck in self._runs)
        return Text(whole, tuple(one for one in self._runs if one[0]) if has_own else ())


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


def _strings(package: Package, part: str | None) -> Strings:
    found: list[Text] = []
    reader = TextReader()

    def start(name: str, attributes: Attributes) -> None:
        nonlocal reader
        name = local(name)
        if name == "si":
            reader = TextReader()
        else:
            reader.start(name, attributes)

    def end(name: str) -> None:
        name = local(name)
        if name == "si":
            found.append(reader.text())
        else:
            reader.end(name)

    if part is not None:
        for _ in package.parse(part, start, end, lambda data: reader.characters(data)):
            pass
    rich = {number: text for number, text in enumerate(found) if text.runs}
    return Strings(arrow.texts([text.characters for text in found]), rich)


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
