"""Globs, owner files and clashes: which files a job means."""

import os
from pathlib import Path

import pytest

import evalbatch
from evalbatch.weekly import job_file
from evalbatch.weekly.expand import Plan, expand
from tests.weekly.jobs import KEY, MONDAY, job


def plan(folder: Path, text: str, *files: str) -> Plan:
    """Make files, and expand a job beside them."""
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(KEY)
    return expand(job_file.read(job(folder, text)), MONDAY)


def outcome(found: Plan) -> dict[str, str | None]:
    """Give each sheet with its fault."""
    return {sheet.name: sheet.fault for sheet in found.sheets}


def test_a_glob_gives_its_sheets_by_name(tmp_path: Path) -> None:
    """Relative to the job file, in the order of the entries; hidden files are not meant."""
    text = '[[sheet]]\npath = "z.csv"\n[[sheet]]\npath = "keys/**/*.csv"\n'
    found = plan(tmp_path, text, "z.csv", "keys/b.csv", "keys/a/c.csv", "keys/.d.csv", "keys/e.md")
    assert outcome(found) == {"z.csv": None, "keys/a/c.csv": None, "keys/b.csv": None}
    assert [str(sheet.folder) for sheet in found.sheets] == [
        "results/2025-W31/z",
        "results/2025-W31/c",
        "results/2025-W31/b",
    ]


def test_owner_files_are_skipped_and_named(tmp_path: Path) -> None:
    """Those that a glob matches, hidden or not."""
    files = ("k/a.xlsx", "k/~$a.xlsx", "k/.~lock.a.xlsx#")
    found = plan(tmp_path, '[[sheet]]\npath = "k/*"\n', *files)
    assert outcome(found) == {"k/a.xlsx": None}
    assert found.skipped == (
        ("k/.~lock.a.xlsx#", "a lock file: the sheet is open in LibreOffice"),
        ("k/~$a.xlsx", "an owner file: the workbook is open in Excel"),
    )


def test_a_path_that_names_an_owner_file_matches_no_sheet(tmp_path: Path) -> None:
    """It is skipped as such, and the entry has nothing left."""
    found = plan(tmp_path, '[[sheet]]\npath = "~$a.xlsx"\n', "~$a.xlsx")
    assert outcome(found) == {"~$a.xlsx": "no sheet matches this path (line 1 of weekly.toml)"}
    assert [name for name, _ in found.skipped] == ["~$a.xlsx"]


def test_files_of_results_folders_are_no_sheets(tmp_path: Path) -> None:
    """A glob passes them over and names the folder; a path in full may mean a part."""
    (tmp_path / "a.csv").write_text(KEY)
    evalbatch.run(tmp_path / "a.csv", tmp_path / "a-results", to=["csv"])
    found = plan(tmp_path, '[[sheet]]\npath = "**/*.csv"\n')
    assert outcome(found) == {"a.csv": None}
    assert found.skipped == (("a-results", "a results folder, whose files are no sheets"),)
    assert outcome(plan(tmp_path, '[[sheet]]\npath = "a-results/held.csv"\n')) == {
        "a-results/held.csv": None
    }


def test_a_glob_that_matches_nothing_is_a_fault_with_its_line(tmp_path: Path) -> None:
    """Of this entry alone."""
    text = '[[sheet]]\npath = ["a.csv",\n "b/*.csv"]\n'
    assert outcome(plan(tmp_path, text, "a.csv")) == {
        "a.csv": None,
        "b/*.csv": "no sheet matches this path (line 1 of weekly.toml)",
    }


def test_a_sheet_that_two_entries_match_is_evaluated_by_neither(tmp_path: Path) -> None:
    """Nobody can tell which entry's options count."""
    text = '[[sheet]]\npath = "*.csv"\n[[sheet]]\npath = "./a.csv"\ntrue = "yes"\n'
    assert outcome(plan(tmp_path, text, "a.csv", "b.csv")) == {
        "a.csv": "the job names this sheet 2 times (a.csv); name it once",
        "b.csv": None,
    }


def test_two_patterns_of_one_entry_may_match_one_sheet(tmp_path: Path) -> None:
    """They ask for the same."""
    assert outcome(plan(tmp_path, '[[sheet]]\npath = ["*.csv", "a.*"]\n', "a.csv")) == {
        "a.csv": None
    }


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_two_names_of_one_file_are_one_sheet(tmp_path: Path) -> None:
    """A link is told."""
    (tmp_path / "a.csv").write_text(KEY)
    (tmp_path / "b.csv").symlink_to("a.csv")
    fault = "the job names this sheet 2 times (a.csv, b.csv); name it once"
    assert outcome(plan(tmp_path, '[[sheet]]\npath = "*.csv"\n')) == {
        "a.csv": fault,
        "b.csv": fault,
    }


@pytest.mark.parametrize(
    ("folder", "files", "clashing"),
    [
        pytest.param("out/{stem}", ("x/a.csv", "y/a.csv", "z/b.csv"), 2, id="same-name"),
        pytest.param("out/{stem}", ("x/a.csv", "y/A.csv"), 2, id="case-alone"),
        pytest.param("out", ("x/a.csv", "y/b.csv"), 2, id="no-stem"),
        pytest.param("out/{date}/{stem}", ("x/a.csv", "y/b.csv"), 0, id="apart"),
    ],
)
def test_two_sheets_in_one_results_folder_clash(
    tmp_path: Path, folder: str, files: tuple[str, ...], clashing: int
) -> None:
    """Each names the other, and what to do; the rest is evaluated."""
    text = f'[results]\nfolder = "{folder}"\n[[sheet]]\npath = "*/*.csv"\n'
    faults = [fault for fault in outcome(plan(tmp_path, text, *files)).values() if fault]
    assert len(faults) == clashing
    for fault in faults:
        assert files[0] in fault
        assert files[1] in fault
        assert "{stem}" in fault


def test_a_results_folder_inside_another_clashes(tmp_path: Path) -> None:
    """The outer one would not know of what is in it."""
    text = """
        [[sheet]]
        path = "a.csv"
        results = { folder = "out" }
        [[sheet]]
        path = "b.csv"
        results = { folder = "x/../out/b" }
    """
    found = outcome(plan(tmp_path, text, "a.csv", "b.csv"))
    assert all(fault and "a.csv, b.csv" in fault for fault in found.values())


def test_the_sheets_of_a_workbook_are_sheets_of_their_own(tmp_path: Path) -> None:
    """Each with its name in the history."""
    text = """
        [[sheet]]
        path = "a.xlsx"
        sheet = "One"
        results = { folder = "one" }
        [[sheet]]
        path = "a.xlsx"
        sheet = "Two"
        results = { folder = "two" }
    """
    assert outcome(plan(tmp_path, text, "a.xlsx")) == {
        "a.xlsx (sheet One)": None,
        "a.xlsx (sheet Two)": None,
    }


def test_a_name_with_brackets_can_be_meant(tmp_path: Path) -> None:
    """A file of exactly that name comes before what the glob would match."""
    text = '[[sheet]]\npath = "key[1].csv"\n'
    assert outcome(plan(tmp_path, text, "key[1].csv", "key1.csv")) == {"key[1].csv": None}
