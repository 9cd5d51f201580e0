"""What the XLSX loader tells apart, and what it refuses."""

import io
from datetime import datetime
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from evalbatch import EvalbatchError
from evalbatch.loaders.xlsx.book import open_book
from evalbatch.loaders.xlsx.parser import Found
from evalbatch.loaders.xlsx.worksheet import Worksheet
from evalbatch.records import Kind
from tests import books, sheets

HEADER = books.texts(1, "id", "text", "struck")
FALSE = '<c t="b"><v>0</v></c>'


def row(number: int, text_cell: str) -> str:
    """Make a span row with a given text cell."""
    return (
        f'<row r="{number}"><c t="inlineStr"><is><t>f{number}</t></is></c>{text_cell}{FALSE}</row>'
    )


def cells(data: bytes) -> dict[tuple[int, int], Found]:
    """Give all cells of the first sheet by row and column, from 1."""
    book = open_book(data)
    return {
        (one.number, cell.column + 1): cell
        for one in Worksheet(book, book.sheets[0]).rows()
        for cell in one.cells
    }


@pytest.mark.parametrize(
    ("text_cell", "outcome"),
    [
        pytest.param('<c t="str"><f>""</f><v></v></c>', "", id="formula-gives-empty-text"),
        pytest.param('<c t="inlineStr"><is/></c>', "", id="empty-inline-text"),
        pytest.param('<c t="inlineStr"><is><t>[Blank]</t></is></c>', "", id="marker"),
        pytest.param("<c/>", "observation-text", id="formatted-but-empty"),
        pytest.param("<c><v>14</v></c>", "observation-text", id="number"),
        pytest.param('<c t="b"><v>1</v></c>', "observation-text", id="boolean"),
        pytest.param('<c t="e"><v>#N/A</v></c>', "observation-text cell-error", id="error"),
        pytest.param("<c><f>A1</f></c>", "observation-text formula-not-calculated", id="no-result"),
        pytest.param('<c t="d"><v>2026-01-02</v></c>', "observation-text", id="date"),
        pytest.param('<c t="str"><f>A1</f><v>TRUE</v></c>', "TRUE", id="formula-gives-text"),
        pytest.param(
            '<c t="inlineStr"><is><r><t>1</t></r><r><rPr><b/></rPr><t xml:space="preserve"> 2</t>'
            '</r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>',
            "1 2",
            id="runs-without-guides",
        ),
        pytest.param(
            '<c t="inlineStr"><is><t>a_x000D_b_x005F_x0041_</t></is></c>',
            "a\rb_x0041_",
            id="escapes",
        ),
        pytest.param('<c t="inlineStr"><is><t> a </t></is></c>', " a ", id="spaces-kept"),
    ],
)
def test_text_cells(tmp_path: Path, text_cell: str, outcome: str) -> None:
    """Each kind of cell is what it is: a text, a known blank, or no observation."""
    result = sheets.run(tmp_path, books.made(HEADER + row(2, text_cell)), "s.xlsx")
    found = sheets.outcome(result)
    assert list((found["scored"] | found["invalid"]).values()) == [outcome]


@pytest.mark.parametrize(
    ("cell", "is_true"),
    [
        pytest.param('<c t="b"><v>true</v></c>', True, id="word"),
        pytest.param("<c><f>TRUE()</f><v>0</v></c>", True, id="libreoffice-manual-calculation"),
        pytest.param('<c t="n"><f>=true()</f></c>', True, id="without-result"),
        pytest.param('<c t="b"><f>FALSE()</f><v>1</v></c>', False, id="formula-wins"),
        pytest.param('<c t="b"><f>1=1</f><v>1</v></c>', True, id="saved-result"),
        pytest.param("<c><v>1</v></c>", None, id="number"),
        pytest.param('<c t="str"><v>TRUE</v></c>', None, id="text"),
    ],
)
def test_booleans(tmp_path: Path, cell: str, is_true: bool | None) -> None:
    """A Boolean cell, or the formulas in which LibreOffice saves one."""
    key = books.texts(1, *books.KEY) + (
        '<row><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>agreed</t></is></c>'
        f'<c t="b"><v>1</v></c>{cell}</row>'
    )
    result = sheets.run(tmp_path, books.made(key), "k.xlsx")
    assert list(result.scored["pass"]) == ([] if is_true is None else [is_true])


