"""Bytes to text, never by guessing: a byte order mark, else UTF-8, else the encoding named."""

import re
from functools import cached_property

from evalbatch import characters
from evalbatch.errors import EvalbatchError

_UTF8_BOM = b"\xef\xbb\xbf"
_BOMS = {_UTF8_BOM: "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_HEAD = 1 << 16
SIDE_HINT = " (--encoding is for the sheet that is evaluated)"
ENCODING_HINT = ", or name its encoding, such as --encoding cp1252 (Western European Excel)"
_QUOTED = re.compile(r'(?:^|(?<=[,;\t|\r\n]))"(?:[^"]|"")*(?:"|\Z)')


class Text:
    """A file's text as UTF-8 bytes, and as str only where somebody asks for it.

    Raises EvalbatchError for bytes that are not of the encoding, and for NUL bytes.
    """

    def __init__(self, data: bytes, encoding: str | None, hint: str = ENCODING_HINT) -> None:
        bom = next((mark for mark in _BOMS if data.startswith(mark)), b"")
        encoding = encoding or _BOMS.get(bom, "utf-8")
        if encoding in ("utf-8", "utf-8-sig") and characters.is_utf8(data):
            utf8 = data.removeprefix(_UTF8_BOM)
        else:
            utf8 = decoded(data, encoding, hint).removeprefix("\ufeff").encode()
        if b"\0" in utf8:
            raise EvalbatchError(
                f"a NUL byte stands in row {row_at(utf8[: utf8.index(0)].decode())}; a text sheet "
                "has none. The file is damaged, or in UTF-16 without a byte order mark"
                f"{' (try --encoding utf-16-le)' if hint == ENCODING_HINT else ''}."
            )
        self.data = utf8

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


def decoded(data: bytes, encoding: str, hint: str = ENCODING_HINT) -> str:
    """Decode bytes strictly. Raises EvalbatchError with the offset in the file and the row.

    `hint` says what to do besides saving the sheet as UTF-8.
    """
    shown = encoding.removesuffix("-sig").upper()
    try:
        text = data.decode(encoding)
        text.encode()
    except UnicodeDecodeError as error:
        # Codecs that take a byte order mark off count from behind it.
        offset = error.start + len(data) - len(error.object)
        before = data[:offset].decode(encoding, errors="ignore")
        raise EvalbatchError(
            f"the bytes are not {shown}: byte {data[offset]:#04x} at offset {offset}, in row "
            f"{row_at(before)}. Save the sheet as CSV UTF-8{hint}."
        ) from None
    except UnicodeError as error:
        raise EvalbatchError(f"the bytes cannot be read as {shown}: {error}.") from None
    return text


def row_at(before: str) -> int:
    """Give the row in which a text ends; line breaks in quotes do not count."""
    return len(re.findall(r"\r\n|\n|\r", _QUOTED.sub("", before))) + 1
