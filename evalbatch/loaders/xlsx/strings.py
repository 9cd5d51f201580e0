"""The texts of a workbook: those that its sheets share, and how their characters are written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from evalbatch import arrow
from evalbatch.loaders.xlsx import plain
from evalbatch.loaders.xlsx.package import Attributes, Package, local
from evalbatch.loaders.xlsx.plain import unescaped

_ITEM = re.compile(rb'<si><t(?:/>|(?: xml:space="preserve")?>([^<>]*+)</t>)</si>')
_TABLE = re.compile(
    rb'\s*<sst((?: [A-Za-z][A-Za-z0-9:]*="[^"&<>]*")*)>'
    rb'((?:<si><t(?:/>|(?: xml:space="preserve")?>[^<>]*+</t>)</si>)*+)</sst>\s*'
)
_NAME = re.compile(rb' ([A-Za-z0-9:]+)="[^"]*"')


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

    texts: pa.StringArray = field(default_factory=lambda: arrow.texts([]))
    rich: Mapping[int, Text] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, number: int) -> Text:
        found = self.rich.get(number)
        return Text(self.texts[number].as_py()) if found is None else found


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


def read_strings(package: Package, part: str) -> Strings:
    """Read the shared strings, many at once where they are of the form in which programs write."""
    texts = _plain_texts(b"".join(package.chunks(part)))
    return _parsed(package, part) if texts is None else Strings(texts)


def _plain_texts(data: bytes) -> pa.StringArray | None:
    begin = plain.behind_declaration(data)
    if begin is None or plain.may_hide_tags(data[begin:]) or not plain.holds_plain_characters(data):
        return None
    table = _TABLE.fullmatch(data, begin)
    names = [] if table is None else _NAME.findall(table[1])
    if table is None or len(set(names)) < len(names):
        return None
    found = _ITEM.findall(table[2])
    ends = np.cumsum([0, *map(len, found)])
    texts = arrow.binaries(ends, np.frombuffer(b"".join(found), np.uint8)).view(pa.string())
    return plain.decoded(texts, data)


def _parsed(package: Package, part: str) -> Strings:
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

    for _ in package.parse(part, start, end, lambda data: reader.characters(data)):
        pass
    rich = {number: text for number, text in enumerate(found) if text.runs}
    return Strings(arrow.texts([text.characters for text in found]), rich)
