"""The events of a worksheet's XML taken as rows of cells."""

import re
from typing import NamedTuple

from evalbatch.loaders.xlsx.book import Book, Format, Style
from evalbatch.loaders.xlsx.numbers import read_number
from evalbatch.loaders.xlsx.package import Attributes, damaged, local
from evalbatch.loaders.xlsx.plain import unescaped
from evalbatch.loaders.xlsx.strings import Text, TextReader
from evalbatch.records import Kind

_LAST_ROW, _LAST_COLUMN = 1 << 20, 1 << 14
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_RANGE = re.compile(rf"{_REFERENCE.pattern}(?::{_REFERENCE.pattern})?")
_DEFAULT = Style(Format.PLAIN, False)
_CONSTANTS = {"TRUE()": "true", "FALSE()": "false"}


class Found(NamedTuple):
    """A cell that is not empty: its column, from 0, its characters, its kind, if it is struck.

    `pieces` are those of a text that is struck in some places only.
    """

    column: int
    text: str
    kind: Kind
    is_struck: bool
    pieces: tuple[tuple[str, bool], ...] = ()


class Row(NamedTuple):
    """A row of the part: its number from 1, whether it is hidden, and its cells."""

    number: int
    is_hidden: bool
    cells: list[Found]


class Merge(NamedTuple):
    """A merged range: its first and last row, from 1, and its first and last column, from 0."""

    first_row: int
    first_column: int
    last_row: int
    last_column: int


