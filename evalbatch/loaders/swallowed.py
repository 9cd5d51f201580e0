"""Quoted cells that have swallowed rows, because a quote is missing or out of place."""

import re
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch import arrow
from evalbatch.errors import EvalbatchError
from evalbatch.loaders.header import Header
from evalbatch.loaders.tokens import rows
from evalbatch.readings import Spellings, read
from evalbatch.records import Cell, Kind
from evalbatch.words import column_letters, shown


def swallowed(
    columns: Sequence[pa.StringArray], header: Header, spellings: Spellings
) -> dict[int, str]:
    """Find the rows with a cell one of whose lines itself reads as a row of this sheet.

    Only a quoted cell can hold a line break. JSON in a spans column is not looked at.
    """
    found: dict[int, str] = {}
    for place, column in enumerate(columns):
        data = arrow.raw(column)
        if place == header.match.roles.get("spans") or not (b"\n" in data or b"\r" in data):
            continue
        suspects = pc.and_(
            pc.match_substring_regex(column, "[\r\n]"),
            pc.match_substring(column, header.delimiter),
        )
        for index in np.flatnonzero(arrow.true(suspects)).tolist():
            for line in re.split("\r\n|\n|\r", column[index].as_py()):
                if _reads_as_row(line, header, spellings):
                    where = f"{column_letters(place)}{index + header.number + 1}"
                    found[index] = (
                        f"{where}: the quoted cell holds a line that itself reads as a row of this "
                        f"sheet, {shown(line)}; a quote is missing or out of place, and the cell "
                        "has swallowed rows"
                    )
                    break
    return found


def _reads_as_row(line: str, header: Header, spellings: Spellings) -> bool:
    try:
        cells = next(rows(line, header.delimiter)).cells
    except StopIteration:
        return False
    except EvalbatchError:
        cells = [cell or None for cell in line.split(header.delimiter)]
    roles = header.match.roles
    if not max(roles.values()) < len(cells) <= len(header.names):
        return False
    return any(
        not read(role, _word(cells[roles[role]]), spellings).reasons
        for role in ("state", "expected", "answer", "struck")
        if role in roles
    )


def _word(text: str | None) -> Cell:
    return Cell(text, Kind.EMPTY if text is None else Kind.WORD)
