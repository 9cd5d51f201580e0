"""results.xlsx: every text a text, every Boolean one, and fit to be mended and fed back."""

import json
import zipfile
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

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


def formats(sheet: Worksheet) -> dict[Any, str]:
    """Give the format of each column, which is that of what will be typed into its empty cells."""
    return {
        name.value: sheet.column_dimensions[get_column_letter(place)].number_format
        for place, name in enumerate(sheet[1], 1)
    }


def test_a_workbook_gives_a_workbook(tmp_path: Path) -> None:
    """The same cells, each with its type; coverage comes first."""
    out = sheets.publish(tmp_path, books.written(ROWS), "key.xlsx")
    assert sorted(path.name for path in out.iterdir()) == [
        "coverage.csv", "coverage.json", "manifest.json", "report.html", "results.json",
        "results.xlsx",
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
    sheet, cells = str(validation.formula1).split("!")
    assert [row[0].value for row in book[sheet][cells]] == [True, False]
    typed = formats(held)
    assert typed["id"] == "@"
    assert "@" not in (typed["expected"], typed["answer"], typed["decision"])
    assert all(dimension.width for dimension in held.column_dimensions.values())


def test_a_decision_on_a_field_stays_the_text_that_is_typed(tmp_path: Path) -> None:
    """As 0012 does in a cell of the text format alone."""
    spans: list[list[Any]] = [["id", "text", "struck"], ["a", "0012", False], ["a", "12", False]]
    held = read(sheets.publish(tmp_path, books.written(spans), "spans.xlsx"))["held"]
    typed = formats(held)
    assert typed["decision"] == "@"
    assert "@" not in (typed["reason"], typed["decided_on"])


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


def test_a_merged_blank_is_no_known_blank_in_a_part(tmp_path: Path) -> None:
    """It is the same fault again, in CSV and in a workbook."""
    rows = books.texts(1, "id", "text", "struck") + "".join(
        f'<row r="{n}"><c t="inlineStr"><is><t>{name}</t></is></c>{text}<c t="b"><v>0</v></c></row>'
        for n, name, text in ((2, "a", '<c t="inlineStr"><is><t>x</t></is></c>'), (3, "b", "<c/>"))
    )
    data = books.made(rows, more='<mergeCells><mergeCell ref="B2:B3"/></mergeCells>')
    out = sheets.publish(tmp_path, data, "s.xlsx", to=["csv", "xlsx"])
    for again in (
        evalbatch.run(out / "invalid.csv"),
        evalbatch.run(out / "results.xlsx", sheet="invalid"),
    ):
        assert list(again.invalid["reason"]) == ["observation-text cell-merged"]


def test_a_text_that_was_cut_is_no_observation_in_a_part(tmp_path: Path) -> None:
    """What the cell holds is another text."""
    long = "x" * 40_000
    data = f"id,text,struck\na,{long},\nb,{'😀' * 20_000},\n"
    out = sheets.publish(tmp_path, data, to=["xlsx"])
    again = evalbatch.run(out / "results.xlsx", sheet="invalid")
    assert list(again.invalid["reason"]) == ["row-malformed", "row-malformed"]
    assert "was cut to fit a cell" in again.invalid["problem"][0]


def test_texts_that_pack_too_well_are_written_unpacked(tmp_path: Path) -> None:
    """Else the workbook would be refused as an attack, here and elsewhere."""
    note = "long text here " * 2000
    rows = "".join(f"{i},agreed,true,true,{note}\n" for i in range(1000))
    out = sheets.publish(tmp_path, f"id,state,expected,answer,note\n{rows}", to=["xlsx"])
    assert len(evalbatch.run(out / "results.xlsx", sheet="scored").scored) == 1000


def test_numbers_that_no_double_holds_are_written_as_texts(tmp_path: Path) -> None:
    """A workbook would make another number of them."""
    item = {"id": "a", "state": "agreed", "expected": True, "answer": True, "n": 10**400}
    out = sheets.publish(tmp_path, json.dumps([item]), "s.json", to=["xlsx"])
    assert values(read(out), "scored")[0][4] == str(10**400)


def test_more_columns_than_a_workbook_holds_are_refused(tmp_path: Path) -> None:
    """And the CSV sheets are there for them."""
    header = "id,text,struck," + ",".join(f"c{i}" for i in range(16_384))
    with pytest.raises(evalbatch.EvalbatchError, match="leave xlsx out of --to"):
        sheets.publish(tmp_path, f"{header}\na,x,false\n", to=["xlsx"])
