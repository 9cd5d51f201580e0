"""Spans that are struck through in the cell itself (`--marks formatting`)."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

import evalbatch
from evalbatch import EvalbatchError
from evalbatch.core import edit_marks
from tests import books, sheets

STRUCK, PLAIN, BOLD = InlineFont(strike=True), InlineFont(), InlineFont(b=True)
HEADER = ["id", "text", "page"]


def rich(*runs: tuple[str, InlineFont] | str) -> CellRichText:
    """Build a cell of runs; one without a font follows the cell's."""
    return CellRichText(
        *(run if isinstance(run, str) else TextBlock(run[1], run[0]) for run in runs)
    )


def book(*rows: list[Any], struck_cells: tuple[str, ...] = ()) -> bytes:
    """Build a workbook of spans, of which some cells are struck as a whole."""
    made = openpyxl.Workbook()
    sheet = made.active
    assert sheet is not None
    for row in ([*HEADER], *rows):
        sheet.append(row)
    for cell in struck_cells:
        sheet[cell].font = Font(strike=True)
    return books.saved(made)


def spans(folder: Path, data: bytes) -> list[list[Any]]:
    """Give id, old texts and candidates of each field that is scored or held."""
    found = sheets.results(sheets.publish(folder, data, "s.xlsx", marks="formatting"))
    return [
        [one["id"], one["old"], one["candidates"]] for one in [*found["scored"], *found["held"]]
    ]


@pytest.mark.parametrize(
    ("cell", "old", "candidates"),
    [
        pytest.param("plain", [], ["plain"], id="no-runs"),
        pytest.param(rich(("12", STRUCK), ("14", PLAIN)), ["12"], ["14"], id="replaced"),
        pytest.param(rich(("12", STRUCK), "14"), ["12"], ["14"], id="run-without-a-format"),
        pytest.param(
            rich(("a", STRUCK), ("b", PLAIN), ("c", BOLD), ("d", PLAIN)), ["a"], ["bcd"],
            id="other-formatting-is-joined",
        ),
        pytest.param(
            rich(("a", STRUCK), ("b", InlineFont(strike=True, b=True))), ["ab"], [],
            id="struck-runs-are-joined",
        ),
        pytest.param(
            rich(("a", STRUCK), ("b", PLAIN), ("c", STRUCK), ("d", PLAIN)), ["a", "c"], ["b", "d"],
            id="in-order",
        ),
        pytest.param(rich(("x", STRUCK), ("[blank]", PLAIN)), ["x"], [""], id="known-blank"),
        pytest.param(rich(("x ", STRUCK), (" y ", PLAIN)), ["x "], [" y "], id="white-space"),
    ],
)  # fmt: skip
def test_each_run_is_a_span(
    tmp_path: Path, cell: Any, old: list[str], candidates: list[str]
) -> None:
    """Struck or not by its own format."""
    assert spans(tmp_path, book(["a", cell, 1])) == [["a", old, candidates]]


def test_a_run_without_a_format_of_its_own_follows_the_cell(tmp_path: Path) -> None:
    """And so does a text without runs."""
    rows = [["a", "old", 1], ["a", "new", 1], ["b", rich("old", ("new", PLAIN)), 2]]
    data = book(*rows, struck_cells=("B2", "B4"))
    assert spans(tmp_path, data) == [["a", ["old"], ["new"]], ["b", ["old"], ["new"]]]


def test_the_results_are_those_of_a_column_of_marks(tmp_path: Path) -> None:
    """One cell or several a field, rows that stand apart: only the marks are taken elsewhere."""
    rows: list[list[Any]] = [
        ["a", rich(("1", STRUCK), ("2", PLAIN)), 1], ["b", "x", 1], ["b", "y", 1], ["c", "z", 1],
        ["a", "3", 2], [None, "w", 2], ["d", 14, 2], ["e", None, 2],
    ]  # fmt: skip
    marked: list[list[Any]] = [
        ["id", "text", "struck"], ["a", "1", True], ["a", "2", False], ["b", "x", True],
        ["b", "y", False], ["c", "z", False], ["a", "3", False], [None, "w", False],
        ["d", 14, False], ["e", None, False],
    ]  # fmt: skip
    data = book(*rows, struck_cells=("B3",))
    found = sheets.run(tmp_path, data, "s.xlsx", marks="formatting")
    column = sheets.run(tmp_path, books.written(marked), "m.xlsx")
    assert sheets.outcome(found) == sheets.outcome(column)
    assert found.coverage.convention == edit_marks.CONVENTION_BY_FORMAT
    assert column.coverage.convention == edit_marks.CONVENTION