@pytest.mark.parametrize(
    ("value", "number_format", "outcome"),
    [
        pytest.param(12, "General", "12", id="whole"),
        pytest.param(12, "@", "12", id="as-text"),
        pytest.param(12, "000", "id-not-text", id="shows-012"),
        pytest.param(10**15, "General", "id-not-text", id="too-long"),
        pytest.param(1.5, "General", "id-not-text", id="fraction"),
        pytest.param(datetime(2026, 3, 1), "yyyy-mm-dd", "id-not-text", id="date"),
        pytest.param(True, "General", "id-not-text", id="boolean"),
        pytest.param("0012", "General", "0012", id="text"),
        pytest.param(" ", "General", "id-missing", id="white-space"),
    ],
)
def test_ids(tmp_path: Path, value: Any, number_format: str, outcome: str) -> None:
    """A text, or a whole number whose cell shows its digits and nothing else."""
    book = openpyxl.load_workbook(
        io.BytesIO(books.written([books.KEY, [value, "agreed", True, True]]))
    )
    book["key"]["A2"].number_format = number_format
    result = sheets.run(tmp_path, books.saved(book), "k.xlsx")
    scored, invalid = list(result.scored["id"].astype(str)), list(result.invalid["reason"])
    assert scored + invalid == [outcome]


def test_numbers_as_text_is_declared(tmp_path: Path) -> None:
    """A whole number in a plain format is then the text of its digits."""
    data = books.written([["id", "text", "struck"], ["a", 14, False], ["b", 1.5, False]])
    result = sheets.run(tmp_path, data, "s.xlsx", numbers_as_text=True)
    assert list(result.invalid["reason"]) == ["observation-text"]
    assert (
        sheets.results(sheets.publish(tmp_path, data, "s.xlsx", numbers_as_text=True))["scored"][0][
            "current"
        ]
        == "14"
    )


def test_merged_cells(tmp_path: Path) -> None:
    """A covered cell is not absent but merged; a merged id covers the rows of its field."""
    rows = HEADER + "".join(row(n, '<c t="inlineStr"><is><t>x</t></is></c>') for n in (2, 3, 4, 5))
    rows = rows.replace("<is><t>f3</t></is>", "<is><t></t></is>")
    merges = '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="B4:B5"/></mergeCells>'
    result = sheets.run(tmp_path, books.made(rows, more=merges), "s.xlsx")
    assert list(result.held["id"]) == ["f2"]
    assert sheets.outcome(result)["scored"] == {"f4": "x"}
    assert list(result.invalid["reason"]) == ["observation-text cell-merged"]


