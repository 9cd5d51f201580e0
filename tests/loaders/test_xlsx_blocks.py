"""Rows of a workbook read many at once: the same cells as the XML parser finds, or left to it."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbatch import EvalbatchError
from evalbatch.loaders import load
from evalbatch.loaders.options import ReadOptions
from evalbatch.loaders.xlsx import block, worksheet
from evalbatch.loaders.xlsx.book import open_book
from evalbatch.loaders.xlsx.worksheet import Worksheet
from evalbatch.records import Kind
from evalbatch.schema import Schema
from tests import books

STYLES = (
    "<styleSheet><fonts><font/><font><strike/></font></fonts><cellXfs>"
    '<xf numFmtId="0" fontId="0"/><xf numFmtId="14" fontId="0"/><xf numFmtId="2" fontId="0"/>'
    '<xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>'
)
HEADER = books.texts(1, "id", "text", "struck", "note")
# The sheet's first 64 KiB are always read by the parser.
FILLER = "".join(
    f'<row r="{number}"><c r="A{number}" t="str"><v>{"x" * 600}</v></c></row>'
    for number in range(2, 140)
)
PLAIN = (
    't="inlineStr"><is><t>words</t></is></c>',
    't="inlineStr"><is><t xml:space="preserve"> a &amp; &lt;&gt;&quot;&apos; &amp;lt;</t></is></c>',
    't="inlineStr"><is><t>dé _x000D_ 漢 _x005F_</t></is></c>',
    't="inlineStr"><is><t></t></is></c>',
    't="str"><v>result</v></c>',
    't="str"><v></v></c>',
    't="b"><v>1</v></c>',
    't="b" s="0"><v>0</v></c>',
    's="1"><v>46000.5</v></c>',
    's="2"><v>0.5</v></c>',
    "><v>12</v></c>",
    "><v>1E3</v></c>",
    't="n"><v></v></c>',
    't="e"><v>#N/A</v></c>',
    's="2"/>',
    "></c>",
)
UNPLAIN = (
    't="b"><f>TRUE()</f><v>1</v></c>',
    't="inlineStr" s="3"><is><t>struck</t></is></c>',
    't="inlineStr"><is><r><rPr><strike/></rPr><t>runs</t></r></is></c>',
    't="inlineStr"><is><t>&#65;</t></is></c>',
    't="inlineStr"><is><t><![CDATA[<c>]]></t></is></c>',
    't="inlineStr"><is><t>a<!-- </row> -->b</t></is></c>',
    't="inlineStr"><is><t>a\rb</t></is></c>',
    't="d"><v>2026-01-02</v></c>',
    't="b"><v>true</v></c>',
    "t='str'><v>quoted otherwise</v></c>",
    ' t="str"><v>two blanks</v></c>',
    't="inlineStr"><v>no text</v></c>',
    "><v/></c>",
)


def cell(reference: str, rest: str) -> str:
    """Make a cell with a reference."""
    return f'<c r="{reference}" {rest}'.replace('" >', '">')


def row(number: int, cells: Sequence[str | None], attributes: str = "") -> str:
    """Make a row of cells, None where there is none."""
    found = [
        cell(f"{letter}{number}", rest)
        for letter, rest in zip("ABCDEFGH", cells, strict=False)
        if rest is not None
    ]
    return f'<row r="{number}"{attributes}>{"".join(found)}</row>'


def workbook(*rows: str) -> bytes:
    """Make a workbook of which these rows come behind what the parser always reads."""
    return books.made(HEADER + FILLER + "".join(rows), parts={"xl/styles.xml": STYLES})


def by_parser(data: bytes) -> dict[tuple[int, int], tuple[str, Kind]]:
    """Give the cells below the header as the XML parser finds them, but those of blank rows."""
    book = open_book(data)
    rows = list(Worksheet(book, book.sheets[0]).rows())[1:]
    return {
        (one.number, found.column): (found.text, found.kind)
        for one in rows
        if any(found.text for found in one.cells)
        for found in one.cells
    }


def has_blocks(data: bytes) -> bool:
    """Tell whether some rows were read at once."""
    book = open_book(data)
    rows = Worksheet(book, book.sheets[0], takes_blocks=True).rows_and_blocks()
    return any(isinstance(one, block.Block) for one in rows)


def loaded(data: bytes, folder: Path) -> dict[tuple[int, int], tuple[str, Kind]]:
    """Give the cells as the loader hands them on."""
    path = folder / "sheet.xlsx"
    path.write_bytes(data)
    sheet = load(path, Schema.build(None, {}), ReadOptions())
    return {
        (number, column.position): (text, Kind(kind))
        for column in sheet.columns
        if column.kind is not None
        for number, text, kind in zip(
            sheet.source_rows.tolist(), column.text.to_pylist(), column.kind.tolist(), strict=True
        )
        if kind != Kind.EMPTY
    }


@given(
    st.lists(
        st.tuples(
            st.lists(st.none() | st.sampled_from(PLAIN), min_size=4, max_size=4),
            st.sampled_from(["", ' hidden="1"', ' spans="1:4" ht="15"']),
            st.integers(0, 2),
        ),
        max_size=30,
    ),
    st.none() | st.sampled_from(UNPLAIN),
)
def test_a_sheet_is_the_same_however_it_is_read(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[list[str | None], str, int]],
    odd: str | None,
) -> None:
    """Rows of every form, blank ones, gaps, and one cell that only the parser can read."""
    written, number = [], 150
    for cells, attributes, gap in rows:
        number += 1 + gap
        written.append(row(number, cells, attributes))
    if odd is not None:
        written.append(row(number + 1, [None, odd]))
    data = workbook(*written, row(number + 2, ['t="str"><v>last</v></c>']))
    assert has_blocks(data) == (odd is None)
    assert loaded(data, tmp_path_factory.mktemp("blocks")) == by_parser(data)


@pytest.mark.parametrize("odd", [UNPLAIN[0], UNPLAIN[4], UNPLAIN[5], PLAIN[0]])
def test_the_parser_reads_a_block_between_others(
    odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet of several blocks with one odd cell in its midst."""
    monkeypatch.setattr(worksheet, "_BLOCK", 1 << 20)
    long = f't="inlineStr"><is><t>{"x" * 900}</t></is></c>'
    rows = [
        row(number, [PLAIN[6], None, odd if number == 2000 else long])
        for number in range(150, 4000)
    ]
    data = workbook(*rows)
    assert loaded(data, tmp_path) == by_parser(data)