def test_the_spans_can_be_fed_back(tmp_path: Path) -> None:
    """As JSON, from CSV too."""
    data = book(["a", rich(("1", STRUCK), ("2", PLAIN), ("3", STRUCK), ("4", PLAIN)), 1])
    out = sheets.publish(tmp_path, data, "s.xlsx", marks="formatting", to=["csv"])
    again = evalbatch.run(out / "held.csv")
    assert list(again.held["candidates"]) == ['["2", "4"]']


def test_an_invalid_field_keeps_its_strike_through_in_the_workbook(tmp_path: Path) -> None:
    """So that it can be mended there; CSV has none, which a note says."""
    rows = [["a", rich(("1<", STRUCK), ("2&", PLAIN)), 1], ["b", "x", 1], ["b", "y", 1]]
    data = book(*rows, [None, "w", 1], struck_cells=("B3",))
    out = sheets.publish(tmp_path, data, "s.xlsx", marks="formatting", to=["xlsx", "csv"])
    again = evalbatch.run(out / "results.xlsx", sheet="invalid", marks="formatting")
    assert list(again.invalid["reason"]) == ["rows-without-id", "rows-without-id", "id-missing"]
    fixed = openpyxl.load_workbook(out / "results.xlsx", rich_text=True)
    fixed["invalid"]["A4"] = "c"
    (tmp_path / "fixed.xlsx").write_bytes(books.saved(fixed))
    mended = evalbatch.run(tmp_path / "fixed.xlsx", sheet="invalid", marks="formatting")
    assert sheets.outcome(mended)["scored"] == {"b": "y", "c": "w"}
    [note] = [one for one in sheets.coverage(out)["notes"] if one["code"].startswith("strike")]
    assert note["text"].startswith("the strike-through of 1 text is not in invalid.csv")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        pytest.param("s.csv", b"id,text\na,b\n", "cannot apply to CSV", id="csv"),
        pytest.param("s.json", b'[{"id": "a", "text": "b"}]', "cannot apply to JSON", id="json"),
        pytest.param(
            "s.xlsx",
            books.written([["id", "text", "struck"], ["a", "b", True]]),
            "here is a column of marks as well; delete or rename it",
            id="two-sources",
        ),
        pytest.param(
            "s.xlsx",
            books.written([["id", "state", "expected", "answer"], ["a", "agreed", True, True]]),
            "spans needs id, text and lacks text",
            id="a-key",
        ),
    ],
)
def test_what_is_refused(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    """Marks are taken from one place."""
    with pytest.raises(EvalbatchError, match=message):
        sheets.run(tmp_path, data, name, marks="formatting")


def test_a_sheet_without_a_column_of_marks_names_the_option(tmp_path: Path) -> None:
    """Nothing is taken from the format unless it is asked for."""
    with pytest.raises(EvalbatchError, match="run with --marks formatting"):
        sheets.run(tmp_path, book(["a", "x", 1]), "s.xlsx")


def test_a_struck_number_is_struck(tmp_path: Path) -> None:
    """Whether it is taken for a text, or mended as one in the results workbook."""
    data = book(["a", 12, 1], ["a", "13", 1], struck_cells=("B2",))
    found = sheets.run(tmp_path, data, "s.xlsx", marks="formatting", numbers_as_text=True)
    assert [found.scored["old"][0], found.scored["current"][0]] == ['["12"]', "13"]
    out = sheets.publish(tmp_path, data, "s.xlsx", marks="formatting", to=["xlsx"])
    fixed = openpyxl.load_workbook(out / "results.xlsx")
    cell = fixed["invalid"]["B2"]
    assert (cell.value, cell.font.strike) == (12, True)
    cell.value = "12"
    (tmp_path / "fixed.xlsx").write_bytes(books.saved(fixed))
    again = evalbatch.run(tmp_path / "fixed.xlsx", sheet="invalid", marks="formatting")
    assert list(again.scored["old"]) == ['["12"]']


def test_white_space_beside_the_strike_through_is_noted(tmp_path: Path) -> None:
    """It belongs to the span on its side, which is easily not meant."""
    rows = [
        ["a", rich(("x", STRUCK), (" ", PLAIN)), 1],
        ["b", rich(("x", STRUCK), ("y", PLAIN)), 1],
    ]
    found = sheets.run(tmp_path, book(*rows), "s.xlsx", marks="formatting")
    assert list(found.scored["current"]) == [" ", "y"]
    assert [(note.code, note.cells) for note in found.coverage.notes] == [
        ("white-space-beside-strike-through", ("B2",))
    ]
