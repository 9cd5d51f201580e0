"""What is recorded of a run: its sheets, each with its coverage or its failure, and their cases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from evalbatch import arrow
from evalbatch.arrow import Ints
from evalbatch.batch import Evaluation
from evalbatch.records import Disposition, Outcome

# Where several cases share an id, this is what is said of it.
_OF_SHARED_IDS = ("id-duplicate", "field-scattered")


class End(NamedTuple):
    """Where a case ended: its disposition, whether it passed (None if it has no pass), and why."""

    disposition: Disposition
    passed: bool | None
    reason: str


@dataclass(frozen=True, slots=True)
class Cases:
    """The n distinct ids of a sheet: id i ended as `ends[codes[i]]`."""

    ids: pa.StringArray
    codes: Ints
    ends: Sequence[End]


@dataclass(frozen=True, slots=True)
class SheetRun:
    """One sheet in one run: its coverage as in coverage.json, or else why it failed.

    `digest` stands for its bytes, its options and the version; `unmet` names the gates that it
    misses. Its results are in `folder`, relative to the job file, with the manifest whose SHA-256
    is `manifest`; both are None where it failed. `cases` is None where it failed or where the
    results of an earlier run stand, so that no case has moved.
    """

    name: str
    digest: str
    error: str | None = None
    coverage: Mapping[str, Any] | None = None
    unmet: tuple[str, ...] = ()
    folder: str | None = None
    manifest: str | None = None
    cases: Cases | None = None

    @property
    def stands(self) -> bool:
        """Whether the results of an earlier run stand, for nothing has changed."""
        return self.error is None and self.cases is None


def keyed(evaluation: Evaluation) -> Cases:
    """Give each distinct id with its end; cases without a usable id have none.

    An id that several cases share is given once, as the duplicate that it is.
    """
    fields = evaluation.fields
    codes = evaluation.ids.codes
    if fields is not None:
        codes = codes[fields.first_rows]
    units = np.flatnonzero(codes >= 0)
    shared = np.array(
        [any(reason in one.reasons for reason in _OF_SHARED_IDS) for one in evaluation.outcomes],
        dtype=bool,
    )
    order = units[np.lexsort((units, ~shared[evaluation.codes[units]], codes[units]))]
    distinct, first = np.unique(codes[order], return_index=True)
    ends = [End(one.disposition, one.passed, _why(one)) for one in evaluation.outcomes]
    names = arrow.take(evaluation.ids.names, distinct)
    return Cases(names, evaluation.codes[order[first]], ends)


def _why(outcome: Outcome) -> str:
    """Give the reasons of an outcome; a case that a decision settled says so."""
    settled = outcome.adjudicated and outcome.disposition == "scored"
    return "adjudicated" if settled else " ".join(outcome.reasons)
