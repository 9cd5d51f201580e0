"""Sheets of the kinds that reviewers' spreadsheets really produce, each with its outcome."""

import json
import re
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.utils.escape import unescape

import evalbatch
from evalbatch import EvalbatchError
from tests import sheets

HAZARDS = Path(__file__).parent / "hazards"
OUTCOMES: dict[str, dict[str, Any]] = json.loads((HAZARDS / "outcomes.json").read_text())
REFUSED = {name for name, expected in OUTCOMES.items() if "exit" in expected}
GENERATED = {"21_huge_field.csv"}

# What the message of a refusal must say, by the words of outcomes.json made exact.
MESSAGES = {
    "04_cp1252.csv": r"not UTF-8: byte 0xe9 at offset 28, in row 2\..*--encoding cp1252",
    "09_unclosed_quote.csv": "a quote opens in row 3 and is never closed",
    "13_duplicate_header.csv": "two columns for the role answer: 'answer' and 'answer'",
    "15_no_header.csv": "row 1 is no header.*'q1', 'agreed', 'true', 'false'.*--column",
    "16_header_not_first.csv": "row 1, .* is no header; row 3 is.*--header-row 3",
    "17_empty.csv": "the file is empty",
    "17c_header_only.csv": "a header and no cases",
    "19_nul.csv": "a NUL byte stands in row 2",
    "68_entity_bomb.xlsx": "a DTD in a workbook part",
    "69_xxe.xlsx": "a DTD in a workbook part",
    "70_zip_bomb.xlsx": "unpacks to too much",
    "79_html_as.xlsx": "looks like HTML",
    "79c_xlsx_as.csv": "looks like a workbook",
    "80_encrypted.xlsx": "looks like an encrypted workbook",
    "98_key.ods": "looks like an ODS file",
    "~$50_bool_kinds.xlsx": "an owner file: the workbook is open in Excel",
}
# The notes that must stand in the coverage.
NOTES = {
    "11_trailing_empty.csv": "1,200 empty rows skipped",
    "18_truncated.csv": "row 3, the last, is cut off",
    "32_localized_bool.csv": "--true WAHR.*--false FALSCH",
    "34_ids_mangled.csv": r"'1.23457E\+17' \(A6\), '01-Mar' \(A7\), '2-Sep' \(A8\)",
    "58_filtered_hidden.xlsx": "2 hidden rows read",
    "36_lookalike_ids.csv": r"'A1' \(A2\) and 'A\\u200b1' \(A4\) and '\\uff21\\uff11' \(A7\)",
}


def test_every_hazard_has_a_test() -> None:
    """No outcome is left out."""
    files = {path.name for path in HAZARDS.iterdir()} - {"outcomes.json"}
    assert files | GENERATED == set(OUTCOMES)
    assert set(MESSAGES) == REFUSED


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_refused(name: str) -> None:
    """The sheet is refused, in words that say what and where."""
    with pytest.raises(EvalbatchError, match=MESSAGES[name]) as refusal:
        evalbatch.run(HAZARDS / name)
    assert refusal.value.exit_code == 2
    assert str(refusal.value).startswith(name)


@pytest.mark.parametrize("name", sorted(set(OUTCOMES) - REFUSED - GENERATED))
def test_outcome(name: str) -> None:
    """Each case ends where it must, and notes say what a reader has to know."""
    expected = OUTCOMES[name]
    result = evalbatch.run(HAZARDS / name)
    found = sheets.outcome(result)
    if "scored" in expected:
        assert found["scored"] == expected["scored"]
    if "scored_ids" in expected:
        assert set(found["scored"]) >= set(expected["scored_ids"])
    if "scored_count" in expected:
        assert len(found["scored"]) == expected["scored_count"]
    assert found["held"] == expected.get("held", [])
    assert len(result.invalid) == expected.get("invalid_count", len(expected.get("invalid", {})))
    for case, reason in expected.get("invalid", {}).items():
        assert reason in found["invalid"][case].split()
    notes = "\n".join(note.text for note in result.coverage.notes)
    if name in NOTES:
        assert re.search(NOTES[name], notes)


def test_a_dropped_empty_text_names_the_marker() -> None:
    """LibreOffice drops every empty text; the problem says what to do (91_lo_resaved_empties)."""
    problems = evalbatch.run(HAZARDS / "91_lo_resaved_empties.xlsx").invalid["problem"]
    assert problems.str.contains("the marker [blank] if a blank was seen", regex=False).any()


@pytest.mark.parametrize(
    "name", ["22_cell_32768.csv", "40_formula_injection.csv", "42_control_chars.csv"]
)
def test_a_workbook_of_hostile_texts_gives_them_back(tmp_path: Path, name: str) -> None:
    """Only a text that is too long for a cell is cut, and says so."""
    out = tmp_path / "out"
    evalbatch.run(HAZARDS / name, out, to=["xlsx", "json"])
    exact = {field["id"]: field["current"] for field in sheets.results(out)["scored"]}
    book = openpyxl.load_workbook(out / "results.xlsx")
    cells = {row[0].value: row[1] for row in book["scored"].iter_rows(min_row=2)}
    assert {cell.data_type for cell in cells.values()} == {"s"}
    for case, text in exact.items():
        found = unescape(str(cells[case].value))
        if len(text) > 32_767:
            assert len(found) == 32_767
            assert found.endswith(
                f"the whole text of {len(text):,} characters is in the sheet that was evaluated]"
            )
        else:
            assert found == text


def test_cp1252_is_exact_once_it_is_named() -> None:
    """--encoding gives the text as it was written."""
    result = evalbatch.run(HAZARDS / "04_cp1252.csv", encoding="cp1252")
    assert list(result.scored["current"]) == ["café – “q” €"]


def test_declared_spellings_are_scored() -> None:
    """The options that the note names make the German row a scored one."""
    result = evalbatch.run(HAZARDS / "32_localized_bool.csv", true=["WAHR"], false=["FALSCH"])
    assert sheets.outcome(result)["scored"] == {"de": False}


@pytest.mark.parametrize("size", [131_072, 10_000_000])
def test_a_huge_field_is_read(tmp_path: Path, size: int) -> None:
    """A field of 10 MB is a field like any other (21_huge_field.csv, and larger)."""
    data = f"field_id,text,struck\r\nf1,{'x' * size},false\r\nf2,y,false\r\n"
    result = sheets.run(tmp_path, data)
    assert list(result.scored["id"]) == OUTCOMES["21_huge_field.csv"]["scored_ids"]
    assert list(result.scored["current"].str.len()) == [size, 1]


def test_injected_formulas_are_escaped_and_come_back(tmp_path: Path) -> None:
    """scored.csv is safe to open, results.json exact, and the part reads as before."""
    out = tmp_path / "out"
    evalbatch.run(HAZARDS / "40_formula_injection.csv", out)
    expected = OUTCOMES["40_formula_injection.csv"]["scored"]
    exact = {field["id"]: field["current"] for field in sheets.results(out)["scored"]}
    assert exact == expected
    written = {row[0]: row[1] for row in sheets.rows(out / "scored.csv")[1:]}
    assert written["f1"] == "'=1+1"
    assert written["f2"] == "+1"
    assert written["f10"] == "''=1+1"
    again = evalbatch.run(out / "scored.csv")
    assert sheets.outcome(again)["scored"] == expected
