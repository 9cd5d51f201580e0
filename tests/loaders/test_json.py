"""What the JSON loader takes, and what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalbatch import EvalbatchError
from tests import sheets

CASE = {"id": "a", "state": "agreed", "expected": True, "answer": True}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("a.json", json.dumps({"cases": [CASE]}), id="cases"),
        pytest.param("a.json", json.dumps([CASE]), id="array"),
        pytest.param("a.jsonl", json.dumps(CASE) + "\n", id="one-line"),
        pytest.param("a.jsonl", json.dumps(CASE | {"note": "a\u2028b"}), id="one-line-of-one"),
        pytest.param(
            "a.jsonl",
            '{"case_id": "a", "state": "agreed", "expected": true, "answer": true}',
            id="an-alias",
        ),
        pytest.param("a.ndjson", f"\n{json.dumps(CASE)}\r\n\n", id="blank-lines"),
        pytest.param("a.json", "\ufeff" + json.dumps([CASE], indent=1), id="byte-order-mark"),
    ],
)
def test_shapes(tmp_path: Path, name: str, text: str) -> None:
    """A document, an array, or one object a line, whatever the suffix."""
    assert len(sheets.run(tmp_path, text, name).scored) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param('[{"id": 1, "id": 2}]', 'item 1: the key "id" is repeated', id="repeated-key"),
        pytest.param('{"cases": [{}, {"a": NaN}]}', "item 2: NaN is no JSON value", id="nan"),
        pytest.param('[{"a": "\\ud800"}]', "lone surrogate", id="surrogate"),
        pytest.param('[{"a": 1e999}]', "too large", id="infinite"),
        pytest.param('[{"a": 1}, ', "item 2: Expecting value", id="cut-off"),
        pytest.param('{"id": "a"}\n{"id": }\n', "line 2: Expecting value", id="a-bad-line"),
        pytest.param("[" * 100_000, "nested too deeply", id="deep"),
        pytest.param("id,state\n", "Expecting value", id="csv"),
        pytest.param("{}", "it must be", id="empty-object"),
        pytest.param("3", "it must be", id="a-number"),
        pytest.param("[]", "no cases", id="empty-array"),
        pytest.param("[{}, {}]", "lacks id", id="empty-items"),
        pytest.param('{"cases": [], "fields": []}', "it must be", id="both"),
        pytest.param(
            '{"coverage": {}, "scored": []}', "results that evalbatch wrote", id="results"
        ),
        pytest.param(
            '{"fields": [{"id": "a", "state": "x", "expected": 1, "answer": 1}]}',
            "spans needs id, spans and lacks spans",
            id="cases-as-fields",
        ),
    ],
)
def test_refusals(tmp_path: Path, text: str, message: str) -> None:
    """Each is refused with its place."""
    with pytest.raises(EvalbatchError, match=message):
        sheets.run(tmp_path, text, "a.json")


def test_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    """JSON has one encoding."""
    with pytest.raises(EvalbatchError, match="byte 0xe9 at offset 5"):
        sheets.run(tmp_path, b'\xef\xbb\xbf["\xe9"]', "a.json")


@pytest.mark.parametrize("option", [{"true": ["ja"]}, {"delimiter": ";"}, {"header_row": 2}])
def test_options_of_text_sheets_are_refused(tmp_path: Path, option: dict[str, Any]) -> None:
    """An option that cannot apply is not passed over in silence."""
    with pytest.raises(EvalbatchError, match="cannot apply to JSON"):
        sheets.run(tmp_path, json.dumps([CASE]), "a.json", **option)


def test_items_that_are_no_objects_are_malformed_rows(tmp_path: Path) -> None:
    """They count, at their place."""
    result = sheets.run(tmp_path, json.dumps([CASE, 5, {}, None]), "a.json")
    assert list(result.invalid["source_row"]) == [2, 4]
    assert set(result.invalid["reason"]) == {"row-malformed"}
    assert result.coverage.blank_rows == 1


def test_keys_beside_the_list_are_noted(tmp_path: Path) -> None:
    """What is not read is said."""
    result = sheets.run(tmp_path, json.dumps({"cases": [CASE], "week": 31}), "a.json")
    assert [note.text for note in result.coverage.notes] == [
        "1 key beside the list not read: 'week'"
    ]
