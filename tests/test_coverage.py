"""Coverage: statements, rates and bounds, worked out by hand."""

import json
from pathlib import Path

import pytest

from evalbatch.coverage import percentage, wilson
from tests import sheets

KEY = "id,state,expected,answer\n"
PASSED, FAILED = "{i},agreed,true,true\n", "{i},agreed,true,false\n"
HELD, INVALID = "{i},disputed,,\n", "{i},agreed,,true\n"


def key(*rows: str) -> str:
    """Make a key of rows with ids of their own."""
    return KEY + "".join(row.format(i=i) for i, row in enumerate(rows))


@pytest.mark.parametrize(
    ("rows", "statement"),
    [
        pytest.param(
            [PASSED, PASSED, FAILED, HELD, INVALID],
            "2 of 3 scored cases passed; 3 of 5 cases scored (60.0%), 1 held, 1 invalid: not the "
            "full evaluation, whose pass rate lies between 40.0% and 80.0%.",
            id="incomplete",
        ),
        pytest.param(
            [PASSED, PASSED, FAILED],
            "2 of 3 scored cases passed; 3 of 3 cases scored (100.0%): the full evaluation, "
            "pass rate 66.7%.",
            id="complete",
        ),
        pytest.param(
            [HELD, INVALID],
            "Pass rate n/a; 0 of 2 cases scored (0.0%), 1 held, 1 invalid: not the full "
            "evaluation, whose pass rate lies between 0.0% and 100.0%.",
            id="nothing-scored",
        ),
    ],
)
def test_the_statement_of_an_answer_key(tmp_path: Path, rows: list[str], statement: str) -> None:
    """It has both denominators, and says whether it speaks of everything."""
    assert sheets.run(tmp_path, key(*rows)).statement == statement


def test_the_statement_of_spans_has_no_pass_rate(tmp_path: Path) -> None:
    """Accepted is no pass."""
    result = sheets.run(tmp_path, "id,text,struck\na,x,false\nb,x,true\n")
    assert result.statement == (
        "1 of 2 fields scored (50.0%), 1 held, 0 invalid: not the full evaluation."
    )
    assert result.coverage.pass_rate is None
    assert result.coverage.as_dict()["convention"].startswith("struck text is old")


def test_coverage_json(tmp_path: Path) -> None:
    """Every figure of a small key, as one would work it out."""
    found = sheets.run(tmp_path, key(PASSED, PASSED, FAILED, HELD, INVALID) + "\n\n").coverage
    summary = json.loads(json.dumps(found.as_dict()))
    assert next(iter(summary)) == "statement"
    rate = summary.pop("pass_rate")
    low, high = rate.pop("interval95")
    assert (round(low, 4), round(high, 4)) == (0.2077, 0.9385)
    assert rate == {
        "value": 2 / 3,
        "numerator": 2,
        "denominator": 3,
        "scope": "the scored cases only, 3 of 5",
    }
    source = summary.pop("source")
    assert source.pop("sha256")
    assert source == {"name": "sheet.csv", "sheet": None, "part_of": None}
    assert [note["code"] for note in summary.pop("notes")] == ["blank-rows"]
    del summary["statement"], summary["version"]
    assert summary == {
        "task": "answer-key",
        "total": 5,
        "scored": 3,
        "adjudicated": 0,
        "held": 1,
        "invalid": 1,
        "blank_rows": 2,
        "coverage": 0.6,
        "complete": False,
        "passed": 2,
        "failed": 1,
        "full_pass_rate_bounds": [0.4, 0.8],
        "reasons": {"disputed": 1, "expected-missing": 1},
        "options": {},
    }


def test_a_rate_never_stands_alone(tmp_path: Path) -> None:
    """Its text has its interval, its scope and its denominators."""
    rate = sheets.run(tmp_path, key(PASSED, FAILED, HELD)).coverage.pass_rate
    assert str(rate) == (
        "pass rate 50.0% (1 of 2, 95% interval 9.5% to 90.5%): the scored cases only, 2 of 3"
    )


def test_coverage_csv_has_the_same_columns_for_every_sheet(tmp_path: Path) -> None:
    """Weeks can be stacked, whatever was in them."""
    key_row = sheets.rows(sheets.publish(tmp_path, key(PASSED, HELD)) / "coverage.csv")
    spans = sheets.publish(tmp_path, "id,text,struck\na,x,false\n", "spans.csv")
    spans_row = sheets.rows(spans / "coverage.csv")
    assert key_row[0] == spans_row[0]
    assert key_row[0][0] == "statement"
    assert len(key_row) == len(spans_row) == 2


@pytest.mark.parametrize(
    ("successes", "trials", "interval"),
    [
        # Newcombe 1998, Statistics in Medicine 17:857, table I, method 3.
        pytest.param(81, 263, (0.2553, 0.3662), id="81-of-263"),
        pytest.param(15, 148, (0.0624, 0.1605), id="15-of-148"),
        pytest.param(0, 20, (0.0, 0.1611), id="none-of-20"),
        pytest.param(1, 29, (0.0061, 0.1718), id="1-of-29"),
        pytest.param(5, 5, (0.5655, 1.0), id="all-of-5"),
    ],
)
def test_wilson(successes: int, trials: int, interval: tuple[float, float]) -> None:
    """Published values, to four places."""
    found = wilson(successes, trials)
    assert found is not None
    assert tuple(round(end, 4) for end in found) == interval


def test_wilson_of_nothing_is_none() -> None:
    """A rate over no case has no interval."""
    assert wilson(0, 0) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "100.0%"), (0, "0.0%"), (0.99999, "99.9%"), (0.00001, "0.1%"), (0.6, "60.0%")],
)
def test_a_percentage_is_100_or_0_only_where_it_is(value: float, text: str) -> None:
    """Rounding must not make an evaluation complete."""
    assert percentage(value) == text
