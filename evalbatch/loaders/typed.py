"""Records of typed values, from JSON or a pandas frame, to a sheet of cells."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evalbatch import arrow
from evalbatch.errors import EvalbatchError
from evalbatch.parts import recognise
from evalbatch.readings import json_cell
from evalbatch.records import Cell, Column, Kind, Note, Sheet, Source
from evalbatch.schema import Schema
from evalbatch.words import shown

_EMPTY = Cell(None, Kind.EMPTY)


def sheet_of(
    items: Sequence[Any], source: Source, schema: Schema, notes: Sequence[Note] = ()
) -> Sheet:
    """Make a sheet of items, which should be objects; their keys are its columns.

    An item that is no object is a malformed row. Raises EvalbatchError where no item is there, or
    where the keys fit no layout.
    """
    header = list(dict.fromkeys(key for item in items if isinstance(item, dict) for key in item))
    rows = [
        [json_cell(item.get(key)) for key in header] if isinstance(item, dict) else None
        for item in items
    ]
    malformed = {
        place: f"item {place + 1}: expected an object and found {shown(json.dumps(item), 200)}"
        for place, item in enumerate(items)
        if not isinstance(item, dict)
    }
    columns = [
        [_EMPTY if row is None else row[place] for row in rows] for place in range(len(header))
    ]
    return typed_sheet(header, columns, len(items), source, schema, malformed, notes)


def typed_sheet(
    header: Sequence[str],
    columns: Sequence[Sequence[Cell]],
    count: int,
    source: Source,
    schema: Schema,
    malformed: Mapping[int, str],
    notes: Sequence[Note] = (),
) -> Sheet:
    """Make a sheet of `count` rows from columns of cells; blank rows are left out and counted."""
    if not count:
        raise EvalbatchError("the sheet has no cases; it needs one record for each.")
    match = schema.match(header)
    if match is None:
        raise EvalbatchError(f"the sheet cannot be read. {schema.misfit(header)}")
    kept = [
        row
        for row in range(count)
        if row in malformed or any(column[row].text for column in columns)
    ]
    if not kept:
        raise EvalbatchError("the sheet has no cases: every item is empty.")
    sheet = Sheet(
        source=source,
        match=match,
        columns=tuple(
            Column(
                name,
                place,
                arrow.texts([column[row].text for row in kept]),
                np.array([column[row].kind for row in kept], dtype=np.uint8),
            )
            for place, (name, column) in enumerate(zip(header, columns, strict=True))
        ),
        source_rows=np.array(kept, dtype=np.int64) + 1,
        malformed={place: malformed[row] for place, row in enumerate(kept) if row in malformed},
        blank_rows=count - len(kept),
        notes=tuple(notes),
        addressed=False,
    )
    return recognise(sheet)
