"""Rows read in pieces, by Arrow or by tokens: the same as if all were read by tokens at once."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalbatch import EvalbatchError
from evalbatch.loaders import arrow_csv, csv_body
from evalbatch.loaders.header import Header
from evalbatch.records import Match
from evalbatch.schema import ANSWER_KEY
from tests.loaders.test_tokens import csv_texts

SIZES = [1, 16, 24, 64, 1 << 20]


def header(width: int, delimiter: str, all_quoted: bool = False) -> Header:
    """Give a header that stands right before the rows."""
    names = [str(place) for place in range(width)]
    return Header(names, 1, 0, delimiter, Match(ANSWER_KEY, {"id": 0}), all_quoted)


def outcome(text: str, head: Header, size: int) -> Any:
    """Give all that is read of a text, or the words with which it is refused."""
    try:
        body = csv_body.read(text.encode(), head, size)
    except EvalbatchError as error:
        return str(error)
    columns = [column.to_pylist() for column in body.columns()]
    return columns, body.malformed, body.notes(is_ended=text[-1:] in ("\r", "\n"))


@given(csv_texts, st.integers(1, 3), st.sampled_from(",;"), st.sampled_from(SIZES), st.booleans())
@settings(max_examples=1500, deadline=None)
def test_pieces_are_read_as_the_tokenizer_reads_the_whole(
    text: str, width: int, delimiter: str, size: int, all_quoted: bool
) -> None:
    """Whatever its quotes, its line ends and the widths of its rows are."""
    head = header(width, delimiter, all_quoted)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrow_csv.Reader, "_columns", lambda *_: None)
        whole = outcome(text, head, 1 << 20)
    assert outcome(text, head, size) == whole


def test_rows_behind_a_malformed_one_are_read_by_arrow_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One row out of order does not make all others slow."""
    tokenised: list[int] = []
    tokenise = csv_body.Body.tokenise

    def counted(body: csv_body.Body, *given: Any) -> int:
        size = tokenise(body, *given)
        tokenised.append(size)
        return size

    monkeypatch.setattr(csv_body.Body, "tokenise", counted)
    rows = [f'{number},"a ""note"""\n' for number in range(1000)]
    rows[400] = '400,"a "note""\n'
    rows[700] = '700,5" wide\n'
    columns, malformed, _ = outcome("".join(rows), header(2, ","), 1 << 10)
    assert columns[0] == [str(number) for number in range(1000)]
    assert columns[1][700] == '5" wide'
    assert list(malformed) == [400]
    assert sum(tokenised) < len("".join(rows)) // 4
