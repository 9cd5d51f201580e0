"""A reader of pages: their elements, attributes and texts, as they stand in the file."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

_VOID = ("meta", "input")


@dataclass
class Element:
    """An element: its name, its attributes, and in `inside` its texts and elements in order."""

    name: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    inside: list["Element | str"] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text inside, as it stands in the file."""
        return "".join(one if isinstance(one, str) else one.text for one in self.inside)

    @property
    def words(self) -> str:
        """All text inside, with one space for any white space."""
        return " ".join(self.text.split())

    def all(self, name: str = "", **wanted: str) -> list["Element"]:
        """Find the elements inside by name and attributes; `class_` stands for class."""
        wanted = {key.rstrip("_"): value for key, value in wanted.items()}
        return [
            one
            for one in self.elements()
            if name in ("", one.name) and wanted.items() <= one.attributes.items()
        ]

    def one(self, name: str = "", **wanted: str) -> "Element":
        """Find the only such element."""
        [found] = self.all(name, **wanted)
        return found

    def elements(self) -> Iterator["Element"]:
        """Give all elements inside, in the order of the page."""
        for one in self.inside:
            if isinstance(one, Element):
                yield one
                yield from one.elements()


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("page")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = Element(tag, dict(attrs))
        self.open[-1].inside.append(found)
        if tag not in _VOID:
            self.open.append(found)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].inside.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)


def parsed(markup: str) -> Element:
    """Take markup apart; every element that is opened must be closed."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    [page] = reader.open
    return page


def read(folder: Path) -> Element:
    """Read the report of a results folder."""
    return parsed((folder / "report.html").read_text(encoding="utf-8"))
