"""The strict tokenizer, and that Arrow's fast path never reads anything else."""

import pytest
from hypothesis import strategies as st

from evalbatch import EvalbatchError
from evalbatch.loaders.tokens import Row, rows


def cells(text: str, delimiter: str = ",") -> list[list[str | None]]:
    """Give the cells of each row."""
    return [row.cells for row in rows(text, delimiter)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a,b", [["a", "b"]], id="no-line-end"),
        pytest.param("a,b\r\n", [["a", "b"]], id="crlf"),
        pytest.param("a\nb\rc\r\nd", [["a"], ["b"], ["c"], ["d"]], id="every-line-end"),
        pytest.param("a,\n,b\n", [["a", None], [None, "b"]], id="bare-empty-cells"),
        pytest.param('"",x\n', [["", "x"]], id="quoted-empty-cell"),
        pytest.param("a\n\nb\n", [["a"], [None], ["b"]], id="blank-line"),
        pytest.param('"a,b",c\n', [["a,b", "c"]], id="quoted-delimiter"),
        pytest.param('"a\r\nb\rc\nd"\n', [["a\r\nb\rc\nd"]], id="line-breaks-kept"),
        pytest.param('"say ""hi"""\n', [['say "hi"']], id="doubled-quotes"),
        pytest.param('6" pipe,x"y\n', [['6" pipe', 'x"y']], id="quotes-in-bare-cells"),
        pytest.param(' "a",b\n', [[' "a"', "b"]], id="a-space-before-a-quote"),
        pytest.param('""""\n', [['"']], id="only-a-quote"),
        pytest.param("a,b,", [["a", "b", None]], id="ends-in-a-delimiter"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_cells(text: str, expected: list[list[str | None]]) -> None:
    """Each row has exactly these cells; None is bare and empty, "" is quoted."""
    assert cells(text) == expected


def test_text_behind_a_closing_quote_is_read_on_and_told() -> None:
    """The cell is read bare to its end, and its place is known."""
    text = 'x,"ab"c"d,e\n'
    assert list(rows(text, ",")) == [Row(["x", 'abc"d', "e"], 1, [1], len(text))]


@pytest.mark.parametrize("text", ['a\n"b', 'a\n"b""\nc\n', 'a\n"'])
def test_an_unclosed_quote_names_its_row(text: str) -> None:
    """Everything behind it would be swallowed otherwise."""
    with pytest.raises(EvalbatchError, match="a quote opens in row 2 and is never closed"):
        cells(text)


quoted = st.text(st.sampled_from('ab",\n\ré;'), max_size=6).map(
    lambda text: '"' + text.replace('"', '""') + '"'
)
pieces = st.one_of(quoted, st.text(st.sampled_from('ab",\n\r é;'), max_size=6))
csv_texts = st.lists(st.tuples(pieces, st.sampled_from([",", ",", ";", "\n", "\r\n"]))).map(
    lambda found: "".join(piece + end for piece, end in found)
)
