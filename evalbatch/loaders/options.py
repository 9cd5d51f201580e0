"""The options that say how a file is to be read."""

import codecs
from dataclasses import dataclass, field

from evalbatch.errors import EvalbatchError
from evalbatch.spellings import Spellings
from evalbatch.words import shown

_DELIMITERS = {"tab": "\t", "\\t": "\t"}


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How a sheet is read where its own bytes do not say.

    `sheet` names the sheet of a workbook, `delimiter` is one character or `tab`, `header_row` a row
    number as the spreadsheet shows it, from 1; None leaves each to the file. Of several sheets that
    fit, the one named `preferred` is taken. A sheet beside the one to evaluate (`is_side`) has no
    options of its own. Raises EvalbatchError for values that mean nothing.
    """

    delimiter: str | None = None
    encoding: str | None = None
    header_row: int | None = None
    sheet: str | None = None
    spellings: Spellings = field(default_factory=Spellings)
    marks: str = "column"
    preferred: str | None = None
    is_side: bool = False

    def __post_init__(self) -> None:
        if self.delimiter is not None:
            object.__setattr__(self, "delimiter", delimiter(self.delimiter, "--delimiter"))
        if self.encoding is not None:
            try:
                text_codec = codecs.lookup(self.encoding)._is_text_encoding
            except LookupError:
                text_codec = False
            if not text_codec:
                raise EvalbatchError(
                    f"--encoding is {shown(self.encoding)}, which names no text encoding; "
                    "try cp1252, or utf-16-le."
                )
        if self.header_row is not None and self.header_row < 1:
            raise EvalbatchError(f"--header-row is {self.header_row}; rows count from 1.")

    def hint(self, text: str) -> str:
        """Give the part of a message that names options, unless this sheet has none."""
        return "" if self.is_side else text

    def refuse(self, kind: str, *flags: str) -> None:
        """Refuse options that have no meaning for a kind of file, rather than pass them over."""
        given = {
            "--delimiter": self.delimiter is not None,
            "--encoding": self.encoding is not None,
            "--header-row": self.header_row is not None,
            "--sheet": self.sheet is not None,
            "--numbers-as-text": self.spellings.numbers_as_text,
            "--marks formatting": self.marks == "formatting",
            "--true, --false and --blank": self.spellings
            != Spellings(numbers_as_text=self.spellings.numbers_as_text),
        }
        for flag in flags or given:
            if given[flag] and not self.is_side:
                raise EvalbatchError(f"{flag} cannot apply to {kind}; leave it out.")


def delimiter(text: str, where: str) -> str:
    """Check a delimiter: one ASCII character, or the word tab."""
    found = _DELIMITERS.get(text, text)
    if len(found) != 1 or not found.isascii() or found in '\r\n"\0':
        raise EvalbatchError(
            f"{where} is {shown(text)}; it must be one ASCII character such as ; or the word tab."
        )
    return found