def column_number(letters: str) -> int:
    """Give the column that letters name, from 0."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


class RowParser:
    """Takes the events of a sheet's XML, and gathers whole rows."""

    def __init__(self, book: Book, merges: list[Merge]) -> None:
        self.rows: list[Row] = []
        self.in_data = False
        self._book = book
        self._merges = merges
        self._columns: dict[str, int] = {}
        self.row = 0
        self._row_text = "0"
        self._is_hidden = False
        self._cells: list[Found] = []
        self._last_column = -1
        self._column = -1
        self._type = "n"
        self._style = _DEFAULT
        self._value: str | None = None
        self._formula: str | None = None
        self._shared_index = ""
        self._shared_formulas: dict[str, str] = {}
        self._gathered: list[str] | None = None
        self._inline: TextReader | None = None

    def taken_rows(self) -> list[Row]:
        """Take the whole rows that were found since."""
        taken, self.rows = self.rows, []
        return taken

    def start(self, name: str, attributes: Attributes) -> None:
        """Take the start of an element."""
        if ":" in name:
            name = local(name)
        if not self.in_data:
            # What else a sheet holds may have elements of the same names.
            if name == "sheetData":
                self.in_data = True
            elif name == "mergeCell":
                self._merges.append(_merge(attributes.get("ref", "")))
        elif name == "c":
            self._start_cell(attributes)
        elif name == "v":
            self._gathered = []
        elif name == "f":
            self._gathered = []
            self._shared_index = attributes.get("si", "")
        elif name == "row":
            self._start_row(attributes)
        elif name == "is":
            self._inline = TextReader()
        elif self._inline is not None:
            self._inline.start(name, attributes)

    def characters(self, data: str) -> None:
        """Take characters."""
        if self._gathered is not None:
            self._gathered.append(data)
        elif self._inline is not None:
            self._inline.characters(data)

    def end(self, name: str) -> None:
        """Take the end of an element."""
        if ":" in name:
            name = local(name)
        if not self.in_data:
            return
        if name == "sheetData":
            self.in_data = False
        elif name == "c":
            self._end_cell()
        elif name == "v":
            self._value = "".join(self._gathered or ())
            self._gathered = None
        elif name == "f":
            self._end_formula("".join(self._gathered or ()))
            self._gathered = None
        elif name == "row":
            self.rows.append(Row(self.row, self._is_hidden, self._cells))
        elif self._inline is not None and name != "is":
            self._inline.end(name)

    def _start_row(self, attributes: Attributes) -> None:
        text = attributes.get("r")
        if text is None:
            number = self.row + 1
        elif text.isascii() and text.isdigit() and len(text) < 8:
            number = int(text)
        else:
            raise damaged(f"a row has the number {text!r}")
        if not self.row < number <= _LAST_ROW:
            raise damaged(f"row {number} follows row {self.row}")
        self.row = number
        self._row_text = str(number)
        self._is_hidden = attributes.get("hidden") in ("1", "true")
        self._cells = []
        self._last_column = -1

    def _start_cell(self, attributes: Attributes) -> None:
        reference = attributes.get("r")
        if reference is None:
            self._column = self._last_column + 1
        else:
            letters = reference[: -len(self._row_text)]
            column = self._columns.get(letters)
            if column is None or reference != letters + self._row_text:
                column = self._known(reference)
            self._column = column
        if not self._last_column < self._column < _LAST_COLUMN:
            raise damaged(f"the cell {reference} in row {self.row} is out of order")
        self._last_column = self._column
        self._type = attributes.get("t", "n")
        style = attributes.get("s")
        self._style = _DEFAULT if style is None else self._styled(style)
        self._value = self._formula = self._inline = None

    def _known(self, reference: str) -> int:
        found = _REFERENCE.fullmatch(reference)
        if found is None or found[2] != self._row_text:
            raise damaged(f"row {self.row} has a cell {reference!r}")
        column = column_number(found[1])
        self._columns[found[1]] = column
        return column

    def _styled(self, text: str) -> Style:
        if text.isascii() and text.isdigit() and int(text[:9]) < len(self._book.styles):
            return self._book.styles[int(text)]
        if text == "0" or not self._book.styles:
            return _DEFAULT
        raise damaged(f"a cell in row {self.row} has the style {text!r}, which does not exist")

    def _end_formula(self, text: str) -> None:
        if self._shared_index:
            text = text or self._shared_formulas.get(self._shared_index, "")
            self._shared_formulas[self._shared_index] = text
            self._shared_index = ""
        self._formula = text

    def _end_cell(self) -> None:
        found = self._saved() if self._formula is None else self._constant() or self._saved()
        if found is not None:
            self._cells.append(found)

    def _constant(self) -> Found | None:
        # LibreOffice saves a Boolean as this formula, with a result that its format may spoil.
        constant = _CONSTANTS.get((self._formula or "").strip().removeprefix("=").upper())
        return None if constant is None else self._found(constant, Kind.BOOLEAN)

    def _saved(self) -> Found | None:
        value, kind = self._value, self._type
        if kind == "s" and value:
            return self._shared(value)
        if kind == "inlineStr" and self._inline is not None:
            return self._text(self._inline.text())
        if kind == "str" and value is not None:
            return self._found(unescaped(value), Kind.TEXT)
        if not value:
            formula = self._formula
            return None if formula is None else self._found(f"={formula}", Kind.UNCALCULATED)
        if kind == "b":
            return self._boolean(value.strip())
        if kind == "e":
            return self._found(value, Kind.ERROR)
        if kind == "d":
            return self._found(value, Kind.DATE)
        if kind == "n":
            return self._number(value)
        if kind == "inlineStr":
            return None
        raise damaged(f"a cell in row {self.row} has the type {kind!r}")

    def _found(self, text: str, kind: Kind) -> Found:
        return Found(self._column, text, kind, self._style.is_struck)

    def _text(self, text: Text) -> Found:
        if not text.runs:
            return self._found(text.characters, Kind.TEXT)
        pieces = text.pieces(self._style.is_struck)
        is_struck = any(struck for _, struck in pieces)
        some = pieces if len(pieces) > 1 else ()
        return Found(self._column, text.characters, Kind.TEXT, is_struck, some)

    def _shared(self, value: str) -> Found:
        index = value.strip()
        if not (index.isascii() and index.isdigit() and int(index[:10]) < len(self._book.strings)):
            raise damaged(f"a cell in row {self.row} has the shared string {value!r}: none such")
        return self._text(self._book.strings[int(index)])

    def _boolean(self, value: str) -> Found:
        if value.lower() not in ("0", "1", "true", "false"):
            raise damaged(f"a cell in row {self.row} has the Boolean {value!r}")
        return self._found("true" if value.lower() in ("1", "true") else "false", Kind.BOOLEAN)

    def _number(self, value: str) -> Found:
        found = read_number(value, self._style.number, self._book.is_1904)
        if found is None:
            raise damaged(f"a cell in row {self.row} has the number {value!r}")
        return self._found(*found)


def _merge(text: str) -> Merge:
    found = _RANGE.fullmatch(text)
    if found is None:
        raise damaged(f"it merges the cells {text!r}")
    first, last = found[1], found[3] or found[1]
    rows = int(found[2]), int(found[4] or found[2])
    columns = column_number(first), column_number(last)
    return Merge(min(rows), min(columns), max(rows), max(columns))
