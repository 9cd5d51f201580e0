"""The strict CSV tokenizer: every row with its cells, and every quote that is out of place.

It decides what a CSV file says. Arrow reads only files on which it cannot differ.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from evalbatch.errors import EvalbatchError


class Row(NamedTuple):
    """One record: its cells (None where bare and empty), and what is odd about them.

    `quoted` counts the cells in quotes, `overrun` holds the places of the cells that go on behind
    their closing quote, and `end` is where the next record starts in the text.
    """

    cells: list[str | None]
    quoted: int
    overrun: list[int]
    end: int


def rows(text: str, delimiter: str, start: int = 0, first: int = 1) -> Iterator[Row]:
    """Read records from `start` on; `first` is the number of the first of them.

    Lines end in LF, CRLF or a lone CR; inside quotes line breaks are kept. A quote inside a bare
    cell is a character like any other. Raises EvalbatchError for a quote that is never closed.
    """
    match = _cell(delimiter).match
    number = first
    position = start
    length = len(text)
    while position < length:
        cells: list[str | None] = []
        quoted = 0
        overrun: list[int] = []
        while True:
            found = match(text, position)
            if found is None:
                raise EvalbatchError(
                    f"a quote opens in row {number} and is never closed; "
                    "close it, or remove it if it is not meant."
                )
            inside, behind, bare, terminator = found.groups()
            position = found.end()
            if inside is None:
                cells.append(bare or None)
            else:
                quoted += 1
                if behind:
                    overrun.append(len(cells))
                cells.append(inside.replace('""', '"') + behind)
            if terminator != delimiter:
                break
        yield Row(cells, quoted, overrun, position)
        number += 1


@lru_cache
def _cell(delimiter: str) -> re.Pattern[str]:
    d = re.escape(delimiter)
    return re.compile(
        rf'(?:"([^"]*+(?:""[^"]*+)*+)"([^{d}\r\n]*+)|([^{d}\r\n"][^{d}\r\n]*+)?)({d}|\r\n|\n|\r|\Z)'
    )