def test_rows_are_in_order_from_block_to_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row that stands behind a later one damages the workbook, in whatever block it is."""
    last, end_of_rows = b"<t>the first block ends here</t></is></c></row>", worksheet._end_of_rows

    def ends(waiting: bytearray) -> int:
        return waiting.find(last) + len(last) if last in waiting else end_of_rows(waiting)

    monkeypatch.setattr(worksheet, "_BLOCK", 1 << 17)
    monkeypatch.setattr(worksheet, "_end_of_rows", ends)
    long = f't="inlineStr"><is><t>{"x" * 900}</t></is></c>'
    here = 't="inlineStr"><is><t>the first block ends here</t></is></c>'
    rows = [row(number, [PLAIN[6], long]) for number in range(150, 300)]
    rows.append(row(300, [PLAIN[6], here]))
    assert (301, 0) in loaded(workbook(*rows, row(301, [PLAIN[6]])), tmp_path)
    with pytest.raises(EvalbatchError, match="row 300 follows row 300"):
        loaded(workbook(*rows, row(300, [PLAIN[6]])), tmp_path)


@pytest.mark.parametrize(
    ("head", "is_plain"),
    [
        ('<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n', True),
        ("<?xml version='1.0' encoding='utf-8'?>", True),
        ('<?xml version="1.0"?>', True),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>', False),
        ("<!-- a remark -->", False),
        ("<?remark?>", False),
    ],
)
def test_how_a_part_begins(head: str, is_plain: bool, tmp_path: Path) -> None:
    """Another encoding than UTF-8 is the parser's, and so are rows that could stand in a remark."""
    rows = HEADER + FILLER + row(150, [PLAIN[2]])
    sheet = f"{head}<worksheet><sheetData>{rows}</sheetData></worksheet>"
    data = books.made("", parts={"xl/worksheets/sheet1.xml": sheet, "xl/styles.xml": STYLES})
    assert has_blocks(data) == is_plain
    assert loaded(data, tmp_path) == by_parser(data)


@pytest.mark.parametrize("rest", PLAIN)
def test_plain_rows_are_read_at_once(rest: str) -> None:
    """A cell of a form that programs write leaves nothing to the parser."""
    book = open_book(workbook())
    data = row(7, ['t="str"><v>id</v></c>', rest]).encode()
    found = block.read(data, book)
    assert found is not None
    assert found.numbers.tolist() == [7]
    assert found.columns[0].text.to_pylist() == ["id"]


