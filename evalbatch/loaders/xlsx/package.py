"""The zip container of a workbook: parts read as a stream, hostile and damaged ones refused."""

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any, Protocol
from xml.parsers import expat

from evalbatch.errors import EvalbatchError

_CHUNK = 1 << 16
_MOST_UNPACKED = 2 << 30
_SUSPECT_SIZE = 10 << 20
_MOST_RATIO = 200
_ZIP_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OSError,
    ValueError,
    OverflowError,
)

Attributes = dict[str, str]


def damaged(what: str) -> EvalbatchError:
    """Make the error of a workbook that breaks its own format."""
    return EvalbatchError(
        f"the workbook is damaged: {what}. Open it in a spreadsheet, save it again as XLSX, and "
        "compare."
    )


class Package:
    """The parts of a workbook, by name.

    Raises EvalbatchError for what is no zip file, is encrypted, or unpacks to too much: over 2 GiB
    in all, or a part over 10 MB to over 200 times its size.
    """

    def __init__(self, data: bytes) -> None:
        with _zip_faults("it is no complete zip file"):
            self._zip = zipfile.ZipFile(BytesIO(data))
            self._parts = {_key(info.filename): info for info in self._zip.infolist()}
        if any(info.flag_bits & 1 for info in self._parts.values()):
            raise EvalbatchError("the workbook is encrypted; save it without a password.")
        total = sum(info.file_size for info in self._parts.values())
        if total > _MOST_UNPACKED or any(map(is_bomb, self._parts.values())):
            raise EvalbatchError(
                f"the workbook unpacks to too much, {total >> 20:,} MB in all; it is refused, for "
                "no honest sheet does."
            )

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._parts

    def chunks(self, name: str) -> Iterator[bytes]:
        """Read a part piece by piece. Raises EvalbatchError if it is missing or damaged."""
        if name not in self:
            raise damaged(f"its part {name} is missing")
        with _zip_faults(f"its part {name} cannot be unpacked"):
            stream = self._zip.open(self._parts[_key(name)])
        with stream:
            while True:
                with _zip_faults(f"its part {name} cannot be unpacked"):
                    chunk = stream.read(_CHUNK)
                if not chunk:
                    return
                yield chunk

    def parse(
        self,
        name: str,
        start: Callable[[str, Attributes], Any],
        end: Callable[[str], Any] | None = None,
        characters: Callable[[str], Any] | None = None,
    ) -> Iterator[None]:
        """Parse an XML part, and stop after each piece, so that the caller may take what is read.

        Names come without their prefixes. Raises EvalbatchError for XML that is not well formed,
        and for a DTD: it could define entities without end, or read other files.
        """
        feed = self.parser(name, start, end, characters)
        for chunk in self.chunks(name):
            feed(chunk)
            yield
        feed(b"", is_last=True)
        yield

    def parser(
        self,
        name: str,
        start: Callable[[str, Attributes], Any],
        end: Callable[[str], Any] | None = None,
        characters: Callable[[str], Any] | None = None,
    ) -> "Feed":
        """Give a parser of an XML part that is fed piece by piece."""
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = _refuse_dtd
        parser.StartElementHandler = start
        if end is not None:
            parser.EndElementHandler = end
        if characters is not None:
            parser.CharacterDataHandler = characters

        def feed(chunk: bytes, *, is_last: bool = False) -> None:
            with _xml_faults(name):
                parser.Parse(chunk, is_last)

        return feed


class Feed(Protocol):
    """Takes a piece of an XML part; with the last one the part must be whole."""

    def __call__(self, chunk: bytes, *, is_last: bool = False) -> None:
        """Parse a piece. Raises EvalbatchError as `parse` does."""


def local(name: str) -> str:
    """Take the prefix off an XML name."""
    return name.rpartition(":")[2]


def _key(name: str) -> str:
    # Part names match in any letter case.
    return name.lstrip("/").lower()


def is_bomb(info: zipfile.ZipInfo) -> bool:
    """Tell whether a part unpacks to more than an honest one does."""
    return info.file_size > _SUSPECT_SIZE and info.file_size > _MOST_RATIO * info.compress_size


def _refuse_dtd(*_: object) -> None:
    raise EvalbatchError("there is a DTD in a workbook part; no spreadsheet writes one.")


@contextmanager
def _zip_faults(what: str) -> Iterator[None]:
    try:
        yield
    except _ZIP_FAULTS as error:
        raise damaged(f"{what} ({error})") from None


@contextmanager
def _xml_faults(name: str) -> Iterator[None]:
    try:
        yield
    except (expat.ExpatError, LookupError, UnicodeError) as error:
        raise damaged(f"its part {name} is no XML ({error})") from None
