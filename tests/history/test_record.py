"""What is recorded of a case: where it ended, each time that this changed."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evalbatch
from evalbatch import arrow
from evalbatch.history.read import read
from evalbatch.history.record import last_run, record
from evalbatch.history.runs import Cases, End, SheetRun, keyed
from evalbatch.history.schema import opened
from tests import sheets

PASSED, FAILED = End("scored", True, ""), End("scored", False, "")
HELD, INVALID = End("held", None, "disputed"), End("invalid", None, "state-missing")
ENDS = (PASSED, FAILED, HELD, INVALID)


def cases(ends: dict[str, End]) -> Cases:
    """Make the cases of a sheet."""
    kinds = list(dict.fromkeys(ends.values()))
    codes = np.array([kinds.index(end) for end in ends.values()], dtype=np.int64)
    return Cases(arrow.texts(ends), codes, kinds)


def sheet(ends: dict[str, End] | None, name: str = "key.csv") -> SheetRun:
    """Make a sheet's run; one that failed without ends."""
    if ends is None:
        return SheetRun(name, "digest", error="it failed")
    return SheetRun(name, "digest", coverage={"statement": ""}, cases=cases(ends))


def recorded(path: Path, weeks: Sequence[Sequence[SheetRun]]) -> None:
    """Record weeks, each another run."""
    with opened(path, create=True) as connection:
        for week, found in enumerate(weeks):
            time = f"2025-07-{week + 1:02}T06:00:00+02:00"
            record(connection, "a.toml", found, fingerprint=str(week), begun=time, ended=time)


def rows(path: Path) -> int:
    """Count the changes that are stored."""
    with opened(path) as connection:
        found: int = connection.execute("SELECT count(*) FROM changes").fetchone()[0]
    return found


WEEKS = st.lists(
    st.none() | st.dictionaries(st.sampled_from("abcä "), st.sampled_from(ENDS), max_size=4),
    min_size=1,
    max_size=6,
)


@given(WEEKS)
def test_a_case_ends_as_it_was_recorded(
    tmp_path_factory: pytest.TempPathFactory, weeks: list[dict[str, End] | None]
) -> None:
    """In every run, whatever came before: only changes are stored, and all ends are told."""
    path = tmp_path_factory.mktemp("history") / "history.sqlite"
    recorded(path, [[sheet(ends)] for ends in weeks])
    past = read(path)
    known = {case for ends in weeks if ends for case in ends}
    for case in known:
        [found] = past.case(case)
        first = next(week for week, ends in enumerate(weeks) if ends and case in ends)
        assert [(step.run.number, step.end, step.error) for step in found.steps] == [
            (
                week + 1,
                ends.get(case) if ends is not None else None,
                "it failed" if ends is None else None,
            )
            for week, ends in enumerate(weeks)
            if week >= first
        ]
    evaluated = [ends for ends in weeks if ends is not None]
    held_now = evaluated[-1] if evaluated else {}
    assert {one.case for one in past.longest_held()} == {
        case for case, end in held_now.items() if end is HELD
    }


def test_only_changes_are_stored(tmp_path: Path) -> None:
    """A year in which nothing moves takes the room of a week."""
    path = tmp_path / "history.sqlite"
    ends = {f"q{number}": ENDS[number % 4] for number in range(100)}
    recorded(path, [[sheet(ends)]] * 10 + [[sheet(ends | {"q0": HELD})]])
    assert rows(path) == 101


def test_a_sheet_whose_results_stand_moves_no_case(tmp_path: Path) -> None:
    """Its cases are where they were."""
    path = tmp_path / "history.sqlite"
    stands = SheetRun("key.csv", "digest", coverage={"statement": ""})
    recorded(path, [[sheet({"a": HELD})], [stands], [sheet({"a": PASSED})]])
    [found] = read(path).case("a")
    assert [step.end for step in found.steps] == [HELD, HELD, PASSED]


def test_the_same_case_in_two_sheets_has_two_paths(tmp_path: Path) -> None:
    """Nobody says that they are one."""
    path = tmp_path / "history.sqlite"
    recorded(path, [[sheet({"a": HELD}), sheet({"a": PASSED}, "other.csv")]])
    assert [(one.sheet, one.steps[0].end) for one in read(path).case("a")] == [
        ("key.csv", HELD),
        ("other.csv", PASSED),
    ]


def test_a_run_is_recorded_whole_or_not_at_all(tmp_path: Path) -> None:
    """An error in the middle leaves the history as it was."""
    path = tmp_path / "history.sqlite"
    recorded(path, [[sheet({"a": HELD})]])
    flawed = SheetRun("z.csv", "digest", coverage=None)
    with pytest.raises(Exception, match="CHECK constraint"):
        recorded(path, [[sheet({"b": HELD}), flawed]])
    assert len(read(path).runs) == 1
    assert rows(path) == 1


def test_the_latest_run_of_a_job_is_its_own(tmp_path: Path) -> None:
    """Other jobs have theirs."""
    path = tmp_path / "history.sqlite"
    recorded(path, [[sheet({"a": HELD})]])
    with opened(path) as connection:
        assert last_run(connection, "b.toml") is None
        found = last_run(connection, "a.toml")
    assert found is not None
    assert (found.id, found.fingerprint) == (1, "0")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        pytest.param(
            "id,state,expected,answer\na,agreed,true,true\nb,disputed,,\n,agreed,true,true\n",
            {"a": PASSED, "b": HELD},
            id="a-row-without-an-id",
        ),
        pytest.param(
            "id,state,expected,answer\na,agreed,true,true\na,disputed,,\nb,agreed,true,false\n",
            {"a": End("invalid", None, "id-duplicate"), "b": FAILED},
            id="a-repeated-id",
        ),
        pytest.param(
            "id,state,expected,answer\na,agreed,true\na,agreed,true,true\n",
            {"a": End("invalid", None, "id-duplicate")},
            id="a-repeated-id-on-a-malformed-row",
        ),
        pytest.param(
            "id,text,struck\na,x,true\na,y,false\nb,x,true\nc,x,false\nd,x,false\nc,y,false\n",
            {
                "a": End("scored", None, ""),
                "b": End("held", None, "review-none"),
                "c": End("invalid", None, "field-scattered"),
                "d": End("scored", None, ""),
            },
            id="fields",
        ),
    ],
)
def test_cases_are_keyed_by_their_id(tmp_path: Path, data: str, expected: dict[str, End]) -> None:
    """Each distinct id once, a repeated one as the duplicate that it is, none without one."""
    result = sheets.run(tmp_path, data)
    found = keyed(result.evaluation)
    ends = [found.ends[code] for code in found.codes.tolist()]
    assert dict(zip(found.ids.to_pylist(), ends, strict=True)) == expected
    assert isinstance(result, evalbatch.Result)
