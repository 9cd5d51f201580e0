"""A pandas frame to a sheet of typed cells, for use as a library."""

from typing import TYPE_CHECKING, Any

import numpy as np

from evalbatch.loaders.typed import typed_sheet
from evalbatch.readings import json_cell
from evalbatch.records import Cell, Kind, Sheet, Source
from evalbatch.schema import Schema

if TYPE_CHECKING:
    import pandas as pd


def load(frame: "pd.DataFrame", source: Source, schema: Schema) -> Sheet:
    """Read a frame of n rows, one cell for each value; row i is item i + 1, whatever its index.

    None, NaN, NaT and pd.NA are empty cells; Booleans of Python, numpy and pandas are Booleans.
    """
    header = [str(name) for name in frame.columns]
    columns = [
        [_cell(value) for value in frame.iloc[:, place].array] for place in range(len(header))
    ]
    return typed_sheet(header, columns, len(frame), source, schema, {})


def _cell(value: Any) -> Cell:
    import pandas as pd

    if isinstance(value, list | dict | tuple | np.ndarray):
        return json_cell(_plain(value))
    if pd.isna(value):
        return Cell(None, Kind.EMPTY)
    if isinstance(value, pd.Timestamp):
        return Cell(value.isoformat(), Kind.DATE)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool | str | int | float):
        return json_cell(value)
    kind = Kind.DATE if hasattr(value, "isoformat") else Kind.OBJECT
    return Cell(value.isoformat() if kind == Kind.DATE else str(value), kind)


def _plain(value: Any) -> Any:
    """Bring containers of numpy values into the form that JSON has."""
    if isinstance(value, np.ndarray):
        return [_plain(one) for one in value.tolist()]
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    return value.item() if isinstance(value, np.generic) else value
