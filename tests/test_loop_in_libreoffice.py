"""The reviewers' loop through the real LibreOffice: what is typed there is what is evaluated."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

import evalbatch
from evalbatch import template
from tests import books, sheets

# The Python that the office's own packages bring has its modules; ours has not.
PYTHON = next(
    (
        path
        for path in map(shutil.which, ("/usr/bin/python3", "python3"))
        if path and subprocess.run([path, "-c", "import uno"], capture_output=True).returncode == 0
    ),
    None,
)
# CI installs LibreOffice; there these tests must run.
pytestmark = pytest.mark.skipif(
    (PYTHON is None or shutil.which("soffice") is None) and not os.environ.get("CI"),
    reason="LibreOffice and its Python modules are not installed",
)


def typed(
    path: Path,
    sheet: str,
    cells: Mapping[str, str],
    struck: Mapping[str, int | None] | None = None,
) -> Path:
    """Type into cells of a sheet and save the workbook; give the saved one."""
    saved = path.with_name(f"{path.stem}-typed.xlsx")
    job = {
        "file": str(path),
        "sheet": sheet,
        "typed": dict(cells),
        "struck": dict(struck or {}),
        "saved": str(saved),
    }
    script = Path(__file__).with_name("typist.py")
    subprocess.run(
        [str(PYTHON), str(script), json.dumps(job)], check=True, capture_output=True, timeout=180
    )
    return saved


def test_a_key_from_the_blank_sheet_to_a_recorded_decision(tmp_path: Path) -> None:
    """Template, held sheet and decisions: no Boolean and no leading zero is lost on the way."""
    template.make("answer-key", tmp_path / "key.xlsx", rows=20)
    rows = [
        ("0012", "agreed", "TRUE", "false", "=1+1"),
        ("1-2", "disputed", "", "TRUE", "007"),
        ("12", "disputed", "", "FALSE", ""),
        ("3E5", "agreed", "true", "TRUE", ""),
    ]
    key = typed(
        tmp_path / "key.xlsx",
        "key",
        {
            f"{'ABCDE'[c]}{r}": text
            for r, row in enumerate(rows, 2)
            for c, text in enumerate(row)
            if text
        },
    )
    first = evalbatch.run(key, tmp_path / "week1", to=["xlsx"])
    assert sheets.outcome(first) == {
        "scored": {"0012": False, "3E5": True},
        "held": ["1-2", "12"],
        "invalid": {},
    }
    held = typed(
        tmp_path / "week1" / "results.xlsx",
        "held",
        {"G2": "TRUE", "H2": "Ann", "I2": "2026-08-03", "J2": "0012", "G3": "FALSE", "H3": "Bo"},
    )
    second = evalbatch.run(key, adjudications=[held])
    assert sheets.outcome(second)["scored"] == {"0012": False, "1-2": True, "3E5": True}
    settled = second.scored[second.scored["id"] == "1-2"].iloc[0]
    columns = ["decision", "decided_by", "decided_on", "decision_note"]
    assert list(settled[columns]) == [True, "Ann", "2026-08-03", "0012"]
    assert list(second.held["reason"]) == ["adjudication-incomplete disputed"]


def test_spans_from_the_blank_sheet_to_a_recorded_decision(tmp_path: Path) -> None:
    """A known blank stays one, and a decision 0014 is the text that was typed."""
    template.make("spans", tmp_path / "spans.xlsx", rows=20)
    rows = [
        ("F1", "0012", "TRUE"), ("F1", "0014", "FALSE"), ("F2", "[blank]", "FALSE"),
        ("F3", "3/4", "FALSE"), ("F3", "TRUE", "FALSE"), ("F4", "x", "TRUE"),
    ]  # fmt: skip
    path = typed(
        tmp_path / "spans.xlsx",
        "spans",
        {f"{'ABC'[c]}{r}": text for r, row in enumerate(rows, 2) for c, text in enumerate(row)},
    )
    first = evalbatch.run(path, tmp_path / "week1", to=["xlsx"])
    assert sheets.outcome(first) == {
        "scored": {"F1": "0014", "F2": ""},
        "held": ["F3", "F4"],
        "invalid": {},
    }
    header = list(first.held.columns)
    letters = [
        "ABCDEFGHIJKLMNOP"[header.index(name)] for name in ("decision", "decided_by", "decided_on")
    ]
    decisions = [("0034", "Ann", "3 August"), ("[blank]", "Ann", "3 August")]
    held = typed(
        tmp_path / "week1" / "results.xlsx",
        "held",
        {
            f"{letter}{row}": text
            for row, decision in enumerate(decisions, 2)
            for letter, text in zip(letters, decision, strict=True)
        },
    )
    second = evalbatch.run(path, adjudications=[held])
    assert sheets.outcome(second)["scored"] == {"F1": "0014", "F2": "", "F3": "0034", "F4": ""}


def test_text_struck_through_in_the_cell(tmp_path: Path) -> None:
    """In part or as a whole; the strike-through of an invalid field survives being mended."""
    path = tmp_path / "spans.xlsx"
    path.write_bytes(
        books.written([["id", "text"], *([name, None] for name in "abcd"), ["e", "7"]])
    )
    cells = {"B2": "1214", "B3": "old", "B4": "new", "B5": "oldnew", "B6": "xy"}
    saved = typed(path, "key", cells, {"B2": 2, "B3": None, "B5": 3, "B6": 1})
    out = tmp_path / "out"
    first = evalbatch.run(saved, out, marks="formatting", to=["xlsx"])
    assert sheets.outcome(first)["scored"] == {"a": "14", "c": "new", "d": "new", "e": "y"}
    assert list(first.held["id"]) == ["b"]


def test_an_invalid_field_is_mended_with_its_strike_through(tmp_path: Path) -> None:
    """In the results workbook itself."""
    path = tmp_path / "spans.xlsx"
    path.write_bytes(books.written([["id", "text"], ["a", "1214"], [None, "x"]]))
    struck = typed(path, "key", {}, {"B2": 2})
    out = tmp_path / "out"
    assert len(evalbatch.run(struck, out, marks="formatting", to=["xlsx"]).invalid) == 2
    mended = typed(out / "results.xlsx", "invalid", {"A3": "b"})
    again = evalbatch.run(mended, sheet="invalid", marks="formatting")
    assert sheets.outcome(again)["scored"] == {"a": "14", "b": "x"}
