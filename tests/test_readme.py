"""The README: what it shows is what happens, and what there is stands in it."""

import doctest
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from evalbatch.cli import main
from evalbatch.reasons import CATALOGUE

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TRANSCRIPTS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def sample_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a copy of the sample data."""
    folder = tmp_path / "sample_data"
    shutil.copytree(ROOT / "sample_data", folder, ignore=shutil.ignore_patterns("*-results"))
    monkeypatch.chdir(folder)
    return folder


def commands(transcript: str) -> list[tuple[str, str]]:
    """Take a transcript apart into commands and what they print."""
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", transcript, re.MULTILINE)
    assert found
    return found


@pytest.mark.usefixtures("sample_data")
@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda text: text.split("\n")[0])
def test_transcripts(transcript: str) -> None:
    """Every command prints what the README shows; a line of three dots stands for the rest."""
    code = 0
    for line, expected in commands(transcript):
        program, *arguments = shlex.split(line)
        if line == "echo $?":
            assert expected == f"{code}\n"
            code = 0
            continue
        assert (program, code) == ("evalbatch", 0)
        done = subprocess.run(
            [sys.executable, "-m", "evalbatch", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        code = done.returncode
        start, dots, _ = expected.partition("...\n")
        assert done.stdout.startswith(start) if dots else done.stdout == expected
    assert code == 0


def test_the_library_session(sample_data: Path) -> None:
    """It is a doctest, run in the sample data."""
    assert sample_data.is_dir()
    session = "".join(re.findall(r"```pycon\n(.*?)```", README, re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(session, {}, "README.md", None, None)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(examples)
    assert runner.tries > 4
    assert runner.failures == 0


def test_the_reasons_are_the_catalogue() -> None:
    """One row for each, in the catalogue's order and words."""
    rows = re.findall(r"^\| `([a-z-]+)` \| (held|invalid) \| (.*) \|$", README, re.MULTILINE)
    assert rows == [(one.code, one.disposition, one.meaning) for one in CATALOGUE]


@pytest.mark.parametrize(
    "command",
    ["run", "check", "template", "compare", "batch", "history", "verify", "reasons"],
)
def test_every_command_and_option_is_documented(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """And each manual has an example and the exit codes."""
    with pytest.raises(SystemExit):
        main([command, "--help"])
    manual = capsys.readouterr().out
    options = set(re.findall(r"--[a-z-]+", manual.split("example:")[0])) - {"--help"}
    assert f"evalbatch {command}" in README
    assert {option for option in options if option not in README} == set()
    assert "example:\n  $ " in manual
    assert "exit codes:" in manual


def test_the_links_and_files_that_it_names_exist() -> None:
    """The sample data is described, file by file."""
    table = (ROOT / "sample_data" / "README.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall("`(.*?)`", row)}
    assert named == {path.name for path in (ROOT / "sample_data").glob("*.*")} - {"README.md"}
