"""evalbatch as a library: results as frames, in a terminal and in a notebook."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import evalbatch
from evalbatch import EvalbatchError
from tests import sheets


def frame(**columns: object) -> pd.DataFrame:
    """Make a frame of one agreed case, with some columns changed."""
    return pd.DataFrame(
        {"id": ["a"], "state": ["agreed"], "expected": [True], "answer": [True]}
        | {name: [value] for name, value in columns.items()}
    )


def test_frames_have_the_columns_of_the_sheets_out(tmp_path: Path) -> None:
    """`pass` is bool, `source_row` int, and cells are as they were found."""
    text = "id,state,expected,answer,n\n1,agreed,TRUE,true,07\n2,disputed,,,\n"
    result = sheets.run(tmp_path, text)
    assert list(result.scored.columns) == [
        "id", "state", "expected", "answer", "n", "pass", "coverage", "source_row",
    ]  # fmt: skip
    assert result.scored["pass"].tolist() == [True]
    assert result.scored["pass"].dtype == bool
    assert result.scored["source_row"].dtype == np.int64
    assert result.scored["n"].tolist() == ["07"]
    assert result.held["n"].isna().all()
    assert result.invalid.empty


def test_typed_cells_stay_typed(tmp_path: Path) -> None:
    """JSON's Booleans and numbers come back as such."""
    text = '[{"id": "a", "state": "agreed", "expected": true, "answer": false, "n": 1.5}]'
    scored = sheets.run(tmp_path, text, "s.json").scored
    assert (scored["expected"][0], scored["n"][0]) == (True, 1.5)


def test_nothing_is_written_unless_a_folder_is_named(tmp_path: Path) -> None:
    """A library does not litter."""
    result = sheets.run(tmp_path, "id,text,struck\na,x,false\n")
    assert result.folder is None
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.csv"]


def test_an_option_that_there_is_not_is_no_option_passed_over(tmp_path: Path) -> None:
    """A misspelt one would change what is scored."""
    with pytest.raises(TypeError, match="'colums' is no option"):
        sheets.run(tmp_path, "id,text,struck\na,x,false\n", colums={"text": "x"})


def test_a_result_shows_its_statement_first(tmp_path: Path) -> None:
    """In a terminal and in a notebook, where markup stays text."""
    result = sheets.run(tmp_path, "id,text,struck\n<b>,x,false\n<B>,x,true\n")
    assert str(result).splitlines()[0] == repr(result).splitlines()[0] == result.statement
    page = result._repr_html_()
    assert page.startswith(f"<p><strong>{result.statement}</strong></p>")
    assert "&#x27;&lt;b&gt;&#x27;" not in page or "<b>" not in page.replace("<b>", "", 0)
    assert "<b>" not in page


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        pytest.param({"expected": 1}, "expected-not-boolean", id="int"),
        pytest.param({"expected": "TRUE"}, "expected-not-boolean", id="text"),
        pytest.param({"expected": math.nan}, "expected-missing", id="nan"),
        pytest.param({"expected": None}, "expected-missing", id="none"),
        pytest.param({"expected": pd.NA}, "expected-missing", id="na"),
        pytest.param({"answer": np.float64(0)}, "answer-not-boolean", id="float"),
        pytest.param({"answer": pd.Timestamp(2026, 1, 1)}, "answer-not-boolean", id="date"),
        pytest.param({"state": "Agreed"}, "state-unknown", id="state-is-exact"),
        pytest.param({"id": 7}, "id-not-text", id="number-id"),
        pytest.param({"id": math.inf}, "id-not-text", id="infinite-id"),
    ],
)
def test_types_of_a_frame_are_taken_as_they_are(changed: dict[str, object], reason: str) -> None:
    """Nothing is coerced."""
    assert list(evalbatch.evaluate_frame(frame(**changed)).invalid["reason"]) == [reason]


@pytest.mark.parametrize("value", [True, np.True_, pd.array([True], dtype="boolean")[0]])
def test_booleans_of_every_library_are_booleans(value: object) -> None:
    """Python's, numpy's and pandas' own."""
    assert len(evalbatch.evaluate_frame(frame(expected=value)).scored) == 1


def test_a_frame_of_nullable_booleans() -> None:
    """A missing one is absent, never false."""
    keys = pd.DataFrame(
        {
            "id": ["a", "b"],
            "state": "agreed",
            "expected": pd.array([True, None], dtype="boolean"),
            "answer": [True, True],
        },
        index=[7, 7],
    )
    result = evalbatch.evaluate_frame(keys)
    assert list(result.scored["source_row"]) == [1]
    assert list(result.invalid["reason"]) == ["expected-missing"]


def test_a_frame_of_spans_as_lists() -> None:
    """Python's lists and dicts are JSON's arrays and objects."""
    spans = [{"text": "12", "struck": True}, {"text": "14", "struck": np.False_}]
    result = evalbatch.evaluate_frame(pd.DataFrame({"id": ["f"], "spans": [spans]}))
    assert list(result.scored["current"]) == ["14"]


def test_a_frame_that_is_a_part_is_never_complete() -> None:
    """As a sheet fed back is not."""
    whole = evalbatch.evaluate_frame(pd.concat([frame(), frame(id="b", state="disputed")]))
    part = evalbatch.evaluate_frame(whole.scored)
    assert part.statement.startswith("Part of an evaluation of 2 cases: ")
    assert not part.coverage.complete


@pytest.mark.parametrize(
    ("spans", "reason"),
    [
        pytest.param([{"text": pd.NA, "struck": False}], "observation-text", id="na"),
        pytest.param([{"text": pd.Timestamp(0), "struck": False}], "observation-text", id="date"),
        pytest.param([{"text": "x", "struck": pd.NaT}], "observation-label", id="nat"),
        pytest.param(pd.Series([1]), "spans-not-json", id="series"),
    ],
)
def test_a_frame_of_spans_that_are_none(spans: object, reason: str) -> None:
    """Whatever stands in a cell is a value or a reason, never an error."""
    cells = np.empty(1, dtype=object)
    cells[0] = spans
    result = evalbatch.evaluate_frame(pd.DataFrame({"id": ["f"], "spans": cells}))
    assert list(result.invalid["reason"]) == [reason]


def test_a_lone_surrogate_in_a_frame_is_refused() -> None:
    """It cannot be written, nor even shown."""
    note = pd.Series(["\ud800"], dtype=object)
    keys = pd.DataFrame({"id": ["a"], "spans": ["[]"], "note": note})
    with pytest.raises(EvalbatchError, match="item 1: note holds a lone surrogate"):
        evalbatch.evaluate_frame(keys)


def test_one_word_is_one_word(tmp_path: Path) -> None:
    """And not its letters."""
    text = "id,text,struck\na,x,nein\n"
    assert len(sheets.run(tmp_path, text, false="nein").scored) == 1


def test_a_frame_that_lacks_columns_is_refused() -> None:
    """As a sheet is."""
    with pytest.raises(EvalbatchError, match="lacks expected"):
        evalbatch.evaluate_frame(frame().drop(columns="expected"))
