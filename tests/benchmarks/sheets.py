"""Sheets to measure with: the same rows at every making, mostly sound and sometimes not."""

import csv
import random
from collections.abc import Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Literal

Kind = Literal["key", "spans"]
Cell = str | bool | None

_SEED = 20_240
_NOTES = (None, "as in the scan", "unclear at first, then read twice", "ink")
_TEXTS = ("[blank]", "n/a", "3 May", "Lee, R.", "0")


def make(kind: Kind, rows: int, path: Path) -> None:
    """Write a sheet of so many rows as CSV, or as XLSX if the path ends so."""
    found = _key() if kind == "key" else _spans()
    header, body = next(found), islice(found, rows)
    unfinished = path.with_name(f".{path.name}")
    (_write_workbook if path.suffix == ".xlsx" else _write_csv)(unfinished, header, body)
    unfinished.rename(path)


def _key() -> Iterator[Sequence[Cell]]:
    """Give cases of which nine in ten are agreed; one label in fifty is no Boolean."""
    draw = random.Random(_SEED)
    yield ["id", "state", "expected", "answer", "note"]
    for number in count(1):
        state = draw.choices(["agreed", "disputed", "open", None], [900, 80, 15, 5])[0]
        labels = draw.choices([True, False, "maybe", "1", None], [490, 490, 10, 5, 5], k=2)
        yield [f"case-{number:08}", state, *labels, draw.choice(_NOTES)]


def _spans() -> Iterator[Sequence[Cell]]:
    """Give fields of one to three spans, all but the last struck; one mark of eighty is none."""
    draw = random.Random(_SEED)
    yield ["id", "text", "struck", "page"]
    for number in count(1):
        spans = draw.choices([1, 2, 3], [50, 40, 10])[0]
        for span in range(spans):
            is_last = span == spans - 1
            struck: Cell = not is_last or draw.random() < 0.04
            if draw.random() < 0.0125:
                struck = draw.choice(["yes", None])
            text = draw.choice([*_TEXTS, str(draw.randrange(10_000)), None])
            if text is None and draw.random() < 0.9:
                text = "illegible"
            yield [f"field-{number:08}", text, struck, str(number // 30 + 1)]


def _write_csv(path: Path, header: Sequence[Cell], rows: Iterator[Sequence[Cell]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows([_word(cell) for cell in row] for row in rows)


def _word(cell: Cell) -> str | None:
    return str(cell).lower() if isinstance(cell, bool) else cell


def _write_workbook(path: Path, header: Sequence[Cell], rows: Iterator[Sequence[Cell]]) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(str(path), {"constant_memory": True}) as book:
        sheet = book.add_worksheet("sheet")
        for number, row in enumerate([header, *rows]):
            for place, cell in enumerate(row):
                if isinstance(cell, bool):
                    sheet.write_boolean(number, place, cell)
                elif cell is not None:
                    sheet.write_string(number, place, cell)
