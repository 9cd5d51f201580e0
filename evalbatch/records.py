"""What loaders hand on and evaluators give back: cells as found, readings, outcomes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.words import column_letters

Task = Literal["answer-key", "spans", "filled-cases", "decisions", "answers", "ids"]
Disposition = Literal["scored", "held", "invalid"]
DISPOSITIONS: tuple[Disposition, ...] = ("scored", "held", "invalid")


class Kind(IntEnum):
    """What a cell is, told from the file alone."""

    EMPTY = 0
    WORD = 1
    """A CSV cell: characters without a type."""
    STRING = 2
    """A text of which the file says that it is one."""
    BOOLEAN = 3
    NUMBER = 4
    DATE = 5
    ERROR = 6
    ARRAY = 7
    OBJECT = 8
    TEXT = 9
    """A text cell of a workbook."""
    WHOLE = 10
    """A whole number below 10^15 of a workbook, in a format that shows its digits alone."""
    UNCALCULATED = 11
    """A formula without a saved result."""
    MERGED = 12
    """A cell that a merged one covers."""
    REPEATED = 13
    """Answers of another sheet that gives the case several."""
    MALFORMED = 14
    """An answer of another sheet whose row is malformed."""


class Cell(NamedTuple):
    """One cell: its characters (None where it is empty) and its kind."""

    text: str | None
    kind: Kind


Origin = Literal["words", "cells", "values"]
"""What cells are where they come from: words of CSV, typed cells of a workbook, or values."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Where n cells that were joined from another sheet stand in it, and what its cells are."""

    places: pa.StringArray
    origin: Origin


@dataclass(frozen=True)
class Column:
    """A column's n cells: their texts, null where empty, and the `kind` of each.

    Where few texts are distinct, `values` holds those once, and a code for each cell. Without
    `kind`, every cell that is not null is a WORD. `position` is the column's place in the sheet,
    counted from 0. `joined` tells where the cells stand if it is another sheet.
    """

    name: str
    position: int
    values: pa.StringArray | pa.DictionaryArray
    kind: npt.NDArray[np.uint8] | None = None
    joined: Joined | None = None

    @cached_property
    def text(self) -> pa.StringArray:
        """The n texts themselves."""
        return arrow.decoded(self.values)

    def texts(self, rows: Ints) -> pa.StringArray:
        """Give the texts of some rows."""
        if isinstance(self.values, pa.DictionaryArray):
            return kernels.take(self.values.dictionary, arrow.take(self.values.indices, rows))
        return arrow.take(self.values, rows)

    @cached_property
    def distinct(self) -> tuple[Ints, list[Cell]]:
        """Each row's code, and the distinct cells that the codes stand for."""
        encoded = arrow.encoded(self.values)
        texts = encoded.dictionary.to_pylist()
        codes = arrow.codes(encoded.indices, len(texts))
        if self.kind is None:
            return codes, [*(Cell(text, Kind.WORD) for text in texts), Cell(None, Kind.EMPTY)]
        pairs = codes.astype(np.int64) * len(Kind) + self.kind
        encoded = kernels.dictionary_encode(arrow.ints(pairs))
        cells = []
        for pair in encoded.dictionary.to_pylist():
            code, kind = divmod(pair, len(Kind))
            text = texts[code] if code < len(texts) else ""
            cells.append(Cell(None if kind == Kind.EMPTY else text, Kind(kind)))
        return arrow.codes(encoded.indices, len(cells)), cells


@dataclass(frozen=True, slots=True)
class Layout:
    """A form that a sheet can have: its task, and the roles that its header must name."""

    task: Task
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """A header that fits a layout: for each role the place of its column, from 0."""

    layout: Layout
    roles: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Source:
    """Which file a sheet came from, as it is published: no path and no time."""

    name: str
    sha256: str | None = None
    sheet: str | None = None


Pieces = tuple[tuple[str, bool], ...]
"""A text cell taken apart where its strike-through begins and ends: texts, and whether struck."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that a reader should know and that moved no case."""

    code: str
    text: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """What a sheet that evalbatch wrote still says of the evaluation that it comes from.

    `total` counts the cases of the whole; `decisions` are its decision columns, if any;
    `scattered` tells which rows belong to a field that stood apart in the whole sheet.
    """

    total: int
    decisions: tuple[Column, ...] = ()
    scattered: Mask | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet's n rows that are not blank, and the columns that are carried.

    `match` gives each role's index in `columns`; `source_rows` the numbers that the spreadsheet
    shows; `malformed`, by row index, what is wrong with a row as such. `delimiter` is None where
    the source is no CSV; `addressed` tells whether cells have addresses such as E7. `struck_texts`
    holds the rows whose text, of whatever kind, is struck through by its format, `pieces` of those
    that are so in some places only the pieces of the text.
    """

    source: Source
    match: Match
    columns: tuple[Column, ...]
    source_rows: Ints
    malformed: Mapping[int, str]
    blank_rows: int = 0
    notes: tuple[Note, ...] = ()
    delimiter: str | None = None
    addressed: bool = True
    part: Part | None = None
    struck_texts: frozenset[int] = frozenset()
    pieces: Mapping[int, Pieces] = field(default_factory=dict)

    @property
    def task(self) -> Task:
        """The task that the layout is for."""
        return self.match.layout.task

    def role(self, role: str) -> Column:
        """Give the column that has a role."""
        return self.columns[self.match.roles[role]]

    def places(self, column: Column, rows: Ints) -> pa.StringArray:
        """Say where a column's cells are: `E7`, or `item 7`."""
        if column.joined is not None:
            return arrow.take(column.joined.places, rows)
        prefix = column_letters(column.position) if self.addressed else "item "
        return arrow.joined(prefix, arrow.digits(self.source_rows[rows]))

    def place(self, column: Column, row: int) -> str:
        """Say where one cell is."""
        found: str = self.places(column, np.array([row]))[0].as_py()
        return found


@dataclass(frozen=True, slots=True)
class Reading:
    """What a cell means in its role: the evaluator's input, or why it is none.

    `value` is what the evaluator gets, None where the cell is absent; `reasons` are codes of the
    catalogue, the role's own first; `what` is wrong and how to `mend` it are told for a reviewer.
    """

    value: object
    reasons: tuple[str, ...] = ()
    what: str = ""
    mend: str = ""

    @property
    def problem(self) -> str:
        """What is wrong and what to do, in one line."""
        return f"{self.what}; {self.mend}" if self.reasons else ""


@dataclass(frozen=True, slots=True)
class Readings:
    """A column read in its role: row i has `readings[codes[i]]`.

    `cells` are what was read, one for each reading, where the whole column was.
    """

    codes: Ints
    readings: Sequence[Reading]
    cells: Sequence[Cell] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a case or field ends, and why; the first of `reasons` decided.

    For a case `passed`, and `faults`, the roles whose cells made it invalid. For a field the
    places of its old and candidate spans, and of its current one, counted from 0. `adjudicated`
    tells that it rests on a recorded decision; the current text of a field is then that.
    """

    disposition: Disposition
    reasons: tuple[str, ...] = ()
    passed: bool | None = None
    faults: tuple[str, ...] = ()
    old: tuple[int, ...] = ()
    candidates: tuple[int, ...] = ()
    current: int | None = None
    adjudicated: bool = False
