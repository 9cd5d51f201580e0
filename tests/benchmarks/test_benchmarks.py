"""The benchmarks run: evalbatch and every peer score the same cases. Nothing is timed here."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.benchmarks import sheets
from tests.benchmarks.__main__ import main
from tests.benchmarks.agreement import difference
from tests.benchmarks.jobs import JOBS, Job

LACKING = [name for name in ("polars", "duckdb", "xlsxwriter") if find_spec(name) is None]
# CI installs the peers; there these tests must run.
pytestmark = pytest.mark.skipif(
    bool(LACKING) and "CI" not in os.environ, reason=f"not installed: {', '.join(LACKING)}"
)


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.name)
def test_scored_cases_agree(job: Job, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command ends well only where the scored cases are the same, and prints a row a peer."""
    rows = ["--rows", "300", "--repeat", "1", "--folder", str(tmp_path)]
    assert main([job.name, *rows]) == 0
    header, _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[1] for line in lines] == [f"`{name}.py`" for name in job.peers]
    assert {line.count("|") for line in lines} == {header.count("|")}


def test_a_difference_is_told(tmp_path: Path) -> None:
    """The first case that differs, or is not there, is named."""
    folders = [tmp_path / "ours", tmp_path / "theirs"]
    for folder, last in zip(folders, ("C2,false", "C2,true"), strict=True):
        folder.mkdir()
        (folder / "scored.csv").write_text(f"id,pass\nC1,true\n{last}\n", encoding="utf-8")
    told = "scored case 2 is ['C2', 'false'] in ours and ['C2', 'true'] in theirs"
    assert difference("key", *folders) == told
    assert difference("key", folders[0], folders[0]) is None


@pytest.mark.parametrize("kind", ["key", "spans"])
def test_sheets_are_the_same_at_every_making(kind: sheets.Kind, tmp_path: Path) -> None:
    """A sheet is determined by its kind and its rows, and a longer one begins as a shorter one."""
    paths = [tmp_path / name for name in ("one.csv", "again.csv", "longer.csv")]
    for path, rows in zip(paths, (50, 50, 60), strict=True):
        sheets.make(kind, rows, path)
    one, again, longer = (path.read_bytes() for path in paths)
    assert one == again
    assert longer.startswith(one)
    assert one.count(b"\r\n") == 51
