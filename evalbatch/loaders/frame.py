"""A pandas frame to a sheet of typed cells, for use as a library."""

from typing import TYPE_CHECKING, Any

import numpy as np

from evalbatch.errors import EvalbatchError
from evalbatch.loaders.typed import typed_sheet
from evalbatch.readings import json_cell
from evalbatch.records import Cell, Kind, Sheet, Source
from evalbatch.schema import Schema
from evalbatch.strict_json import SURROGATE

if TYPE_CHECKING:
    import pandas as pd


def load(frame: "pd.DataFrame", source: Source, schema: Schema) -> Sheet:
    """Read a frame of n rows, one cell for each value; row i is item i + 1, whatever its index.

    None, NaN, NaT and pd.NA are empty cells; Booleans of Python, numpy and pandas are Booleans.
    """
    header = [str(name) for name in frame.columns]
    columns = []
    for place, name in enumerate(header):
        cells = [_cell(value) for value in frame.iloc[:, place].array]
        for number, cell in enumerate(cells, 1):
            if cell.text is not None and SURROGATE.search(cell.text):
                raise EvalbatchError(
                    f"item {number}: {name} holds a lone surrogate, which is no character; "
                    "correct the text."
                )
        columns.append(cells)
    return typed_sheet(header, columns, len(frame), source, schema, {})


def _cell(value: Any) -> Cell:
    import pandas as pd

    if isinstance(value, list | dict | tuple | np.ndarray):
        return json_cell(_plain(value))
    if not pd.api.types.is_scalar(value):
        return Cell(str(value), Kind.OBJECT)
    if pd.isna(value):
        return Cell(None, Kind.EMPTY)
    if isinstance(value, np.generic) and not isinstance(value, np.datetime64 | np.timedelta64):
        value = value.item()
    if isinstance(value, bool | str | int | float):
        return json_cell(value)
    if hasattr(value, "isoformat"):
        return Cell(value.isoformat(), Kind.DATE)
    return Cell(str(value), Kind.OBJECT)


def _plain(value: Any) -> Any:
    """Bring what a cell contains into the form that JSON has; a text only where it is one."""
    import pandas as pd

    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(one) for one in value]
    if not pd.api.types.is_scalar(value):
        return {type(value).__name__: str(value)}
    if pd.isna(value):
        return None
    plain = value.item() if isinstance(value, np.generic) else value
    return (
        plain if isinstance(plain, bool | str | int | float) else {type(plain).__name__: str(plain)}
    )
