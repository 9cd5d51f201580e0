"""What is looked at for swallowed rows: nothing that could be one is passed over."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evalbatch import arrow
from evalbatch.loaders.swallowed import _RowTest
from evalbatch.records import Column, Match, Sheet, Source
from evalbatch.schema import ANSWER_KEY
from evalbatch.spellings import Spellings

NAMES = ["note", "id", "state", "expected", "answer", "more"]
CELLS = ["agreed", "true", "x", "", '"', '"a,b"', '"a""b"', "[blank]", "é"]


def row_test() -> _RowTest:
    """Make the test for a sheet whose roles stand amid other columns."""
    roles = {name: place for place, name in enumerate(NAMES[1:5], 1)}
    columns = tuple(Column(name, place, arrow.texts([None])) for place, name in enumerate(NAMES))
    match = Match(ANSWER_KEY, roles)
    sheet = Sheet(Source("s.csv"), match, columns, np.array([2]), {}, delimiter=",")
    return _RowTest(sheet, Spellings())


@given(st.lists(st.sampled_from(CELLS), max_size=8))
def test_a_line_is_passed_over_only_if_it_has_too_few_cells(cells: list[str]) -> None:
    """Its delimiters tell, however its quotes stand."""
    test, line = row_test(), ",".join(cells)
    assert test.is_row(line) == test(test.cells(line))
