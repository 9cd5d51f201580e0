"""`evalbatch batch`: exit codes, and what goes to the terminal, the log and the page for CI."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from evalbatch.cli import main
from evalbatch.lock import locked
from tests.weekly.jobs import BROKEN, COMPLETE, HEADER, KEY, job

ALL = '[[sheet]]\npath = "*.csv"\n'
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}"


def test_a_new_job_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is written once, and never over another one."""
    monkeypatch.chdir(tmp_path)
    assert main(["batch", "--init"]) == 0
    assert "weekly.toml is written" in capsys.readouterr().err
    (tmp_path / "weekly.toml").write_text("mine")
    assert main(["batch", "--init", "weekly.toml"]) == 2
    assert capsys.readouterr().err == (
        "evalbatch: weekly.toml exists already, and is left as it is.\n"
    )
    assert (tmp_path / "weekly.toml").read_text() == "mine"
    assert main(["batch", "--init", "other.toml"]) == 0


@pytest.mark.parametrize(
    ("sheets", "gates", "code"),
    [
        pytest.param({"a": KEY}, "", 0, id="done"),
        pytest.param({"a": KEY}, "gates = { require_complete = true }", 1, id="a-gate"),
        pytest.param({"a": KEY, "b": BROKEN}, "", 1, id="a-sheet-failed"),
        pytest.param({"a": BROKEN}, "", 1, id="all-failed"),
        pytest.param({"a": KEY}, "gate = 1", 2, id="a-job-that-cannot-be-used"),
    ],
)
def test_exit_codes(tmp_path: Path, sheets: dict[str, str], gates: str, code: int) -> None:
    """The same, when it is run over again."""
    path = str(job(tmp_path, f"{ALL}{gates}\n", **sheets))
    assert main(["batch", path]) == code
    assert main(["batch", path]) == code


def test_words_go_to_stderr_and_json_to_stdout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As everywhere."""
    path = str(job(tmp_path, ALL, a=KEY))
    assert main(["batch", path]) == 0
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("1 of 1 sheet evaluated.\n")
    assert main(["batch", path, "--json"]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert json.loads(output.out)["repeated"] is True


@pytest.mark.parametrize("flag", ["--summary", "--log"])
def test_no_option_writes_over_what_a_batch_reads(tmp_path: Path, flag: str) -> None:
    """A slip of the finger costs no sheet and no job file."""
    path = job(tmp_path, '[[sheet]]\npath = "a.csv"\n', a=KEY)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    for name in ("a.csv", "weekly.toml", "history.sqlite"):
        assert main(["batch", str(path), flag, str(tmp_path / name)]) == 2
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_another_batch_of_the_job_exits_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And leaves the page to the one that is running."""
    path = job(tmp_path, ALL, a=KEY)
    with locked(tmp_path / ".weekly.toml.evalbatch-lock", "the test"):
        assert main(["batch", str(path), "--summary", str(tmp_path / "page.md")]) == 3
    assert "another batch of this job is running" in capsys.readouterr().err
    assert not (tmp_path / "page.md").exists()


