"""Through the real LibreOffice and back: nothing becomes a formula, a number or another text."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import evalbatch
from evalbatch.loaders.xlsx.book import open_book
from evalbatch.loaders.xlsx.worksheet import Worksheet
from evalbatch.records import Kind
from tests import books, sheets

SOFFICE = shutil.which("soffice")
# CI installs LibreOffice; there these tests must run.
pytestmark = pytest.mark.skipif(
    SOFFICE is None and not os.environ.get("CI"), reason="LibreOffice is not installed"
)
ALL_SHEETS = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
Convert = Callable[[Path, str], Path]

HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "0012", "1E5", "1-2", "MARCH1", "TRUE", "false", "#N/A"]
HOSTILE += [
    "'x",
    "\t=1",
    " a ",
    "a\nb",
    "_x000D_",
    "é–“",
    "1.5",
    "12:30",
    "50%",
    "http://127.0.0.1",
]
KEY: list[list[Any]] = [
    ["id", "state", "expected", "answer", "note"],
    *([f"{n:04}", "agreed", n % 2 == 0, n % 3 == 0, text] for n, text in enumerate(HOSTILE)),
    ["held", "disputed", None, True, None],
    ["bad", "agreed", "TRUE", True, 7],
]


SPANS: list[list[Any]] = [
    ["id", "text", "struck"],
    ["first", None, False],
    *([f"f{n}", text, False] for n, text in enumerate(HOSTILE)),
    ["number", 12.5, True],
    ["mark", "x", "no"],
    [None, "y", True],
]


@pytest.fixture(scope="module")
def convert(tmp_path_factory: pytest.TempPathFactory) -> Convert:
    """Save a file by LibreOffice in another format, and give the folder with what it saved."""
    profile = tmp_path_factory.mktemp("profile")

    def run(path: Path, target: str) -> Path:
        folder = tmp_path_factory.mktemp("saved")
        arguments = [
            "--headless",
            f"-env:UserInstallation=file://{profile}",
            "--convert-to",
            target,
        ]
        subprocess.run(
            [str(SOFFICE), *arguments, "--outdir", str(folder), str(path)],
            check=True,
            capture_output=True,
            timeout=120,
        )
        return folder

    return run


def cells(path: Path) -> dict[str, list[tuple[int, int, str, bool]]]:
    """Give each sheet's cells: row, column, characters, and whether it is a Boolean."""
    book = open_book(path.read_bytes())
    return {
        entry.name: [
            (row.number, cell.column, cell.text, cell.kind == Kind.BOOLEAN)
            for row in Worksheet(book, entry).rows()
            for cell in row.cells
            if cell.text
        ]
        for entry in book.sheets
    }


def test_booleans_are_shown_as_such(tmp_path: Path, convert: Convert) -> None:
    """Also on paper: never as 1 or 0, which LibreOffice does with some that have no format."""
    pdftotext = shutil.which("pdftotext")
    if pdftotext is None and not os.environ.get("CI"):
        pytest.skip("pdftotext is not installed")
    assert pdftotext is not None
    book = sheets.publish(tmp_path, books.written(KEY), "key.xlsx") / "results.xlsx"
    pdf = convert(book, "pdf") / "results.pdf"
    shown = subprocess.run([pdftotext, "-layout", pdf, "-"], capture_output=True, check=True).stdout
    lines = [line.split()[:5] for line in shown.decode().splitlines() if " agreed " in line]
    assert len(lines) > len(HOSTILE)
    assert {word for line in lines for word in line[2:4]} <= {"TRUE", "FALSE"}


def test_results_saved_as_a_workbook_hold_the_same_cells(tmp_path: Path, convert: Convert) -> None:
    """No text became a formula, no Boolean a text, no id a number."""
    results = sheets.publish(tmp_path, books.written(KEY), "key.xlsx") / "results.xlsx"
    saved = convert(results, "xlsx") / "results.xlsx"
    assert cells(saved) == cells(results)


@pytest.mark.parametrize("rows", [KEY, SPANS], ids=["key", "spans"])
def test_results_saved_as_csv_hold_the_same_values(
    tmp_path: Path, convert: Convert, rows: list[list[Any]]
) -> None:
    """Booleans read TRUE and FALSE, ids keep their zeros, texts are as they were."""
    results = sheets.publish(tmp_path, books.written(rows), "key.xlsx") / "results.xlsx"
    folder = convert(results, ALL_SHEETS)
    for name in ("scored", "held", "invalid"):
        found = sheets.rows(folder / f"results-{name}.csv")
        for row, column, text, is_boolean in cells(results)[name]:
            assert found[row - 1][column] == (text.upper() if is_boolean else text)


@pytest.mark.parametrize("rows", [KEY, SPANS], ids=["key", "spans"])
def test_the_input_saved_by_libreoffice_gives_the_same_results(
    tmp_path: Path, convert: Convert, rows: list[list[Any]]
) -> None:
    """It writes every Boolean as a formula, and every text into another part."""
    path = tmp_path / "sheet.xlsx"
    path.write_bytes(books.written(rows))
    saved = evalbatch.run(convert(path, "xlsx") / "sheet.xlsx")
    assert sheets.outcome(saved) == sheets.outcome(evalbatch.run(path))


def test_empty_texts_are_dropped_and_the_problem_says_so(tmp_path: Path, convert: Convert) -> None:
    """Only the marker survives."""
    path = tmp_path / "sheet.xlsx"
    false = '<c t="b"><v>0</v></c></row>'
    rows = [
        books.texts(1, "id", "text", "struck"),
        books.texts(2, "a", "").replace("</row>", false),
        books.texts(3, "b", "[blank]").replace("</row>", false),
    ]
    path.write_bytes(books.made("".join(rows)))
    assert list(evalbatch.run(path).scored["current"]) == ["", ""]
    saved = evalbatch.run(convert(path, "xlsx") / "sheet.xlsx")
    assert list(saved.scored["id"]) == ["b"]
    assert "some spreadsheets drop an empty text on saving" in saved.invalid["problem"][0]


def test_a_part_mended_in_libreoffice_is_read(tmp_path: Path, convert: Convert) -> None:
    """The invalid sheet, saved again, has the same faults until they are mended."""
    results = sheets.publish(tmp_path, books.written(KEY), "key.xlsx") / "results.xlsx"
    saved = convert(results, "xlsx") / "results.xlsx"
    again = evalbatch.run(saved, sheet="invalid")
    assert list(again.invalid["reason"]) == ["expected-not-boolean"]
    assert again.coverage.part_of == len(KEY) - 1