def test_text_struck_by_its_format_is_noted(tmp_path: Path) -> None:
    """By a run's own format, else the cell's; and the mark still counts alone."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for values in (
        ["id", "text", "struck"],
        ["a", "x", False],
        ["b", "y", True],
        ["c", "z", False],
    ):
        sheet.append(values)
    sheet["B2"].font = sheet["B3"].font = Font(strike=True)
    sheet["B4"].value = CellRichText("z", TextBlock(InlineFont(strike=True), "q"))
    found = sheets.run(tmp_path, books.saved(book), "s.xlsx")
    assert sheets.outcome(found)["scored"] == {"a": "x", "c": "zq"}
    assert [(note.code, note.cells) for note in found.coverage.notes] == [
        ("struck-by-format", ("B2", "B4"))
    ]


def test_sheets_are_chosen_by_visibility_and_header(tmp_path: Path) -> None:
    """Several that fit, or none, are refused with what each lacks."""
    book = openpyxl.Workbook()
    first = book.active
    assert first is not None
    first.append(["week", 31])
    for title in ("one", "two"):
        sheet = book.create_sheet(title)
        sheet.append(books.KEY)
        sheet.append([title, "agreed", True, True])
    with pytest.raises(EvalbatchError, match=r"'Sheet' lacks .*; 'one' fits; 'two' fits\."):
        sheets.run(tmp_path, books.saved(book), "k.xlsx")
    named = sheets.run(tmp_path, books.saved(book), "k.xlsx", sheet="two")
    assert list(named.scored["id"]) == ["two"]
    assert named.coverage.source.sheet == "two"
    book["one"].sheet_state = "hidden"
    assert list(sheets.run(tmp_path, books.saved(book), "k.xlsx").scored["id"]) == ["two"]
    with pytest.raises(EvalbatchError, match="no sheet is named 'three'; there are 'Sheet', 'one'"):
        sheets.run(tmp_path, books.saved(book), "k.xlsx", sheet="three")


def test_overlapping_merges_are_damage(tmp_path: Path) -> None:
    """No spreadsheet makes them, and each says something else."""
    merges = '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="A3:A4"/></mergeCells>'
    rows = HEADER + row(2, TEXT) + row(3, TEXT) + row(4, TEXT)
    with pytest.raises(EvalbatchError, match="merged cells overlap in row 3"):
        sheets.run(tmp_path, books.made(rows, more=merges), "s.xlsx")


def test_what_stands_beside_the_data_is_no_row(tmp_path: Path) -> None:
    """Controls have elements named row as well, and extensions of the workbook's properties."""
    more = "<controls><anchor><from><xdr:row>2</xdr:row></from></anchor></controls>"
    more = more.replace("<controls>", '<controls xmlns:xdr="x">')
    last = '<row r="1048576"><c s="0"/></row>'
    result = sheets.run(tmp_path, books.made(HEADER + row(2, TEXT) + last, more=more), "s.xlsx")
    assert len(result.scored) == 1
    assert result.coverage.blank_rows == 0


def test_a_stray_cell_in_the_last_column_costs_nothing(tmp_path: Path) -> None:
    """White space is no header, and a far column no sixteen thousand columns."""
    header = HEADER.replace("</row>", '<c r="XFD1" t="inlineStr"><is><t> </t></is></c></row>')
    stray = row(2, TEXT).replace("</row>", '<c r="XFD2"><v>1</v></c></row>')
    result = sheets.run(tmp_path, books.made(header + stray + row(3, TEXT)), "s.xlsx")
    assert list(result.scored.columns)[-3] == "column XFD"
    assert len(result.scored.columns) == 9


def test_rows_of_empty_texts_are_counted_wherever_they_stand(tmp_path: Path) -> None:
    """Between cases and behind them."""
    empty = '<row r="{}"><c t="inlineStr"><is><t></t></is></c></row>'
    rows = HEADER + row(2, TEXT) + empty.format(3) + row(5, TEXT) + empty.format(6)
    assert sheets.run(tmp_path, books.made(rows), "s.xlsx").coverage.blank_rows == 3


@pytest.mark.parametrize(
    ("serial", "number_format", "is_1904", "text"),
    [
        pytest.param(61, "yyyy-mm-dd", False, "1900-03-01", id="day-61"),
        pytest.param(60, "yyyy-mm-dd", False, "1900-02-29", id="the-day-that-was-not"),
        pytest.param(1, "d/m/yy", False, "1900-01-01", id="day-1"),
        pytest.param(45000.5, "d mmm yyyy hh:mm", False, "2023-03-15T12:00:00", id="with-time"),
        pytest.param(0.25, "hh:mm", False, "06:00:00", id="time"),
        pytest.param(40000, "yyyy-mm-dd", True, "2013-07-07", id="1904"),
        pytest.param(1.5, "[h]:mm", False, "1.5", id="duration-is-a-number"),
        pytest.param(5, '0 "days"', False, "5", id="quoted-letters"),
    ],
)
def test_dates(serial: float, number_format: str, is_1904: bool, text: str) -> None:
    """By format and epoch; what is no date stays the number that it is."""
    code = number_format.replace('"', "&quot;")
    pr = '<workbookPr date1904="1"/><extLst><x15:workbookPr xmlns:x15="x"/></extLst>'
    data = books.made(
        f'<row><c s="1"><v>{serial}</v></c></row>',
        parts={
            "xl/styles.xml": f'<styleSheet><numFmts><numFmt numFmtId="200" formatCode="{code}"/>'
            '</numFmts><cellXfs><xf/><xf numFmtId="200"/></cellXfs></styleSheet>',
        },
        properties=pr if is_1904 else "",
    )
    assert cells(data)[1, 1].text == text


