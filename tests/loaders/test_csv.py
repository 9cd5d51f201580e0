"""What the CSV loader says of headers, encodings, rows and cells."""

from pathlib import Path
from typing import Any

import pytest

from evalbatch import EvalbatchError
from tests import sheets

ROW = "a,agreed,true,true\n"
HEADER = "id,state,expected,answer\n"


@pytest.mark.parametrize(
    "header",
    [
        pytest.param("ID,State,EXPECTED,answer\n", id="letter-case"),
        pytest.param(" id ,\u00a0state,expected\u200b,answer\n", id="white-space-and-zero-width"),
        pytest.param("case_id,state,expected,answer\n", id="case_id"),
        pytest.param("field_id,state,expected,answer\n", id="field_id"),
        pytest.param("\n,,,\nid,state,expected,answer\n", id="first-row-that-is-not-empty"),
        pytest.param("sep=,\nid,state,expected,answer\n", id="sep-line"),
    ],
)
def test_headers_match(tmp_path: Path, header: str) -> None:
    """Trimmed, in any ASCII letter case, and under the aliases of id."""
    assert len(sheets.run(tmp_path, header + ROW).scored) == 1


@pytest.mark.parametrize(
    ("text", "row"),
    [
        pytest.param(HEADER + ROW, 2, id="below-the-header"),
        pytest.param("\n\n" + HEADER + "\n" + ROW, 5, id="blank-rows-count"),
        pytest.param("sep=,\n" + HEADER + ROW, 2, id="sep-line-is-no-row"),
        pytest.param(
            HEADER[:-1] + ',note\na,agreed,true,true,"x\ny"\nb,agreed,true,true,\n',
            2,
            id="a-cell-of-two-lines-is-one-row",
        ),
    ],
)
def test_source_rows_are_those_that_the_spreadsheet_shows(
    tmp_path: Path, text: str, row: int
) -> None:
    """The header and blank rows count, physical lines do not."""
    found = list(sheets.run(tmp_path, text).scored["source_row"])
    assert found == list(range(row, row + len(found)))


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        pytest.param("id,text,struck\nf,é\u2028,false\n".encode("utf-8-sig"), None, id="utf-8-bom"),
        pytest.param("id,text,struck\nf,é\u2028,false\n".encode("utf-16"), None, id="utf-16-bom"),
        pytest.param(
            "\ufeffid,text,struck\nf,é\u2028,false\n".encode("utf-16-be"), None, id="utf-16-be-bom"
        ),
        pytest.param("id,text,struck\nf,é\u2028,false\n".encode(), None, id="utf-8"),
        pytest.param(
            "id,text,struck\nf,é\u2028,false\n".encode("utf-16-le"), "utf-16-le", id="named"
        ),
    ],
)
def test_encodings_are_exact(tmp_path: Path, data: bytes, encoding: str | None) -> None:
    """By the byte order mark, as UTF-8, or as named."""
    assert list(sheets.run(tmp_path, data, encoding=encoding).scored["current"]) == ["é\u2028"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        pytest.param("\n\n\n", {}, "every cell is empty", id="nothing-but-blank-rows"),
        pytest.param(
            "id,state\n1,agreed\n",
            {},
            "'id', 'state'.*lacks expected, answer.*--column",
            id="missing-columns",
        ),
        pytest.param(
            "sep=\u20ac\n" + HEADER + ROW, {}, "the sep= line is '\u20ac'; it must be one", id="sep"
        ),
        pytest.param('"i"d,text,struck\n', {}, "text follows the closing", id="header-quote"),
        pytest.param(
            HEADER + ROW, {"columns": {"expected": "golf"}}, "No column is named 'golf'", id="golf"
        ),
        pytest.param(HEADER, {"header_row": 5}, "the sheet ends before that row", id="header-row"),
        pytest.param(
            "id,state,expected,answer,text,struck\n",
            {},
            "answer-key.* as well as spans.*--task",
            id="two-tasks",
        ),
        pytest.param(
            "id,text,struck,spans\n",
            {},
            r"spans \(id, text, struck\) as well as spans \(id, spans",
            id="two-layouts",
        ),
        pytest.param(
            "id,case_id,state,expected,answer\n",
            {},
            "two columns for the role id: 'id' and 'case",
            id="two-ids",
        ),
        pytest.param(
            "id,state,expected,answer,;id;state;expected;answer\n",
            {},
            "more than one delimiter",
            id="two-delimiters",
        ),
        pytest.param(
            HEADER + ROW, {"columns": {"expected": "gold"}}, "lacks expected", id="no-such-column"
        ),
        pytest.param(
            HEADER + ROW, {"columns": {"expected": "answer"}}, "stands for both", id="one-for-two"
        ),
        pytest.param(
            HEADER + ROW, {"columns": {"gold": "answer"}}, "names the role 'gold'", id="role"
        ),
        pytest.param(HEADER + ROW, {"task": "spans"}, "lacks text, struck", id="task"),
        pytest.param(
            HEADER + ROW, {"task": "key"}, "must be answer-key or spans", id="no-such-task"
        ),
        pytest.param(HEADER + ROW, {"delimiter": ";"}, "lacks id", id="wrong-delimiter"),
        pytest.param(HEADER + ROW, {"delimiter": ";;"}, "one ASCII character", id="long-delimiter"),
        pytest.param(HEADER + ROW, {"encoding": "utf-9"}, "names no text encoding", id="encoding"),
        pytest.param(
            HEADER + ROW, {"encoding": "hex"}, "names no text encoding", id="no-text-codec"
        ),
        pytest.param(
            HEADER + "é", {"encoding": "ascii"}, "not ASCII: byte 0xc3", id="not-that-encoding"
        ),
        pytest.param(
            HEADER + ROW,
            {"true": ["ja"], "false": ["JA "]},
            "'ja' cannot mean both",
            id="two-meanings",
        ),
        pytest.param(HEADER + ROW, {"blank": ["FALSE"]}, "cannot mean both", id="taken-meaning"),
        pytest.param(HEADER + ROW, {"true": [" "]}, "--true needs a word", id="no-word"),
    ],
)
def test_refusals_say_what_and_what_to_do(
    tmp_path: Path, text: str, options: dict[str, Any], message: str
) -> None:
    """Nothing is guessed where a sheet or an option can be read in two ways or in none."""
    with pytest.raises(EvalbatchError, match=message):
        sheets.run(tmp_path, text, **options)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        pytest.param(
            "\ufeffid,text,struck\nf,é".encode()[:-1] + b"(",
            {},
            "0xc3 at offset 20, in row 2",
            id="bom",
        ),
        pytest.param(
            b'id,text,struck\n"a\n\n\nb",x,false\nf,' + b"\xe9", {}, "in row 3", id="quoted-lines"
        ),
        pytest.param(
            "\ufeffid\r\nb\r\n".encode("utf-16-le") + b"\x00\xd8x\x00", {}, "in row 3", id="utf-16"
        ),
        pytest.param(
            b"id\n\\ud800", {"encoding": "unicode_escape"}, "cannot be read", id="surrogate"
        ),
        pytest.param(b"id\n", {"encoding": "undefined"}, "cannot be read", id="codec-without-code"),
    ],
)
def test_bytes_that_are_not_of_their_encoding(
    tmp_path: Path, data: bytes, options: dict[str, Any], message: str
) -> None:
    """The offset is that of the file, the row that of the spreadsheet."""
    with pytest.raises(EvalbatchError, match=message):
        sheets.run(tmp_path, data, **options)


