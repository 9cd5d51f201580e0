"""Answers that stand apart from their key: joined by exact id, and by nothing else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels, loaders
from evalbatch.arrow import Ints, Mask
from evalbatch.columns import kinds
from evalbatch.errors import EvalbatchError
from evalbatch.ids import Ids, read_ids, rows_by_id
from evalbatch.loaders.options import ReadOptions
from evalbatch.lookalikes import near_matches, nearly
from evalbatch.outputs import OutColumn, SheetOut
from evalbatch.records import Column, Joined, Kind, Match, Note, Sheet, Source
from evalbatch.schema import ANSWER_KEY, ANSWERS, Schema
from evalbatch.spellings import Spellings
from evalbatch.words import counted, listed, shown

_CELLS_IN_A_NOTE = 100
_MOST = 5
_NONE = -1


class Joint(NamedTuple):
    """A key with the answers of another sheet, and those of its rows that no case has."""

    sheet: Sheet
    unmatched: "Unmatched"


@dataclass(frozen=True)
class Unmatched:
    """The m rows of an answers sheet that stand for no case, and why each does.

    `near` gives the ids of the key that are nearly the same as that of a row.
    """

    sheet: Sheet
    rows: Ints
    problems: Sequence[str]
    near: Sequence[Sequence[str]]

    @property
    def source(self) -> Source:
        """Which file the answers came from."""
        return self.sheet.source

    def out(self) -> SheetOut:
        """Give the sheet of unmatched answers: their columns as they were, and why."""
        near = ["; ".join(names) or None for names in self.near]
        added = {
            "near_match": arrow.texts(near),
            "problem": arrow.texts(self.problems),
            "source_row": arrow.digits(self.sheet.source_rows[self.rows]),
        }
        originals = [(one.name, one.texts(self.rows)) for one in self.sheet.columns]
        columns = [_out(name, texts) for name, texts in [*originals, *added.items()]]
        # Set aside with what is wrong, as invalid rows are.
        return SheetOut("invalid", len(self.rows), columns, self.sheet.source_rows[self.rows])

    def notes(self) -> Iterator[Note]:
        """Say how many there are, and name the ids that nearly match."""
        if not len(self.rows):
            return
        pairs = zip(self.problems, self.near, strict=True)
        told = [problem for problem, _ in sorted(pairs, key=lambda pair: not pair[1])]
        column = self.sheet.role("id")
        yield Note(
            "answers-unmatched",
            f"{counted(len(self.rows), 'row')} of {self.source.name} without a case, and not "
            f"counted: {listed(told, _MOST, '; ')}",
            tuple(self.sheet.places(column, self.rows[:_CELLS_IN_A_NOTE]).to_pylist()),
        )


def load(path: Path, schema: Schema, spellings: Spellings) -> Sheet:
    """Read a sheet of answers. Raises EvalbatchError as any loader."""
    options = ReadOptions(spellings=spellings, preferred="answers", is_side=True)
    return loaders.load(path, Schema.beside(ANSWERS, dict(schema.columns or {})), options)


def join(key: Sheet, answers: Sheet, spellings: Spellings) -> Joint:
    """Give each case of a key the answer that has exactly its id.

    A case without one has none. Where several rows have its id, none of them counts; a malformed
    row has no answer to give. Raises EvalbatchError for a sheet that has no id of the key.
    """
    key_ids, ids = (read_ids(one, spellings.within(one)) for one in (key, answers))
    row_of = _row_of(key_ids, ids)
    if (row_of == _NONE).all():
        raise EvalbatchError(
            f"{answers.source.name}: no id in it is one of {key.source.name}; "
            f"{_first_ids(ids, answers)}, and {_first_ids(key_ids, key)}."
        )
    names = arrow.take(key_ids.names, key_ids.codes, key_ids.codes < 0)
    column = _column(answers, ids, row_of, names)
    roles = {**key.match.roles, "answer": len(key.columns)}
    joined = replace(key, columns=(*key.columns, column), match=Match(ANSWER_KEY, roles))
    return Joint(joined, _unmatched(key_ids, answers, ids))


def _row_of(key_ids: Ids, ids: Ids) -> Ints:
    """Give the first row of the answers that has the id of each row of the key; -1 for none."""
    found = kernels.index_in(key_ids.names, ids.names)
    first = np.full(ids.count + 1, _NONE, dtype=np.int64)
    rows = np.flatnonzero(ids.codes >= 0)[::-1]
    first[ids.codes[rows]] = rows
    by_code = np.append(first[arrow.codes(found, ids.count)], _NONE)
    return by_code[key_ids.codes]


def _column(answers: Sheet, ids: Ids, row_of: Ints, names: pa.StringArray) -> Column:
    column = answers.role("answer")
    there = row_of != _NONE
    kind = np.where(there, kinds(column)[row_of], Kind.EMPTY).astype(np.uint8)
    texts = arrow.take(column.text, np.where(there, row_of, 0), ~there)
    places = answers.places(column, row_of)
    name = answers.source.name
    without = arrow.joined(f"{name} (no row for ", arrow.filled(names, "a case without an id"), ")")
    where = kernels.if_else(arrow.booleans(there), arrow.joined(f"{name} ", places), without)
    is_json = answers.delimiter is None and not answers.addressed
    plain = Column("answer", -1, texts, kind, Joined(where, "values" if is_json else "cells"))
    return _unusable(plain, answers, ids, row_of)


def _unusable(column: Column, answers: Sheet, ids: Ids, row_of: Ints) -> Column:
    """Take the answers of repeated ids and of malformed rows for none, without losing them."""
    counts = np.bincount(ids.codes[ids.codes >= 0], minlength=ids.count)
    repeated = rows_by_id(ids, np.flatnonzero(counts > 1))
    malformed = [int(row) for row in answers.malformed if ids.codes[row] >= 0]
    if (not repeated and not malformed) or column.kind is None or column.joined is None:
        return column
    texts, where = column.text.to_pylist(), column.joined.places.to_pylist()
    kind = column.kind.copy()
    given = answers.role("answer").text
    concerned = np.isin(row_of, [*malformed, *(int(rows[0]) for rows in repeated.values())])
    for place in np.flatnonzero(concerned).tolist():
        rows = repeated.get(int(ids.codes[row_of[place]]))
        if rows is None:
            kind[place], texts[place] = Kind.MALFORMED, texts[place] or ""
            continue
        kind[place] = Kind.REPEATED
        texts[place] = "; ".join(arrow.filled(arrow.take(given, rows), "").to_pylist())
        numbers = listed(answers.source_rows[rows].tolist())
        where[place] = f"{answers.source.name} {'rows' if answers.addressed else 'items'} {numbers}"
    joined = replace(column.joined, places=arrow.texts(where))
    return replace(column, values=arrow.texts(texts), kind=kind, joined=joined)


def _unmatched(key_ids: Ids, answers: Sheet, ids: Ids) -> Unmatched:
    known = ~arrow.null(kernels.index_in(ids.names, key_ids.names))
    rows = np.flatnonzero(~_of_rows(known, ids))
    codes = ids.codes[rows].tolist()
    names = {code: ids.name(code) for code in codes if code >= 0}
    near_of = near_matches(names.values(), key_ids.names.to_pylist()) if names else {}
    near = [near_of.get(names.get(code, ""), []) for code in codes]
    problems = [
        _problem(answers, ids, int(row), names.get(code), nearest)
        for row, code, nearest in zip(rows, codes, near, strict=True)
    ]
    return Unmatched(answers, rows, problems, near)


def _of_rows(known: Mask, ids: Ids) -> Mask:
    found: Mask = np.append(known, False)[ids.codes]
    return found


def _problem(answers: Sheet, ids: Ids, row: int, name: str | None, near: Sequence[str]) -> str:
    if row in answers.malformed:
        return answers.malformed[row]
    where = answers.place(answers.role("id"), row)
    if name is None:
        return f"{where}: {ids.readings.readings[ids.readings.codes[row]].problem}"
    return f"{where}: no case has the id {shown(name)}{f'; {nearly(name, near)}' if near else ''}"


def _first_ids(ids: Ids, sheet: Sheet) -> str:
    some = [shown(name) for name in ids.names.slice(0, 3).to_pylist()]
    return f"the ids of {sheet.source.name} are {listed(some)} …" if some else "it has no id"


def _out(name: str, texts: pa.StringArray) -> OutColumn:
    return OutColumn(name, lambda places: arrow.take(texts, places))
