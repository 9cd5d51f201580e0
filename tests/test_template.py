"""Templates: what is in a sheet to fill in, and what a filled one gives."""

import io
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.worksheet import Worksheet

import evalbatch
from evalbatch import EvalbatchError, template
from tests import books, sheets

KEY: list[list[Any]] = [
    ["case_id", "question", "state", "expected", "answer", "seen", "n"],
    ["0012", "=1+1", "agreed", True, False, True, 1.5],
    ["C2", "b", "disputed", None, True, None, 7],
    ["0012", "twice", "agreed", True, True, None, None],
    [None, "no id", "agreed", True, True, None, None],
]


def made(folder: Path, task: Any, name: str = "t.xlsx", **options: Any) -> Path:
    """Make a template."""
    path = folder / name
    template.make(task, path, **options)
    return path


def opened(path: Path) -> tuple[Worksheet, Worksheet]:
    """Open a template: the sheet to fill in, and the one that explains it."""
    book = openpyxl.load_workbook(path)
    first, second = book.worksheets
    return first, second


@pytest.mark.parametrize(
    ("task", "header"),
    [
        ("answer-key", ["id", "state", "expected", "answer", "note"]),
        ("spans", ["id", "text", "struck", "note"]),
    ],
)
@pytest.mark.parametrize("name", ["t.xlsx", "t.csv"])
def test_an_empty_template(tmp_path: Path, task: str, header: list[str], name: str) -> None:
    """It has the columns of its task, and no case yet."""
    path = made(tmp_path, task, name)
    if name == "t.csv":
        assert sheets.rows(path) == [header]
    else:
        assert [cell.value for cell in opened(path)[0][1]] == header
    with pytest.raises(EvalbatchError, match="a header and no cases"):
        evalbatch.run(path)


@pytest.mark.parametrize(
    ("task", "texts"), [("answer-key", ["id"]), ("spans", ["id", "text"])], ids=["key", "spans"]
)
def test_ids_and_texts_are_cells_of_text_and_booleans_never(
    tmp_path: Path, task: str, texts: list[str]
) -> None:
    """0012 stays 0012; and LibreOffice saves a Boolean in a cell of text as a number."""
    sheet, _ = opened(made(tmp_path, task, rows=20))
    formats = {
        str(cell.value): {
            sheet.column_dimensions["ABCDE"[place]].number_format,
            *(sheet.cell(row, place + 1).number_format for row in (2, 21)),
        }
        for place, cell in enumerate(sheet[1])
    }
    assert {name for name, found in formats.items() if found == {"@"}} == set(texts)
    assert all(found == {"General"} for name, found in formats.items() if name not in texts)


def test_states_and_booleans_are_chosen_from_lists(tmp_path: Path) -> None:
    """Booleans from real ones, for the words are others in other languages."""
    sheet, explained = opened(made(tmp_path, "answer-key", rows=20))
    rules = {str(one.sqref): one for one in sheet.data_validations.dataValidation}
    assert set(rules) == {"B2:B21", "C2:C21", "D2:D21"}
    assert rules["B2:B21"].formula1 == '"agreed,disputed"'
    for cells in ("C2:C21", "D2:D21"):
        name, _, reference = str(rules[cells].formula1).replace("'", "").partition("!")
        assert name == explained.title
        assert [row[0].value for row in explained[reference]] == [True, False]
    assert all(one.showErrorMessage and one.allow_blank for one in rules.values())


@pytest.mark.parametrize("task", ["answer-key", "spans"])
def test_the_header_is_frozen_and_explained(tmp_path: Path, task: Any) -> None:
    """In a comment on each column, and on a sheet of its own with the marker [blank]."""
    sheet, explained = opened(made(tmp_path, task))
    assert sheet.freeze_panes == "A2"
    told = template.EXPLAINED[task]
    comments = {cell.value: cell.comment and cell.comment.text for cell in sheet[1]}
    assert comments == {**told, "note": None}
    lines = {row[0]: row[2] for row in explained.iter_rows(values_only=True)}
    assert {name: lines[name] for name in told} == told
    assert lines["[blank]"]