@pytest.mark.parametrize(
    ("name", "start", "message"),
    [
        pytest.param("~$a.csv", b"x", "owner file", id="excel-owner-file"),
        pytest.param(".~lock.a.csv#", b"x", "lock file", id="libreoffice-lock-file"),
        pytest.param("a.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel", id="xls"),
        pytest.param(
            "a.csv",
            b"PK\x03\x04" + b"-" * 26 + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
            "an ODS file, not",
            id="ods",
        ),
        pytest.param("a.csv", b"\n <HTML><body>", "looks like HTML", id="html"),
        pytest.param("a.csv", b"%PDF-1.7", "looks like a PDF", id="pdf"),
        pytest.param("a.ods", b"x", "evalbatch reads .xlsx", id="other-suffix"),
    ],
)
def test_files_that_are_something_else(
    tmp_path: Path, name: str, start: bytes, message: str
) -> None:
    """A file is told by its name and first bytes, in one line."""
    with pytest.raises(EvalbatchError, match=message) as refusal:
        sheets.run(tmp_path, start, name)
    assert "\n" not in str(refusal.value)


def test_columns_without_a_header(tmp_path: Path) -> None:
    """One with data is carried under its letter; one without is not."""
    result = sheets.run(tmp_path, "id,,text,struck,\na,x,t,false,\nb,,t,false,\n")
    assert list(result.scored.columns[6:-2]) == ["column B"]
    assert result.scored["column B"].tolist()[0] == "x"