def test_a_history_that_cannot_be_written_exits_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is evaluated."""
    path = job(tmp_path, ALL, a=KEY)
    (tmp_path / "history.sqlite").mkdir()
    assert main(["batch", str(path)]) == 4
    [line] = capsys.readouterr().err.splitlines()
    assert "the history cannot be opened or written" in line
    assert not (tmp_path / "results").exists()


def test_a_disk_that_fills_up_while_the_run_is_recorded_exits_4(tmp_path: Path) -> None:
    """The results stand, the history has nothing half, and the next run records."""
    rows = "".join(f"q{number},agreed,true,true\n" for number in range(300))
    path = job(tmp_path, ALL, a=HEADER + rows)
    program = (
        "import resource, sys; from evalbatch.cli import main;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (46000, 46000)); sys.exit(main())"
    )
    full = subprocess.run(
        [sys.executable, "-c", program, "batch", path], capture_output=True, text=True, check=False
    )
    assert full.returncode == 4, full.stderr
    assert "results that are published stand" in full.stderr
    assert "Traceback" not in full.stderr
    assert main(["batch", str(path)]) == 0
    assert main(["history", str(path), "--case", "q299"]) == 0


def test_no_job_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """The message names the way to one."""
    assert main(["batch"]) == 2
    assert "evalbatch batch --init writes one" in capsys.readouterr().err


def test_the_log_has_a_time_on_every_line(tmp_path: Path) -> None:
    """Each step is one line, a failed sheet an error, and runs are appended."""
    path = job(tmp_path, f"{ALL}gates = {{ min_coverage = 1 }}\n", a=KEY)
    (tmp_path / "b\nc.csv").write_text(BROKEN)
    log = tmp_path / "weekly.log"
    for _ in range(2):
        assert main(["batch", str(path), "--log", str(log)]) == 1
    lines = log.read_text().splitlines()
    assert all(re.match(rf"{TIME} (INFO|WARNING|ERROR) +\S", line) for line in lines)
    words = [re.sub(rf"^{TIME} ", "", line) for line in lines]
    assert words[:3] == [
        "INFO    weekly.toml: begun, 2 sheets",
        "INFO    a.csv: 1 of 2 scored cases passed; 2 of 3 cases scored (66.7%), 1 held, "
        "0 invalid: not the full evaluation, whose pass rate lies between 33.3% and 66.7%.",
        "WARNING a.csv: not met, min_coverage 1.0; 2 of 3 scored (66.7%)",
    ]
    assert words[3].startswith(r"ERROR   b\nc.csv: failed, a quote opens in row 2")
    assert words[4] == "INFO    weekly.toml: ended, run 1 recorded"
    assert words[-1] == "INFO    weekly.toml: ended, run 1 over again"


def test_what_stops_a_batch_is_in_the_log_and_on_the_page(tmp_path: Path) -> None:
    """A scheduler shows nothing else; an older page must not pass for this run's."""
    path = job(tmp_path, "[[sheet]]\n")
    log, page = tmp_path / "weekly.log", tmp_path / "page.md"
    page.write_text("of last week")
    assert main(["batch", str(path), "--log", str(log), "--summary", str(page)]) == 2
    assert "ERROR   weekly.toml: weekly.toml, line 1: this [[sheet]] has no path" in log.read_text()
    assert page.read_text().startswith("# weekly.toml\n\nThe batch did not run: weekly.toml, line")


@pytest.mark.parametrize("option", ["--log", "--summary"])
def test_a_file_that_cannot_be_written_is_told_before_anything(
    tmp_path: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is evaluated for a scheduler that would not hear of it."""
    path = job(tmp_path, ALL, a=KEY)
    assert main(["batch", str(path), option, str(tmp_path / "no" / "file")]) == 2
    assert option in capsys.readouterr().err
    assert not (tmp_path / "results").exists()


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
@pytest.mark.parametrize("no_color", [True, False])
def test_no_colours_on_a_terminal_or_off_it(tmp_path: Path, no_color: bool) -> None:
    """There are none to turn off, and no bar where there is no terminal."""
    import pty

    path = job(tmp_path, ALL, a=COMPLETE)
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    environment |= {"TERM": "xterm-256color"} | ({"NO_COLOR": "1"} if no_color else {})
    command = [sys.executable, "-m", "evalbatch", "batch", str(path)]
    primary, secondary = pty.openpty()
    subprocess.run(command, env=environment, stderr=secondary, stdin=secondary, check=True)
    shown = os.read(primary, 100_000)
    os.close(primary)
    os.close(secondary)
    piped = subprocess.run(command, env=environment, capture_output=True, check=True)
    assert b"1 of 1 sheet evaluated." in shown
    for output in (shown, piped.stdout, piped.stderr):
        assert b"\x1b" not in output
    assert b"\r" not in piped.stderr
