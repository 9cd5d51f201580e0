"""What is done for large sheets changes nothing: pieces, columns of few texts, combinations."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import compute

from evalbatch import arrow, kernels
from evalbatch.loaders import arrow_csv, csv_body
from evalbatch.writers import csv, csv_rows
from tests import books, sheets, strategies
from tests.test_properties import KEY, SPANS, published

SAMPLES = Path(__file__).parents[1] / "sample_data"
TYPED = {"true": True, "false": False, "1": 1, "12": 12.5}


@contextmanager
def large(few: bool) -> Iterator[None]:
    """Take every sheet for a large one; `few` tells whether columns hold few distinct texts."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrow_csv, "_SAMPLE", 1)
        patch.setattr(csv_body, "read", partial(csv_body.read, size=16))
        patch.setattr(arrow, "_SAMPLE", 0)
        patch.setattr(arrow, "are_few", lambda *_: few)
        patch.setattr(csv, "_BATCH", 3)
        patch.setattr(csv_rows, "_ROWS_A_COMBINATION", 0.01)
        yield


def files(data: bytes, name: str) -> dict[str, bytes]:
    """Publish a sheet, and give what was written."""
    with tempfile.TemporaryDirectory() as folder:
        out = published(Path(folder), data, name)
        return {path.name: path.read_bytes() for path in out.iterdir()}


@given(strategies.key_rows, st.sampled_from(",;"), st.booleans())
def test_a_large_key_is_published_as_a_small_one(rows: Any, delimiter: str, few: bool) -> None:
    """Byte for byte, whatever its cells are."""
    data = sheets.csv_bytes([KEY, *rows], delimiter)
    small = files(data, "sheet.csv")
    with large(few):
        assert files(data, "sheet.csv") == small


@given(strategies.span_rows, st.booleans())
def test_large_spans_are_published_as_small_ones(rows: Any, few: bool) -> None:
    """Byte for byte, whatever their cells are."""
    data = sheets.csv_bytes([SPANS, *rows])
    small = files(data, "sheet.csv")
    with large(few):
        assert files(data, "sheet.csv") == small


@given(strategies.key_rows, st.booleans())
def test_a_large_workbook_is_published_as_a_small_one(rows: Any, few: bool) -> None:
    """Byte for byte, whatever the types of its cells are."""
    typed = [[TYPED.get(cell, cell) for cell in row] for row in rows]
    data = books.written([KEY, *typed])
    small = files(data, "sheet.xlsx")
    with large(few):
        assert files(data, "sheet.xlsx") == small


@pytest.mark.parametrize("name", ["answer_key.csv", "answer_key.xlsx", "spans.csv"])
def test_the_public_functions_of_arrow_do_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are called where a version of Arrow has no others."""
    data = (SAMPLES / name).read_bytes()
    found = files(data, name)
    monkeypatch.setattr(kernels, "_compute", compute)
    assert files(data, name) == found