def test_rows_that_lack_only_cells_without_a_role_are_noted(tmp_path: Path) -> None:
    """Excel leaves trailing empty cells out."""
    result = sheets.run(tmp_path, "id,text,struck,note\na,t,false\nb,t\nc,t,false,x,,\n")
    assert sheets.outcome(result) == {
        "scored": {"a": "t", "c": "t"},
        "held": [],
        "invalid": {"b": "row-malformed"},
    }
    assert [note.cells for note in result.coverage.notes] == [("row 2",)]


@pytest.mark.parametrize(
    ("text", "is_malformed"),
    [
        pytest.param('a,agreed,true,true,"see\nb,agreed,true,false,\n"\n', True, id="a-row-inside"),
        pytest.param('a,agreed,true,true,"b,disputed,,\nmore"\n', True, id="short-of-a-note"),
        pytest.param('a,"agreed,true,true,x\nb,disputed",,,\n', True, id="across-two-rows"),
        pytest.param('"see, p. 2\nand 3",agreed,true,true,\n', False, id="a-note-in-front"),
        pytest.param('a,agreed,true,true,"one, two\nthree"\n', False, id="prose"),
        pytest.param('a,agreed,true,true,"b,x,y,z,n\nmore"\n', False, id="no-state-or-boolean"),
        pytest.param('a,agreed,true,true,"b,agreed,true,true,n"\n', False, id="on-one-line"),
    ],
)
def test_a_cell_that_has_swallowed_rows(tmp_path: Path, text: str, is_malformed: bool) -> None:
    """A line inside a quoted cell that reads as a row of the sheet makes its row malformed."""
    result = sheets.run(tmp_path, "id,state,expected,answer,note\n" + text)
    assert (list(result.invalid["reason"]) == ["row-malformed"]) == is_malformed


def test_a_row_that_only_has_surplus_is_malformed_and_not_blank(tmp_path: Path) -> None:
    """It may be the rest of another row."""
    long = "s" * 100
    result = sheets.run(tmp_path, HEADER + ROW + f",,,,{long}\n")
    assert list(result.invalid["reason"]) == ["row-malformed"]
    assert f"surplus: '{long}'" in result.invalid["problem"][0]


def test_swallowed_rows_are_noted_for_they_are_not_counted(tmp_path: Path) -> None:
    """No bound holds for cases that stand inside a cell."""
    text = 'id,state,expected,answer,note\na,agreed,true,true,"\nb,agreed,true,true,\n"\n'
    found = sheets.run(tmp_path, text).coverage
    assert [(note.code, note.cells) for note in found.notes] == [("rows-swallowed", ("row 2",))]


def test_json_in_a_spans_column_is_not_taken_for_rows(tmp_path: Path) -> None:
    """Pretty-printed JSON has lines and commas of its own."""
    spans = '"[\n{""text"": ""a"",\n""struck"": false}\n]"'
    assert len(sheets.run(tmp_path, f"id,spans\nf,{spans}\n").scored) == 1


def test_quoted_empty_says_nothing_where_everything_is_quoted(tmp_path: Path) -> None:
    """Then the writer quotes whatever it writes."""
    rows = '"f","","false"\n"g","x","false"\n'
    quoted = sheets.run(tmp_path, '"id","text","struck"\n' + rows)
    assert sheets.outcome(quoted)["invalid"] == {"f": "observation-text"}
    bare = sheets.run(tmp_path, 'id,"text","struck"\n' + rows)
    assert sheets.outcome(bare)["scored"] == {"f": "", "g": "x"}


def test_options_that_widen_the_cells(tmp_path: Path) -> None:
    """Declared words are added to the defaults, trimmed, in any ASCII letter case."""
    text = "id;text;struck\na; LEER ;nein\nb;[Blank];FALSE\nc;x;JA\n"
    result = sheets.run(tmp_path, text, true=["ja"], false=["Nein"], blank=["leer "])
    assert sheets.outcome(result)["scored"] == {"a": "", "b": ""}
    assert sheets.outcome(result)["held"] == ["c"]


def test_a_header_need_not_be_readable_under_every_delimiter(tmp_path: Path) -> None:
    """A semicolon behind a doubled quote is a character of a name, and no delimiter."""
    data = 'id,"a""b;",state,expected,answer\nx,1,agreed,true,true\n'
    assert list(sheets.run(tmp_path, data).scored['a"b;']) == ["1"]
