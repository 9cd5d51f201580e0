"""The cells of one sheet of a workbook, row by row as they stand in its part."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from evalbatch.loaders.xlsx import block
from evalbatch.loaders.xlsx.block import Block
from evalbatch.loaders.xlsx.book import Book, SheetEntry
from evalbatch.loaders.xlsx.package import Feed
from evalbatch.loaders.xlsx.parser import Merge, Row, RowParser
from evalbatch.loaders.xlsx.plain import behind_declaration, may_hide_tags
from evalbatch.threads import CORES, Ahead

_ROW_END = b"</row>"
# Numpy works on whole blocks, between which threads take turns.
_BLOCK = 1 << 22


@dataclass(slots=True)
class Worksheet:
    """A sheet's rows, as a stream; its merged ranges are known once the stream has ended."""

    book: Book
    entry: SheetEntry
    merges: list[Merge] = field(default_factory=list)
    takes_blocks: bool = False

    def rows(self) -> Iterator[Row]:
        """Read the rows. Raises EvalbatchError where they are out of order or refer to nothing."""
        return (row for row in self.rows_and_blocks() if isinstance(row, Row))

    def rows_and_blocks(self) -> Iterator[Row | Block]:
        """Read the rows; once `takes_blocks` is set, many at once where their form is plain.

        The XML parser decides of all else. It is not shown plain rows, without which the part is
        well formed if the whole is.
        """
        parser = RowParser(self.book, self.merges)
        part = self.entry.part
        feed = self.book.package.parser(part, parser.start, parser.end, parser.characters)
        is_plain, is_between_rows = True, False
        waiting, last = bytearray(), b""
        with _Blocks(self.book, parser, feed) as blocks:
            for place, chunk in enumerate(self.book.package.chunks(part)):
                # Comments and the like could hold what looks like a row.
                begin = behind_declaration(chunk) if not place else 0
                is_plain = is_plain and begin is not None and not may_hide_tags(chunk[begin:], last)
                last = chunk[-1:]
                waiting += chunk
                if self.takes_blocks and is_plain and parser.in_data and not is_between_rows:
                    begin = waiting.find(b"<row ")
                    is_between_rows = begin >= 0
                    feed(_taken(waiting, begin if is_between_rows else len(waiting)))
                elif not (is_plain and is_between_rows):
                    yield from blocks.read(most_left=0)
                    feed(_taken(waiting, len(waiting)))
                yield from parser.taken_rows()
                if len(waiting) >= _BLOCK:
                    blocks.add(_taken(waiting, _end_of_rows(waiting)), is_long=True)
                    yield from blocks.read(most_left=CORES)
                    # A row without end is not gathered without end.
                    is_plain = len(waiting) < _BLOCK
            if is_plain and is_between_rows:
                blocks.add(_taken(waiting, _end_of_rows(waiting)), is_long=False)
            yield from blocks.read(most_left=0)
        feed(bytes(waiting))
        feed(b"", is_last=True)
        yield from parser.taken_rows()


class _Blocks:
    """Blocks of rows that are read ahead; those that are not plain are for the parser."""

    def __init__(self, book: Book, parser: RowParser, feed: Feed) -> None:
        self._book = book
        self._parser = parser
        self._feed = feed
        self._ahead = Ahead[Block | None]()
        self._parts: deque[bytes] = deque()

    def __enter__(self) -> "_Blocks":
        return self

    def __exit__(self, *raised: object) -> None:
        self._ahead.__exit__(*raised)

    def add(self, part: bytes, *, is_long: bool) -> None:
        """Begin to read whole rows."""
        if part:
            self._parts.append(part)
            self._ahead.put(partial(block.read, part, self._book), is_long=is_long)

    def read(self, *, most_left: int) -> Iterator[Row | Block]:
        """Give what was read, in order, until no more than so many parts are left."""
        parser = self._parser
        while len(self._parts) > most_left:
            part, found = self._parts.popleft(), self._ahead.take()
            if found is None or not parser.in_data or found.numbers[0] <= parser.row:
                self._feed(part)
                yield from parser.taken_rows()
            else:
                parser.row = int(found.numbers[-1])
                yield found


def _taken(waiting: bytearray, size: int) -> bytes:
    """Take bytes off the front."""
    taken = bytes(waiting[:size])
    del waiting[:size]
    return taken


def _end_of_rows(waiting: bytearray) -> int:
    place = waiting.rfind(_ROW_END)
    return 0 if place < 0 else place + len(_ROW_END)