TEXT = '<c t="inlineStr"><is><t>x</t></is></c>'


@pytest.mark.parametrize(
    ("sheet_data", "message"),
    [
        pytest.param(row(2, TEXT) + row(2, TEXT), "row 2 follows row 2", id="repeated-row"),
        pytest.param(row(3, TEXT) + row(2, TEXT), "row 2 follows row 3", id="misordered-row"),
        pytest.param('<row r="4000000000"/>', "the number '4000000000'", id="no-such-row"),
        pytest.param(row(2, '<c t="s"><v>7</v></c>'), "shared string '7'", id="no-such-string"),
        pytest.param(row(2, '<c t="s"><v>-1</v></c>'), "shared string '-1'", id="negative-string"),
        pytest.param(
            '<row r="2"><c r="B2"/><c r="A2"/></row>', "out of order", id="misordered-cell"
        ),
        pytest.param(
            '<row r="2"><c r="B3"/></row>', "row 2 has a cell 'B3'", id="cell-of-another-row"
        ),
        pytest.param('<row r="2"><c r="ZZZ2"/></row>', "out of order", id="no-such-column"),
        pytest.param(row(2, "<c><v>x</v></c>"), "the number 'x'", id="no-number"),
        pytest.param(row(2, "<c><v>1_0</v></c>"), "the number '1_0'", id="python-number"),
        pytest.param(row(2, '<c t="b"><v>2</v></c>'), "the Boolean '2'", id="no-boolean"),
        pytest.param(row(2, '<c t="z"><v>2</v></c>'), "the type 'z'", id="no-type"),
        pytest.param(row(2, TEXT)[:-2], "is no XML", id="cut-off"),
    ],
)
def test_damage_is_refused(tmp_path: Path, sheet_data: str, message: str) -> None:
    """Never a wrong cell, and never fewer rows than there are."""
    with pytest.raises(EvalbatchError, match=message):
        sheets.run(tmp_path, books.made(HEADER + sheet_data), "s.xlsx")


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**18), 10**18),
    st.floats(-1e300, 1e300),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")),
    st.datetimes(datetime(1901, 1, 1), datetime(2999, 1, 1)).map(
        lambda one: one.replace(microsecond=0)
    ),
)


@given(st.lists(st.lists(values, min_size=1, max_size=4), min_size=1, max_size=6))
@settings(max_examples=200, deadline=None)
def test_openpyxl_reads_the_same(rows: list[list[Any]]) -> None:
    """On every kind of cell that it can write, openpyxl is the oracle."""
    data = books.written(rows)
    found = cells(data)
    sheet = openpyxl.load_workbook(io.BytesIO(data), data_only=True)["key"]
    for oracle in (cell for line in sheet.iter_rows() for cell in line):
        assert oracle.row is not None
        assert oracle.column is not None
        cell = found.pop((oracle.row, oracle.column), None)
        value = oracle.value
        if value is None:
            assert cell is None or cell.text == ""
            continue
        assert cell is not None
        if isinstance(value, bool):
            assert (cell.kind, cell.text) == (Kind.BOOLEAN, str(value).lower())
        elif isinstance(value, int | float):
            assert cell.kind in (Kind.NUMBER, Kind.WHOLE)
            assert float(cell.text) == float(value)
        elif isinstance(value, str):
            assert (cell.kind, cell.text) == (Kind.TEXT, value)
        else:
            assert cell.kind == Kind.DATE
            assert datetime.fromisoformat(cell.text) == value
    assert not found
