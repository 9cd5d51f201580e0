"""CSV and TSV: bytes to a sheet of words, row by row as the spreadsheet shows them."""

from collections.abc import Sequence

import numpy as np

from evalbatch import arrow
from evalbatch.arrow import Mask
from evalbatch.errors import EvalbatchError
from evalbatch.loaders import header as headers
from evalbatch.loaders.arrow_csv import Columns, read_sound
from evalbatch.loaders.decoding import ENCODING_HINT, SIDE_HINT, Text
from evalbatch.loaders.header import Header
from evalbatch.loaders.nameless import without_nameless
from evalbatch.loaders.options import ReadOptions
from evalbatch.loaders.swallowed import quarantine
from evalbatch.loaders.tokens import rows
from evalbatch.parts import recognise
from evalbatch.records import Column, Note, Sheet, Source
from evalbatch.schema import Schema
from evalbatch.words import column_letters, counted, shown

_CELLS_IN_A_NOTE = 100
# What stands nowhere else is shown in full.
_WHOLE = 1 << 31


def load(data: bytes, source: Source, schema: Schema, options: ReadOptions) -> Sheet:
    """Read a CSV sheet. Raises EvalbatchError where it cannot be read without guessing."""
    text = Text(data, options.encoding, options.hint(ENCODING_HINT) or SIDE_HINT)
    if not text.data:
        raise EvalbatchError("the file is empty; it needs a header row and a row for each case.")
    header = headers.find(text, schema, options)
    width = len(header.names)
    columns = read_sound(text.data, header.end, width, header.delimiter, header.all_quoted)
    malformed: dict[int, str] = {}
    notes: list[Note] = []
    if columns is None:
        columns, malformed, notes = _tokenised(text, header)
    blank = _blank_rows(columns)
    blank[list(malformed)] = False
    filled = np.flatnonzero(~blank)
    if not len(filled):
        raise EvalbatchError("the sheet has a header and no cases; add a row for each case.")
    if len(filled) < len(blank):
        columns = [arrow.taken(column, filled) for column in columns]
        index_of = {row: index for index, row in enumerate(filled.tolist())}
        malformed = {index_of[row]: problem for row, problem in malformed.items()}
    sheet = Sheet(
        source=source,
        match=header.match,
        columns=tuple(
            Column(name or "", place, column)
            for place, (name, column) in enumerate(zip(header.names, columns, strict=True))
        ),
        source_rows=filled + header.number + 1,
        malformed=malformed,
        blank_rows=len(blank) - len(filled),
        notes=tuple(notes),
        delimiter=header.delimiter,
    )
    return without_nameless(quarantine(recognise(sheet), options.spellings))


def _blank_rows(columns: Columns) -> Mask:
    blank: Mask = np.ones(len(columns[0]), dtype=bool)
    for column in columns:
        # One column that is filled throughout settles it for all others.
        if not blank.any():
            break
        blank &= arrow.empty(column)
    return blank


def _tokenised(text: Text, header: Header) -> tuple[Columns, dict[int, str], list[Note]]:
    """Read the rows that Arrow cannot be trusted with, and say which are malformed."""
    width = len(header.names)
    needed = max(header.match.roles.values()) + 1
    columns: list[list[str | None]] = [[] for _ in range(width)]
    malformed: dict[int, str] = {}
    short: list[str] = []
    number = header.number
    body = text.data[header.end :].decode()
    for row in rows(body, header.delimiter, first=header.number + 1):
        number += 1
        cells = [cell or None for cell in row.cells] if header.all_quoted else row.cells
        faults = [
            f"{column_letters(place)}{number}: text follows the closing quote of the cell, which "
            f"reads {shown(cells[place] or '')}; double the quotes inside it, as in "
            '"say ""so"""'
            for place in row.overrun
        ]
        if len(cells) > width and any(cells[width:]):
            surplus = ", ".join(shown(cell or "", _WHOLE) for cell in cells[width:])
            faults.append(
                f"row {number}: expected {counted(width, 'cell')} and found {len(cells)}; "
                f"surplus: {surplus}; delete it, or quote the cell that holds the delimiter"
            )
        elif len(cells) < needed and any(cells):
            faults.append(
                f"row {number}: expected {counted(width, 'cell')} and found {len(cells)}; "
                "fill in the missing cells"
            )
        elif len(cells) < width and any(cells):
            short.append(f"row {number}")
        if faults:
            malformed[number - header.number - 1] = "; ".join(faults)
        padded = cells[:width] + [None] * (width - len(cells))
        for column, cell in zip(columns, padded, strict=True):
            column.append(cell)
    notes = [_short_rows(short)] if short else []
    if number - header.number - 1 in malformed and body[-1] not in "\r\n":
        notes.append(_cut_off(f"row {number}"))
    return [arrow.texts(column) for column in columns], malformed, notes


def _short_rows(where: Sequence[str]) -> Note:
    text = (
        f"{counted(len(where), 'row')} without the last cells, in columns without a role (some "
        "spreadsheets leave them out); they are taken as empty"
    )
    return Note("short-rows", text, tuple(where[:_CELLS_IN_A_NOTE]))


def _cut_off(where: str) -> Note:
    text = f"{where}, the last, is cut off: the file ends within it, so that more may be missing"
    return Note("last-row-cut-off", text, (where,))
