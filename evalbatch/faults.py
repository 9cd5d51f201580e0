"""The faults of a row as such, which come before the evaluator."""

import numpy as np

from evalbatch.arrow import Ints, Mask
from evalbatch.ids import Ids
from evalbatch.records import Sheet

ROW_FAULTS = ("", "row-malformed", "id-missing", "id-not-text", "id-duplicate")
"""What a row's fault is by its code, in the order in which one decides; the first is none."""


def row_faults(sheet: Sheet, ids: Ids) -> Ints:
    """Give the code of each row's fault, the first that there is.

    A repeated id makes all its rows invalid, malformed rows counted; in a sheet with several rows
    for a field it does not.
    """
    faults = np.zeros(len(sheet.source_rows), dtype=np.int64)
    if "text" not in sheet.match.roles and ids.count < len(ids.codes):
        with_id = np.flatnonzero(ids.codes >= 0)
        repeats = np.bincount(ids.codes[with_id], minlength=ids.count) > 1
        faults[with_id[repeats[ids.codes[with_id]]]] = ROW_FAULTS.index("id-duplicate")
    by_reading = [
        ROW_FAULTS.index(reading.reasons[0]) if reading.reasons else 0
        for reading in ids.readings.readings
    ]
    own = np.array(by_reading, dtype=np.int64)[ids.readings.codes]
    faults[own > 0] = own[own > 0]
    faults[list(sheet.malformed)] = ROW_FAULTS.index("row-malformed")
    return faults


def having(faults: Ints, fault: str) -> Mask:
    """Tell which rows have a fault."""
    mask: Mask = faults == ROW_FAULTS.index(fault)
    return mask
