"""The command line: exit codes, and what it says where."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evalbatch.cli import main
from tests import sheets

KEY = "id,state,expected,answer\na,agreed,true,true\nb,agreed,true,false\nc,disputed,,\n"
SPANS = "id,text,struck\na,x,false\nb,x,true\n"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """Give an answer key of which one case is held."""
    path = tmp_path / "key.csv"
    path.write_text(KEY)
    return path


def test_the_statement_comes_first_and_words_go_to_stderr(
    key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is printed to stdout, which is for machines."""
    assert main(["run", str(key)]) == 0
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.splitlines()[0] == (
        "1 of 2 scored cases passed; 2 of 3 cases scored (66.7%), 1 held, 0 invalid: not the full "
        "evaluation, whose pass rate lies between 33.3% and 66.7%."
    )
    assert (key.parent / "key-results" / "scored.csv").is_file()


def test_json_prints_the_coverage(key: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same as coverage.json."""
    assert main(["run", str(key), "--json"]) == 0
    output = capsys.readouterr()
    assert json.loads(output.out) == sheets.coverage(key.parent / "key-results")
    assert output.err == ""


@pytest.mark.parametrize(
    ("gate", "code", "message"),
    [
        pytest.param(["--require-complete"], 1, "--require-complete; 2 of 3 scored", id="complete"),
        pytest.param(["--min-coverage", "0.6"], 0, "", id="coverage-met"),
        pytest.param(["--min-coverage", "0.7"], 1, "2 of 3 scored (66.7%)", id="coverage"),
        pytest.param(["--min-pass-rate", "0.33"], 0, "", id="pass-rate-met"),
        pytest.param(["--min-pass-rate", "1/3"], 0, "", id="pass-rate-just-met"),
        pytest.param(
            ["--min-pass-rate", "0.5"], 1, "1 of 3 are known to pass (33.3%)", id="pass-rate"
        ),
    ],
)
def test_gates(
    key: Path, capsys: pytest.CaptureFixture[str], gate: list[str], code: int, message: str
) -> None:
    """Results are published, and exit code 1 says that a gate is not met."""
    assert main(["run", str(key), *gate]) == code
    assert message in capsys.readouterr().err
    assert (key.parent / "key-results").is_dir()


def test_gates_judge_a_part_against_its_whole(
    key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The scored sheet alone must not pass for the evaluation."""
    assert main(["run", str(key)]) == 0
    part = str(key.parent / "key-results" / "scored.csv")
    assert main(["run", part, "-o", str(key.parent / "a"), "--require-complete"]) == 1
    assert main(["run", part, "-o", str(key.parent / "b"), "--min-coverage", "0.9"]) == 1
    assert main(["run", part, "-o", str(key.parent / "c"), "--min-pass-rate", "0.5"]) == 1
    assert "1 of 3 are known to pass" in capsys.readouterr().err


def test_a_gate_is_not_missed_by_rounding(tmp_path: Path) -> None:
    """55 of 100 is not less than 0.55, as it is in binary fractions."""
    rows = [f"{i},{'agreed' if i < 55 else 'disputed'},true,true\n" for i in range(100)]
    (tmp_path / "k.csv").write_text("id,state,expected,answer\n" + "".join(rows))
    arguments = ["--min-coverage", "0.55", "--min-pass-rate", "0.55"]
    assert main(["run", str(tmp_path / "k.csv"), *arguments]) == 0


def test_a_name_that_is_no_text_is_published_escaped(tmp_path: Path) -> None:
    """A file from another system may have one."""
    path = tmp_path / os.fsdecode(b"k\xff.csv")
    path.write_text(KEY)
    assert main(["run", str(path), "-o", str(tmp_path / "out")]) == 0
    assert sheets.coverage(tmp_path / "out")["source"]["name"] == "k\\xff.csv"


def test_a_pass_rate_gate_is_refused_for_spans(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is written."""
    (tmp_path / "s.csv").write_text(SPANS)
    assert main(["run", str(tmp_path / "s.csv"), "--min-pass-rate", "0.5"]) == 2
    assert "spans have no pass rate" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["s.csv"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["run", "missing.csv"], "cannot be read: No such file", id="no-file"),
        pytest.param(["run", "."], "'.' is a folder", id="folder"),
        pytest.param(["run", "KEY", "-o", "/"], "cannot be a results folder", id="root"),
        pytest.param(["run", "KEY", "--to", "pdf"], "the formats are csv, xlsx, json", id="format"),
        pytest.param(["run", "KEY", "--column", "gold"], "it must be ROLE=HEADER", id="column"),
        pytest.param(
            ["run", "KEY", "--column", "id=a", "--column", "ID=b"], "twice", id="column-twice"
        ),
        pytest.param(["verify", "KEY"], "filled-cases needs id, input, expected", id="verify"),
    ],
)
def test_what_cannot_be_used_exits_2_in_one_line(
    key: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    """No traceback, and nothing written."""
    assert main([str(key) if one == "KEY" else one for one in arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("evalbatch: ")
    assert message in line
    assert [path.name for path in key.parent.iterdir()] == ["key.csv"]


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param([], id="nothing"),
        pytest.param(["run"], id="no-sheet"),
        pytest.param(["run", "a.csv", "--min-coverage", "60"], id="a-percentage"),
        pytest.param(["run", "a.csv", "--over"], id="an-abbreviation"),
    ],
)
def test_wrong_usage_exits_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """As every command line does."""
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage: evalbatch" in capsys.readouterr().err


def test_reasons_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The catalogue for a program."""
    assert main(["reasons", "--json"]) == 0
    codes = [reason["code"] for reason in json.loads(capsys.readouterr().out)]
    assert codes[0] == "row-malformed"
    assert len(codes) == len(set(codes)) == 26


def test_a_small_run_imports_nothing_that_it_does_not_use(key: Path) -> None:
    """A reviewer's sheet is evaluated before pandas would have been imported."""
    program = (
        "import sys; from evalbatch.cli import main; main(['run', sys.argv[1]]);"
        "print(sorted({'pandas', 'tqdm', 'openpyxl'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(key)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_a_reader_who_has_had_enough_is_no_error() -> None:
    """`evalbatch reasons | head -1` prints one line and no traceback."""
    program = [sys.executable, "-m", "evalbatch", "reasons"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_the_module_runs_as_a_program() -> None:
    """`python -m evalbatch`, where scripts are not on the path."""
    done = subprocess.run(
        [sys.executable, "-m", "evalbatch", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("evalbatch 0.")
