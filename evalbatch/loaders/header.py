"""The header row of a CSV sheet: where it is, under which delimiter, and what it fits."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from evalbatch.errors import EvalbatchError
from evalbatch.loaders.decoding import Text
from evalbatch.loaders.options import ReadOptions
from evalbatch.loaders.options import delimiter as checked_delimiter
from evalbatch.loaders.tokens import Row, rows
from evalbatch.records import Match
from evalbatch.schema import Schema
from evalbatch.words import listed, shown

DELIMITERS = (",", ";", "\t", "|")
_SEARCHED = 200


@dataclass(frozen=True, slots=True)
class Header:
    """A header row: its names, its row number, and where the rows behind it start (in bytes).

    `all_quoted` tells a writer that quotes everything, and so says nothing by quoting an empty
    cell.
    """

    names: Sequence[str | None]
    number: int
    end: int
    delimiter: str
    match: Match
    all_quoted: bool


def find(text: Text, schema: Schema, options: ReadOptions) -> Header:
    """Find the header: the first row that is not empty, or the one that the options name.

    A leading `sep=` line names the delimiter and is no row, as in Excel. Raises EvalbatchError for
    a header that fits no layout or several, or fits under several delimiters.
    """
    declared = re.match(r'"?sep=([^\r\n"])"?(\r\n|\n|\r)', text.head, re.IGNORECASE)
    start = declared.end() if declared else 0
    delimiter = options.delimiter
    if delimiter is None and declared:
        delimiter = checked_delimiter(declared[1], "the sep= line")
    delimiters = [delimiter] if delimiter else DELIMITERS
    wanted = options.header_row
    candidates = _candidates(text, start, delimiters, wanted)
    found = [
        Header(row.cells, number, end, delimiter, match, row.quoted == len(row.cells))
        for delimiter, number, row, end in candidates
        if (match := schema.match(row.cells)) is not None
    ]
    # A header of one name has no delimiter to tell by.
    if len(found) == 1 or (found and all(len(one.names) == 1 for one in found)):
        _refuse_overrun(found[0], candidates)
        return found[0]
    if found:
        raise EvalbatchError(
            "the header can be read with more than one delimiter: "
            f"{listed([shown(one.delimiter) for one in found])}; "
            f"{options.hint('name the one with --delimiter, or ')}save it with another one."
        )
    _, number, row, _ = max(candidates, key=lambda candidate: len(candidate[2].cells))
    lower = None if wanted is not None else _lower_row(text, start, delimiters, schema)
    if lower is not None:
        raise EvalbatchError(
            f"row {number}, the first that is not empty, is no header; row {lower} is. Delete the "
            f"rows above it{options.hint(f', or run with --header-row {lower}')}."
        )
    raise EvalbatchError(
        f"row {number} is no header that evalbatch knows. {schema.misfit(row.cells)} If the sheet "
        "has no header row, add one"
        + options.hint("; if its delimiter is another one, name it with --delimiter")
        + "."
    )


def _candidates(
    text: Text, start: int, delimiters: Sequence[str], wanted: int | None
) -> list[tuple[str, int, Row, int]]:
    """Read the header row under each delimiter under which it can be read at all."""
    found, errors = [], []
    for delimiter in delimiters:
        try:
            found.append((delimiter, *_first_row(text, start, delimiter, wanted)))
        except EvalbatchError as error:
            errors.append(error)
    if not found:
        raise errors[0]
    return found


def _refuse_overrun(header: Header, candidates: Sequence[tuple[str, int, Row, int]]) -> None:
    for delimiter, number, row, _ in candidates:
        if delimiter == header.delimiter and row.overrun:
            name = shown(row.cells[row.overrun[0]] or "")
            raise EvalbatchError(
                f"row {number}, the header: text follows the closing quote of the name {name}; "
                "double the quotes inside it."
            )


def _first_row(text: Text, start: int, delimiter: str, wanted: int | None) -> tuple[int, Row, int]:
    """Give the header row's number, the row, and the byte at which the next row starts."""
    for is_whole in (text.is_all_head, True):
        part = text.whole if is_whole else text.head
        try:
            for number, row in enumerate(rows(part, delimiter, start), 1):
                # A row that ends with the head may go on behind it.
                if _is_header(number, row, wanted) and (is_whole or row.end < len(part)):
                    return number, row, len(part[: row.end].encode())
        except EvalbatchError:
            if is_whole:
                raise
    if wanted is not None:
        raise EvalbatchError(f"--header-row is {wanted}, but the sheet ends before that row.")
    raise EvalbatchError("every cell is empty; the sheet needs a header row.")


def _is_header(number: int, row: Row, wanted: int | None) -> bool:
    return any(row.cells) if wanted is None else number == wanted


def _lower_row(text: Text, start: int, delimiters: Sequence[str], schema: Schema) -> int | None:
    for delimiter in delimiters:
        records = enumerate(rows(text.whole, delimiter, start), 1)
        try:
            for number, row in islice(records, _SEARCHED):
                if schema.match(row.cells) is not None:
                    return number
        except EvalbatchError:
            # Whatever else is wrong below, the first row is the one to speak of.
            continue
    return None