@pytest.mark.parametrize("rest", UNPLAIN)
def test_other_rows_are_left_to_the_parser(rest: str) -> None:
    """What could mean something else in XML is not read here."""
    book = open_book(workbook())
    data = row(7, ['t="str"><v>id</v></c>', rest]).encode()
    assert block.read(data, book) is None


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(row(7, [PLAIN[0]]) + row(7, [PLAIN[0]]), id="row-again"),
        pytest.param(row(1 << 21, [PLAIN[0]]), id="row-beyond-the-last"),
        pytest.param('<row r="07"><c r="A7"><v>1</v></c></row>', id="number-with-zeros"),
        pytest.param('<row r="7" r="8"><c r="A7"><v>1</v></c></row>', id="attribute-twice"),
        pytest.param('<row r="7"><c r="A8"><v>1</v></c></row>', id="cell-of-another-row"),
        pytest.param('<row r="7"><c r="A71"><v>1</v></c></row>', id="number-goes-on"),
        pytest.param('<row r="7"><c r="B7"><v>1</v></c><c r="A7"/></row>', id="cells-misordered"),
        pytest.param('<row r="7"><c r="XFE7"><v>1</v></c></row>', id="column-beyond-the-last"),
        pytest.param('<row r="7"><c r="A7" s="1" s="1"><v>1</v></c></row>', id="style-twice"),
        pytest.param('<row r="7"><c r="A7" s="9"><v>1</v></c></row>', id="no-such-style"),
        pytest.param('<row r="7"><c r="A7" t="s"><v>0</v></c></row>', id="no-such-string"),
        pytest.param('<row r="7"><c r="A7"><v>one</v></c></row>', id="no-number"),
        pytest.param('<row r="7"><c r="A7"><v>1</c></v></row>', id="tags-crossed"),
        pytest.param('<row r="7"><c r="A7"><v>1</v></row>', id="cell-not-ended"),
        pytest.param(
            '<row r="7"><c r="A7"><v>1</v></c></row></sheetData><row r="8"></row>', id="end"
        ),
        pytest.param('<row r="7"><c r="A7"><v>1 > 0</v></c></row>', id="bare-greater-than"),
        pytest.param('<row r="7"><c r="A7" t="str"><v>\x01</v></c></row>', id="control-character"),
    ],
)
def test_what_may_be_damaged_is_left_to_the_parser(text: str) -> None:
    """So that it is refused with the same words as ever."""
    book = open_book(workbook())
    assert block.read(text.encode(), book) is None


def test_bytes_that_are_no_utf8_are_left_to_the_parser() -> None:
    """The parser decodes them, or refuses them."""
    book = open_book(workbook())
    data = row(7, ['t="str"><v>é</v></c>'])
    assert block.read(data.encode(), book) is not None
    assert block.read(data.encode("latin-1"), book) is None


def test_shared_strings_are_looked_up(tmp_path: Path) -> None:
    """By their numbers; one that is not there makes the workbook damaged."""
    parts = {
        "xl/_rels/workbook.xml.rels": '<Relationships><Relationship Id="r1" Type="x/worksheet" '
        'Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="x/sharedStrings" '
        'Target="sharedStrings.xml"/></Relationships>',
        "xl/sharedStrings.xml": "<sst><si><t>one &amp; two</t></si><si><t/></si>"
        "<si><r><rPr><strike/></rPr><t>struck</t></r></si></sst>",
    }
    for index, is_damaged in (("0", False), ("1", False), ("3", True), ("-1", True)):
        rows = [row(150, ['t="str"><v>id</v></c>', f't="s"><v>{index}</v></c>'])]
        data = books.made(HEADER + FILLER + "".join(rows), parts=parts)
        if is_damaged:
            with pytest.raises(EvalbatchError, match="the shared string"):
                loaded(data, tmp_path)
        else:
            found = loaded(data, tmp_path)
            assert has_blocks(data)
            assert found == by_parser(data)
            assert found[150, 1] == (["one & two", ""][int(index)], Kind.TEXT)
    book = open_book(data)
    assert book.strings[2].runs == (("struck", True),)
    assert block.read(row(7, ['t="s"><v>2</v></c>']).encode(), book) is None
