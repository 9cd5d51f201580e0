"""TOML with the lines of its keys, told by tomllib itself."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbatch.weekly.toml_lines import FlawedTomlError, KeyPath, parse

DOCUMENT = '''\
# a comment
[results]
folder = "x"

[[sheet]]
path = [
  "a",  # [
  "b",
]
columns = { expected = "gold" }
note = """
[[sheet]]
"""

[sheet.gates]
min_coverage = 0.9

[[sheet]]
path = "c"
gates.min_coverage = 1
gates.require_complete = true
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("results",), 2),
        (("results", "folder"), 3),
        (("sheet", 0), 5),
        (("sheet", 0, "path"), 6),
        (("sheet", 0, "path", 1), 6),
        (("sheet", 0, "columns"), 10),
        (("sheet", 0, "columns", "expected"), 10),
        (("sheet", 0, "gates"), 15),
        (("sheet", 0, "gates", "min_coverage"), 16),
        (("sheet", 1), 18),
        (("sheet", 1, "gates", "require_complete"), 21),
        (("sheet", 1, "unheard-of"), 18),
        (("unheard-of",), 1),
    ],
)
def test_every_key_has_the_line_of_its_statement(path: KeyPath, line: int) -> None:
    """Brackets in comments and in texts open nothing; a key that is not there has its table's."""
    assert parse(DOCUMENT).line(path) == line


def test_line_ends_of_windows_are_line_ends() -> None:
    """A job file may be written anywhere."""
    found = parse(DOCUMENT.replace("\n", "\r\n"))
    assert found.values == parse(DOCUMENT).values
    assert found.line(("sheet", 1, "path")) == 19


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a = 1\nb = 2\na = 3\n", 3, "a is given twice, first in line 1"),
        ("[g]\na = 1\n\n[g]\n", 4, "g is given twice, first in line 1"),
        ("[[s]]\nx = 1\n[s]\n", 3, "s is given twice, first in line 1"),
        ("[s]\na.b = 1\n[s.a]\nc = 1\n", 3, "Cannot declare ('s', 'a') twice"),
        ("[a.b]\n[a]\nx = 1\nx = 2\n", 4, "a.x is given twice, first in line 3"),
        ("a.b = 1\na = {}\nc = 1\n", 2, "Cannot overwrite a value"),
        ("x = { a = 1 }\n\nx.b = 2\ny = 1\n", 3, "Cannot mutate immutable namespace"),
        ("a = 1\nb = yes\n", 2, "Invalid value (column 5)"),
        ("a = 1\n\nb = [1,\n2\n", 3, "Unclosed array"),
        ('a = 1\nb = """x\n\n\n', 2, "Unterminated string"),
        ("a = 1\n\nb = " + "[" * 5000, 3, "nested too deeply"),
    ],
)
def test_a_flaw_has_its_line(text: str, line: int, message: str) -> None:
    """What is open at the end is told where it was opened."""
    with pytest.raises(FlawedTomlError) as flawed:
        parse(text)
    assert flawed.value.line == line
    assert message in str(flawed.value)


KEYS = st.sampled_from("abc")
VALUES = st.sampled_from(["1", '"x"', '"""\nx\n[[a]]\n"""', "[\n1, # ]\n2\n]", "{ x = 1 }", "'['"])
STATEMENTS = st.one_of(
    st.builds("{} = {}".format, KEYS, VALUES),
    st.builds("{}.{} = {}".format, KEYS, KEYS, VALUES),
    st.builds("[{}]".format, KEYS),
    st.builds("[[{}]]".format, KEYS),
    st.builds("[{}.{}]".format, KEYS, KEYS),
    st.sampled_from(["", "# x = 1", "broken"]),
)


@given(st.lists(STATEMENTS, max_size=8))
def test_lines_never_disagree_with_tomllib(statements: list[str]) -> None:
    """Each key of a document that tomllib reads stands in its line; any other is refused."""
    text = "\n".join(statements)
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(FlawedTomlError) as flawed:
            parse(text)
        assert 1 <= flawed.value.line <= text.count("\n") + 1
        return
    found = parse(text)
    lines = text.split("\n")
    for key in found.values:
        assert key in lines[found.line((key,)) - 1]
