"""results.xlsx: every text a text, every Boolean one, and fit to be mended and fed back."""

import json
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest

import evalbatch
from tests import books, sheets

ROWS: list[list[Any]] = [
    ["id", "note", "state", "expected", "answer"],
    ["0012", "=1+1", "agreed", True, False],
    ["b", 1.5, "disputed", "TRUE", None],
    ["c", "#N/A", "agreed", "TRUE", 1],
    ["d", "", "agreed", True, True],
]


def read(out: Path) -> openpyxl.Workbook:
    """Open the published workbook."""
    return openpyxl.load_workbook(out / "results.xlsx")


def values(book: openpyxl.Workbook, name: str) -> list[list[Any]]:
    """Give a sheet's values below its header."""
    return [[cell.value for cell in row] for row in book[name].iter_rows(min_row=2)]


def test_a_workbook_gives_a_workbook(tmp_path: Path) -> None:
    """The same cells, each with its type; coverage comes first."""
    out = sheets.publish(tmp_path, books.written(ROWS), "key.xlsx")
    assert sorted(path.name for path in out.iterdir()) == [
        "coverage.csv", "coverage.json", "manifest.json", "results.json", "results.xlsx",
    ]  # fmt: skip
    book = read(out)
    assert book.sheetnames == ["coverage", "scored", "held", "invalid"]
    assert values(book, "scored") == [
        ["0012", "=1+1", "agreed", True, False, False, "2 of 4", 2],
        ["d", None, "agreed", True, True, True, "2 of 4", 5],
    ]
    assert [cell.data_type for cell in book["scored"][2]] == [
        "s",
        "s",
        "s",
        "b",
        "b",
        "b",
        "s",
        "n",
    ]
    assert values(book, "held") == [
        ["b", 1.5, "disputed", "TRUE", None, "disputed", None, None, None, None, "2 of 4", 3]
    ]
    assert values(book, "invalid")[0][:6] == [
        "c", "#N/A", "agreed", "TRUE", 1, "expected-not-boolean answer-not-boolean",
    ]  # fmt: skip
    assert book["invalid"]["B2"].data_type == "s"


def test_the_sheets_are_fit_to_be_filled_in(tmp_path: Path) -> None:
    """A frozen header, a filter, a drop-down for decisions, and text columns for texts alone."""
    book = read(sheets.publish(tmp_path, books.written(ROWS), "key.xlsx"))
    held = book["held"]
    assert held.freeze_panes == "A2"
    assert held.auto_filter.ref == "A1:L2"
    [validation] = held.data_validations.dataValidation
    assert str(validation.sqref).split(":")[0] == "G2"
    assert validation.formula1 == '"TRUE,FALSE"'
    formats = {
        cell.value: held.cell(2, place).number_format for place, cell in enumerate(held[1], 1)
    }
    assert formats["id"] == "@"
    assert formats["expected"] == formats["answer"] == "General"
    assert all(dimension.width for dimension in held.column_dimensions.values())


def test_the_summary_says_it_all(tmp_path: Path) -> None:
    """The statement first, then counts, bounds, reasons and notes."""
    out = sheets.publish(tmp_path, books.written(ROWS), "key.xlsx")
    lines = [
        [cell for cell in row if cell is not None]
        for row in read(out)["coverage"].iter_rows(values_only=True)
    ]
    assert lines[0] == [sheets.coverage(out)["statement"]]
    assert ["scored", 2, "1 passed, 1 failed"] in lines
    assert [
        "of the full evaluation",
        "25.0% to 75.0%",
        "1 to 3 of 4, whatever becomes of the cases that are not scored",
    ] in lines
    assert any(line[:2] == ["expected-not-boolean", 1] for line in lines)


def test_a_sheet_fed_back_by_name_is_a_part(tmp_path: Path) -> None:
    """Several sheets fit, so that the one must be named."""
    out = sheets.publish(tmp_path, books.written(ROWS), "key.xlsx")
    with pytest.raises(evalbatch.EvalbatchError, match="several of the visible sheets"):
        evalbatch.run(out / "results.xlsx")
    part = evalbatch.run(out / "results.xlsx", sheet="invalid")
    assert part.coverage.part_of == 4
    assert list(part.invalid["reason"]) == ["expected-not-boolean answer-not-boolean"]


def test_csv_words_become_booleans(tmp_path: Path) -> None:
    """Where they are Booleans by themselves, and not because they were declared."""
    text = "id,state,expected,answer\na,agreed,TRUE,nein\nb,agreed,pass,false\n"
    book = read(sheets.publish(tmp_path, text, false=["nein"], to=["xlsx"]))
    assert values(book, "scored")[0][2:5] == [True, "nein", False]
    assert values(book, "invalid")[0][2:4] == ["pass", False]


def test_dates_and_errors_that_are_carried_stay_what_they_are(tmp_path: Path) -> None:
    """In a role they are faults, and written with their type."""
    data = books.made(
        books.texts(1, "id", "text", "struck", "seen")
        + '<row r="2"><c t="inlineStr"><is><t>a</t></is></c><c t="e"><v>#REF!</v></c>'
        '<c t="b"><v>0</v></c><c t="d"><v>2026-03-01</v></c></row>'
    )
    out = sheets.publish(tmp_path, data, "s.xlsx")
    [found] = values(read(out), "invalid")
    assert found[1] == "#REF! (error)"
    assert str(found[3]).startswith("2026-03-01")
    again = evalbatch.run(out / "results.xlsx", sheet="invalid")
    assert list(again.invalid["reason"]) == ["observation-text cell-error"]


def test_the_same_input_gives_the_same_cells(tmp_path: Path) -> None:
    """No time of writing reaches the workbook."""
    outs = []
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        outs.append(sheets.publish(tmp_path / name, books.written(ROWS[:3]), "key.xlsx"))
    parts = [zipfile.ZipFile(out / "results.xlsx") for out in outs]
    for name in parts[0].namelist():
        if name != "xl/worksheets/sheet1.xml":
            assert parts[0].read(name) == parts[1].read(name)


def test_filled_cases_in_a_workbook(tmp_path: Path) -> None:
    """`verify` reads them from a sheet as from JSON."""
    cases = json.loads((Path(__file__).parents[1] / "cases" / "spans.json").read_text())
    rows = [[case["id"], json.dumps(case["input"]), json.dumps(case["expected"])] for case in cases]
    path = tmp_path / "cases.xlsx"
    path.write_bytes(books.written([["id", "input", "expected"], *rows]))
    assert evalbatch.verify(path) == {"checked": 6, "caseIds": [case["id"] for case in cases]}


def test_more_rows_than_a_sheet_holds_go_on_in_another(tmp_path: Path) -> None:
    """Excel ends at row 1,048,576."""
    count = 1_048_576
    rows = "".join(f"{i:x},x,false\n" for i in range(count))
    book = sheets.publish(tmp_path, "id,text,struck\n" + rows, to=["xlsx"]) / "results.xlsx"
    with zipfile.ZipFile(book) as parts:
        names = parts.read("xl/workbook.xml").decode()
        last = parts.read("xl/worksheets/sheet3.xml").decode()
    assert 'name="scored" ' in names
    assert 'name="scored (2)"' in names
    assert last.count("<row ") == 2
    assert f"<v>{count + 1}</v>" in last
