"""The job file: literal TOML in, the literal message out."""

import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from evalbatch.errors import EvalbatchError
from evalbatch.gates import Gates
from evalbatch.job import JobOptions
from evalbatch.weekly import job_file, keys
from evalbatch.weekly.job import Entry, Job, Results
from evalbatch.weekly.template import new_job
from tests.weekly.jobs import job


def refused(folder: Path, text: str) -> str:
    """Give the message with which a job is refused."""
    with pytest.raises(EvalbatchError) as error:
        job_file.read(job(folder, text))
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            '[[sheet]]\npath = "a.csv"\ntrues = ["yes"]\n',
            "weekly.toml, line 3: [[sheet]] has no key 'trues'; did you mean true?",
            id="unknown-key",
        ),
        pytest.param(
            '[gate]\nmin_coverage = 1\n\n[[sheet]]\npath = "a.csv"\n',
            "weekly.toml, line 1: the job file has no key 'gate'; did you mean gates?",
            id="unknown-table",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\n[sheet.gates]\n\nquorum = 3\n',
            "weekly.toml, line 5: [gates] has no key 'quorum'; the keys are require_complete, "
            "min_coverage, min_pass_rate.",
            id="unknown-gate",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\nheader_row = "two"\n',
            "weekly.toml, line 3: header_row is 'two'; it must be a whole number from 1.",
            id="text-for-a-number",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\nscattered = "true"\n',
            "weekly.toml, line 3: scattered is 'true'; it must be true or false.",
            id="text-for-a-boolean",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\nheader_row = true\n',
            "weekly.toml, line 3: header_row is true; it must be a whole number from 1.",
            id="boolean-for-a-number",
        ),
        pytest.param(
            '[[sheet]]\npath = ["a.csv",\n  3]\n',
            "weekly.toml, line 2: path is a list (a.csv, 3); it must be the path of a file, or a "
            "list of paths.",
            id="number-in-a-list",
        ),
        pytest.param(
            '[[sheet]]\npath = ""\n',
            "weekly.toml, line 2: path is an empty text; it must be the path of a file, or a list "
            "of paths.",
            id="empty-path",
        ),
        pytest.param(
            '[gates]\nmin_coverage = 90\n[[sheet]]\npath = "a.csv"\n',
            "weekly.toml, line 2: min_coverage is 90; it must be a number from 0 to 1.",
            id="a-percentage",
        ),
        pytest.param(
            '[gates]\nmin_coverage = nan\n[[sheet]]\npath = "a.csv"\n',
            "weekly.toml, line 2: min_coverage is NaN; it must be a number from 0 to 1.",
            id="nan",
        ),
        pytest.param(
            '[gates]\nmin_coverage = 1e-999999999\n[[sheet]]\npath = "a.csv"\n',
            "weekly.toml, line 2: min_coverage is 1E-999999999; it must be a number from 0 to 1.",
            id="too-fine",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\ntask = "marks"\n',
            "weekly.toml, line 3: task is 'marks'; it must be answer-key or spans.",
            id="unknown-task",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\n\ncolumns = { gold = "x" }\n',
            "weekly.toml, line 4: columns names the role 'gold'; the roles are id, state, "
            "expected, answer, text, struck, spans.",
            id="unknown-role",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\n[sheet.columns]\nid = "x"\nID = "y"\n',
            "weekly.toml, line 5: columns names the role 'id' twice.",
            id="role-twice",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\nencoding = "utf-9"\n',
            "weekly.toml, line 3: encoding is 'utf-9', which names no text encoding; try cp1252, "
            "or utf-16-le.",
            id="unknown-encoding",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\ntrue = "x"\n\nfalse = ["X"]\n',
            "weekly.toml, line 5: 'x' cannot mean both false and true; give each word one meaning.",
            id="word-of-two-meanings",
        ),
        pytest.param(
            '[results]\nto = ["csv", "pdf"]\n[[sheet]]\npath = "a.csv"\n',
            "weekly.toml, line 2: to names 'pdf'; the formats are csv, xlsx, json, html.",
            id="unknown-format",
        ),
        pytest.param(
            '[results]\nfolder = "{year}/{stem}"\n[[sheet]]\npath = "a.csv"\n',
            "weekly.toml, line 2: folder is '{year}/{stem}'; {year} is no placeholder; they are "
            "{stem}, {week}, {date}.",
            id="unknown-placeholder",
        ),
        pytest.param(
            '[[sheet]]\ntask = "spans"\n',
            "weekly.toml, line 1: this [[sheet]] has no path; name its file, or a glob such as "
            "*.csv.",
            id="no-path",
        ),
        pytest.param(
            '\n[sheet]\npath = "a.csv"\n',
            "weekly.toml, line 2: sheet must be tables that begin with [[sheet]].",
            id="one-bracket",
        ),
        pytest.param(
            "[gates]\nrequire_complete = true\n",
            "weekly.toml, line 1: no [[sheet]] names a sheet to evaluate; add one, with its path.",
            id="no-sheet",
        ),
        pytest.param(
            '[[sheet]]\npath = "a.csv"\ntask = "spans"\npath = "b.csv"\n',
            "weekly.toml, line 4: this is no TOML: sheet.path is given twice, first in line 2.",
            id="key-twice",
        ),
        pytest.param(
            "[[sheet]]\npath = yes\n",
            "weekly.toml, line 2: this is no TOML: Invalid value (column 8).",
            id="no-toml",
        ),
    ],
)
def test_a_fault_is_named_with_its_key_and_line(tmp_path: Path, text: str, message: str) -> None:
    """One line, with what to do."""
    assert refused(tmp_path, text) == message


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    """In the order of their lines."""
    text = (
        'colour = 1\n[[sheet]]\npath = "a"\nheader_row = 0\n[[sheet]]\n[gates]\nmin_coverage = 2\n'
    )
    assert refused(tmp_path, text).split("\n") == [
        "weekly.toml: 4 faults",
        "  line 1: the job file has no key 'colour'; the keys are sheet, results, gates.",
        "  line 4: header_row is 0; it must be a whole number from 1.",
        "  line 5: this [[sheet]] has no path; name its file, or a glob such as *.csv.",
        "  line 7: min_coverage is 2; it must be a number from 0 to 1.",
    ]


