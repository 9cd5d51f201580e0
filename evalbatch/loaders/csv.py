"""CSV and TSV: bytes to a sheet of words, row by row as the spreadsheet shows them."""

import numpy as np

from evalbatch import arrow
from evalbatch.arrow import Mask
from evalbatch.errors import EvalbatchError
from evalbatch.loaders import csv_body
from evalbatch.loaders import header as headers
from evalbatch.loaders.arrow_csv import Columns
from evalbatch.loaders.decoding import ENCODING_HINT, SIDE_HINT, Text
from evalbatch.loaders.nameless import without_nameless
from evalbatch.loaders.options import ReadOptions
from evalbatch.loaders.swallowed import quarantine
from evalbatch.parts import recognise
from evalbatch.records import Column, Sheet, Source
from evalbatch.schema import Schema


def load(data: bytes, source: Source, schema: Schema, options: ReadOptions) -> Sheet:
    """Read a CSV sheet. Raises EvalbatchError where it cannot be read without guessing."""
    text = Text(data, options.encoding, options.hint(ENCODING_HINT) or SIDE_HINT)
    if not text.data:
        raise EvalbatchError("the file is empty; it needs a header row and a row for each case.")
    header = headers.find(text, schema, options)
    body = csv_body.read(text.data, header)
    columns, malformed = body.columns(), body.malformed
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
        notes=tuple(body.notes(is_ended=text.data[-1:] in (b"\r", b"\n"))),
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
