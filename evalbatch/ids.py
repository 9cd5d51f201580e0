"""Ids: which rows have one, which share one, and which look like another or like damage."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from evalbatch import arrow, characters, kernels
from evalbatch.arrow import Ints
from evalbatch.columns import read_texts
from evalbatch.lookalikes import fold_all, fold_lookalikes, has_only_case_to_fold
from evalbatch.records import Column, Note, Readings, Sheet
from evalbatch.spellings import Spellings
from evalbatch.words import counted, escaped, listed

_CELLS_IN_A_NOTE = 100
# 123456789012345678 shown as 1.23457E+17, and 1-3 or 3/1 taken for a date.
_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
# In bytes: two digits, a hyphen and a month, in which RE2 takes ſ for an s.
_LONGEST_DATE = 8
_LOOKS_DAMAGED = (
    rf"(?i)^([0-9]([.,][0-9]+)?E\+[0-9]+|[0-9]{{1,2}}-({_MONTHS})|({_MONTHS})-[0-9]{{2}}|#+)$"
)


@dataclass(frozen=True, slots=True)
class Ids:
    """The ids of n rows: `codes` number the distinct ones by first appearance, -1 for none."""

    column: Column
    readings: Readings
    codes: Ints
    names: pa.StringArray

    @property
    def count(self) -> int:
        """How many distinct ids there are."""
        return len(self.names)

    def name(self, code: int) -> str:
        """Give one id."""
        found: str = self.names[code].as_py()
        return found


def read_ids(sheet: Sheet, spellings: Spellings) -> Ids:
    """Read the id column. Ids are the same only if every character is."""
    column = sheet.role("id")
    readings, texts = read_texts("id", column, spellings)
    begins = np.ones(len(texts), dtype=bool)
    begins[1:] = ~arrow.true(kernels.equal(texts.slice(1), texts.slice(0, len(texts) - 1)))
    heads = texts if begins.all() else arrow.take(texts, np.flatnonzero(begins))
    if characters.surely_differ(heads):
        return Ids(column, readings, np.cumsum(begins) - 1, heads)
    encoded = kernels.dictionary_encode(texts)
    codes = arrow.codes(encoded.indices, -1)
    return Ids(column, readings, codes, encoded.dictionary)


def rows_by_id(ids: Ids, wanted: Ints) -> Mapping[int, Ints]:
    """Give the rows of each wanted id (by code)."""
    rows = np.flatnonzero(np.isin(ids.codes, wanted))
    if not len(rows):
        return {}
    order = rows[np.argsort(ids.codes[rows], kind="stable")]
    codes, starts = np.unique(ids.codes[order], return_index=True)
    return dict(zip(codes.tolist(), np.split(order, starts[1:]), strict=True))


def notes(sheet: Sheet, ids: Ids) -> list[Note]:
    """Note ids that differ only in what the eye passes over, and ids that look damaged."""
    found = []
    pairs = _near_duplicates(ids.names)
    first = np.full(ids.count, -1, dtype=np.int64)
    rows = np.flatnonzero(ids.codes >= 0)[::-1]
    first[ids.codes[rows]] = rows
    if pairs:
        groups = [
            " and ".join(
                f"{escaped(ids.name(code))} ({sheet.place(ids.column, int(first[code]))})"
                for code in group
            )
            for group in pairs
        ]
        codes = np.array([code for group in pairs for code in group])
        found.append(
            Note(
                "near-duplicate-ids",
                "ids that differ only by letter case, white space, Unicode form or invisible "
                f"characters are taken as different ({counted(len(pairs), 'group')}): "
                + listed(groups, 5, "; "),
                tuple(sheet.places(ids.column, first[codes[:_CELLS_IN_A_NOTE]]).to_pylist()),
            )
        )
    suspects = _perhaps_damaged(ids.names)
    looks_damaged = kernels.match_substring_regex(arrow.take(ids.names, suspects), _LOOKS_DAMAGED)
    damaged = suspects[arrow.true(looks_damaged)]
    if len(damaged):
        cells = sheet.places(ids.column, first[damaged[:_CELLS_IN_A_NOTE]]).to_pylist()
        shown = [
            f"{escaped(ids.name(code))} ({cell})"
            for code, cell in zip(damaged.tolist(), cells, strict=False)
        ]
        found.append(
            Note(
                "damaged-ids",
                f"ids that look as if a spreadsheet had made a number or a date of them "
                f"({len(damaged):,}); compare them with their source, and format the column as "
                f"text: {listed(shown, 5)}",
                tuple(cells),
            )
        )
    return found


def _perhaps_damaged(names: pa.StringArray) -> Ints:
    """Find every id that could look damaged, for to look for its signs is cheaper."""
    by_sign = np.flatnonzero(characters.holds_any(names, b"+#"))
    if not characters.hold(names, b"-"):
        return by_sign
    short = np.flatnonzero(np.diff(arrow.starts(names)) <= _LONGEST_DATE)
    dates = short[characters.holds_any(arrow.take(names, short), b"-")]
    return np.union1d(by_sign, dates)


def _near_duplicates(names: pa.StringArray) -> list[list[int]]:
    """Group ids (by code) that are alike once folded."""
    data = arrow.raw(names)
    if has_only_case_to_fold(data) and data in (data.upper(), data.lower()):
        # Either all letters are folded or none: what differs still does.
        return []
    if data.isascii() and len(folded := fold_lookalikes(data.decode())) == len(data):
        # Each character became one, so that each id still stands where it stood.
        bounds = pa.py_buffer(arrow.starts(names).astype(np.int32))
        alike = pa.StringArray.from_buffers(len(names), bounds, pa.py_buffer(folded.encode()))
        if characters.surely_differ(alike):
            return []
    texts: list[str] = names.to_pylist()
    keys = fold_all(texts)
    if len(set(keys)) == len(keys):
        return []
    groups: dict[str, list[int]] = {}
    for code, key in enumerate(keys):
        groups.setdefault(key, []).append(code)
    return [group for group in groups.values() if len(group) > 1]