def test_ids_and_columns_of_another_sheet(tmp_path: Path) -> None:
    """Each id once, with what is not to be filled in; labels and answers are left empty."""
    source = tmp_path / "key.xlsx"
    source.write_bytes(books.written(KEY))
    made_template = template.make("answer-key", tmp_path / "t.xlsx", source=source)
    assert made_template.left_out == (
        "'key.xlsx': left out 1 row with no id that can be taken (5) and 1 row with an id of a row "
        "above (4)"
    )
    sheet, _ = opened(tmp_path / "t.xlsx")
    assert list(sheet.iter_rows(max_row=4, values_only=True)) == [
        tuple(KEY[0]),
        ("0012", "=1+1", None, None, None, True, 1.5),
        ("C2", "b", None, None, None, None, 7),
        (None,) * 7,
    ]
    assert [sheet[cell].data_type for cell in ("A2", "B2")] == ["s", "s"]


def test_the_same_as_csv(tmp_path: Path) -> None:
    """In the delimiter of the sheet; what a spreadsheet would run is escaped."""
    source = tmp_path / "key.csv"
    source.write_text("id;q;state;expected;answer\n0012;=1+1;agreed;true;true\n")
    path = made(tmp_path, "answer-key", "t.csv", source=source)
    assert path.read_bytes() == b"id;q;state;expected;answer\r\n0012;'=1+1;;;\r\n"


def test_a_part_gives_its_ids_without_its_results(tmp_path: Path) -> None:
    """What evalbatch wrote into it is no column of the reviewer's."""
    out = sheets.publish(tmp_path, "id,state,expected,answer,q\na,disputed,,,x\n")
    path = made(tmp_path, "spans", "t.csv", source=out / "held.csv")
    assert sheets.rows(path) == [["id", "q", "text", "struck"], ["a", "x", "", ""]]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        pytest.param("t.ods", {}, "is written as .xlsx or .csv", id="format"),
        pytest.param("there.xlsx", {}, "exists, and may hold work", id="exists"),
        pytest.param("t.csv", {"rows": 5}, "CSV has none to prepare", id="rows-of-csv"),
        pytest.param("t.xlsx", {"rows": 0}, "it must be from 1 to 100,000", id="rows"),
        pytest.param("t.xlsx", {"source": "no-ids.csv"}, "no row has an id", id="no-ids"),
        pytest.param("t.xlsx", {"source": "no.csv"}, "lacks id", id="no-id-column"),
        pytest.param("t.csv", {"source": "run.csv"}, "1 id such as '-x' would be run", id="run"),
    ],
)
def test_what_is_refused(tmp_path: Path, name: str, options: dict[str, Any], message: str) -> None:
    """And nothing is written."""
    (tmp_path / "there.xlsx").write_bytes(b"work")
    (tmp_path / "no-ids.csv").write_text("id,q\n,x\n")
    (tmp_path / "no.csv").write_text("q\nx\n")
    (tmp_path / "run.csv").write_text("id\na\n-x\n")
    if "source" in options:
        options = {**options, "source": tmp_path / options["source"]}
    with pytest.raises(EvalbatchError, match=message):
        made(tmp_path, "spans", name, **options)
    assert (tmp_path / "there.xlsx").read_bytes() == b"work"
    assert not (tmp_path / "t.xlsx").exists()


def test_a_filled_template_is_a_sheet(tmp_path: Path) -> None:
    """The prepared rows that stay empty are no cases, and no blank rows."""
    path = made(tmp_path, "answer-key")
    book = openpyxl.load_workbook(path)
    for row, cells in enumerate([("0012", "agreed", True, True), ("C2", "disputed")], 2):
        for column, value in enumerate(cells, 1):
            book["key"].cell(row, column).value = value
    buffer = io.BytesIO()
    book.save(buffer)
    result = sheets.run(tmp_path, buffer.getvalue(), "filled.xlsx")
    assert sheets.outcome(result) == {"scored": {"0012": True}, "held": ["C2"], "invalid": {}}
    assert not result.coverage.notes