def test_a_file_that_is_not_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    """As an editor on Windows may save it; a byte order mark is no fault."""
    path = tmp_path / "weekly.toml"
    path.write_bytes(b'[[sheet]]\npath = "\xfc.csv"\n')
    with pytest.raises(EvalbatchError, match=r"weekly\.toml, line 2: the file is not UTF-8"):
        job_file.read(path)
    path.write_bytes(b'\xef\xbb\xbf[[sheet]]\npath = "a.csv"\n')
    assert job_file.read(path).entries[0].paths == ("a.csv",)


def test_a_missing_job_file_names_init(tmp_path: Path) -> None:
    """A first-time user is told how to begin."""
    with pytest.raises(EvalbatchError, match=r"No such file or directory.*--init"):
        job_file.read(tmp_path / "weekly.toml")


def test_a_job_with_everything(tmp_path: Path) -> None:
    """What a [[sheet]] gives stands in the place of what is given for all."""
    text = """
        [results]
        folder = "out/{stem}"
        to = "csv"
        overwrite = false

        [gates]
        min_coverage = 0.1
        require_complete = true

        [[sheet]]
        path = ["a.csv", "b/*.csv"]
        task = "answer-key"
        columns = { Expected = "gold" }
        true = "yes"
        delimiter = ";"

        [[sheet]]
        path = "c.xlsx"
        sheet = "Key"
        gates = { min_pass_rate = 1, require_complete = false }
        results = { bom = false, folder = "c" }
    """
    path = job(tmp_path, text)
    tenth = Fraction(1, 10)
    assert job_file.read(path) == Job(
        path,
        (
            Entry(
                line=11,
                paths=("a.csv", "b/*.csv"),
                options={
                    "task": "answer-key",
                    "columns": {"expected": "gold"},
                    "true": ("yes",),
                    "delimiter": ";",
                },
                gates=Gates(True, tenth),
                own_pass_rate=False,
                results=Results("out/{stem}", ("csv",), True, False),
            ),
            Entry(
                line=18,
                paths=("c.xlsx",),
                options={"sheet": "Key"},
                gates=Gates(False, tenth, Fraction(1)),
                own_pass_rate=True,
                results=Results("c", ("csv",), False, False),
            ),
        ),
    )


def test_every_option_of_run_is_a_key() -> None:
    """An option that is added to the library cannot be forgotten here."""
    assert {key.name for key in keys.SHEET_KEYS} == {*JobOptions.__annotations__, "answers"}


def test_a_new_job_file_shows_every_key_and_is_one(tmp_path: Path) -> None:
    """As it is written, and with every key that it has put to use."""
    path = tmp_path / "weekly.toml"
    path.write_text(new_job())
    [entry] = job_file.read(path).entries
    assert entry.results == Results()
    assert entry.gates == Gates()
    used = re.sub(r"^# (\w+ = )", r"\1", new_job(), flags=re.MULTILINE)
    shown = tomllib.loads(used)
    known = {key.name for key in keys.SHEET_KEYS}
    assert set(shown["sheet"][0]) == known | {"path", "gates", "results"}
    assert set(shown["results"]) == {key.name for key in keys.RESULTS_KEYS}
    assert set(shown["gates"]) == {key.name for key in keys.GATES_KEYS}
    # Answers belong to keys, and marks to spans.
    path.write_text(re.sub("^marks.*$", "", used, flags=re.MULTILINE))
    assert set(job_file.read(path).entries[0].options) == known - {"marks"}
