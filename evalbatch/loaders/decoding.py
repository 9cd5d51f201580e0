"""Bytes to text, never by guessing: a byte order mark, else UTF-8, else the encoding named."""

import re
from functools import cached_property

from evalbatch.errors import EvalbatchError

_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_HEAD = 1 << 16


class Text:
    """A file's text as UTF-8 bytes, and as str only where somebody asks for it.

    Raises EvalbatchError for bytes that are not of the encoding, and for NUL bytes.
    """

    def __init__(self, data: bytes, encoding: str | None) -> None:
        bom = next((mark for mark in _BOMS if data.startswith(mark)), b"")
        encoding = encoding or _BOMS.get(bom, "utf-8")
        if encoding == "utf-8-sig":
            data, encoding = data[len(bom) :], "utf-8"
        if not (encoding == "utf-8" and data.isascii()):
            text = _decoded(data, encoding).removeprefix("\ufeff")
            data = text.encode()
        if b"\0" in data:
            raise EvalbatchError(
                f"a NUL byte stands in row {_row_of(data, data.index(0))}; a text sheet has none. "
                "The file is damaged, or in UTF-16 without a byte order mark (try --encoding "
                "utf-16-le)."
            )
        self.data = data

    @cached_property
    def head(self) -> str:
        """The text's beginning, which nearly always holds the header."""
        return self.data[:_HEAD].decode(errors="ignore")

    @property
    def is_all_head(self) -> bool:
        """Whether the head is all there is."""
        return len(self.data) <= _HEAD

    @cached_property
    def whole(self) -> str:
        """The whole text."""
        return self.data.decode()


def _decoded(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise EvalbatchError(
            f"the bytes are not {encoding.upper()}: byte {data[error.start]:#04x} at offset "
            f"{error.start}, in row {_row_of(data, error.start)}. Save the sheet as CSV UTF-8, or "
            "name its encoding, such as --encoding cp1252 (Western European Excel)."
        ) from None


def _row_of(data: bytes, offset: int) -> int:
    """Give the line of a place, which is its row unless a cell above it holds line breaks."""
    return len(re.findall(rb"\r\n|\n|\r", data[:offset])) + 1
