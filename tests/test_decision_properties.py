"""What holds for every key, its answers and its decisions: nothing else settles a disputed case."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import assume, example, given
from hypothesis import strategies as st

import evalbatch
from evalbatch import EvalbatchError
from tests import sheets

KEY = ["id", "note", "state", "expected", "answer"]
DECISIONS = ["id", "note", "decision", "decided_by", "decided_on"]
IDS = ["a", "b", "0012", "12", "=x"]
BOOLEANS = {"TRUE": True, "false": False}

booleans = st.sampled_from([*["TRUE", "false"] * 3, "yes", None])
notes = st.sampled_from([*["x"] * 8, "y", None])
cases = st.tuples(
    st.sampled_from([*IDS, None]),
    notes,
    st.sampled_from(["disputed", "disputed", " Disputed", "agreed", None]),
    booleans,
    booleans,
)
# The first case is nearly always one that a decision can settle.
first = st.tuples(
    st.just("a"), st.just("x"), st.sampled_from(["disputed", " Disputed"]), booleans, booleans
)
keys = st.builds(lambda one, more: [one, *more], first, st.lists(cases, max_size=4))
recorded = st.lists(
    st.tuples(
        st.sampled_from(["a", "a", "a", "a", "b", "0012", "A", None]),
        notes,
        booleans,
        st.sampled_from([*["Ann"] * 6, "Bo", None, " "]),
        st.sampled_from([*["2026-08-03"] * 6, "2026-08-10", None]),
    ),
    min_size=1,
    max_size=3,
)


def evaluated(folder: Path, key: Any, decisions: Any, *, apart: bool) -> evalbatch.Result:
    """Evaluate a key under two decision sheets, the answers in it or apart."""
    paths = []
    for number, rows in enumerate((decisions[::2], decisions[1::2])):
        # A row of commas alone would be one more column than there is a row.
        if any(any(row) for row in rows):
            paths.append(folder / f"decisions{number}.csv")
            paths[-1].write_bytes(sheets.csv_bytes([DECISIONS, *rows]))
    options: dict[str, Any] = {"adjudications": paths}
    rows = [KEY, *key]
    if apart:
        answers = dict.fromkeys(row[0] for row in key)
        given = {row[0]: row[4] for row in reversed(key)}
        table = [["id", "answer"], *([name, given[name]] for name in answers)]
        (folder / "answers.csv").write_bytes(sheets.csv_bytes(table))
        options["answers"] = folder / "answers.csv"
        rows = [row[:4] for row in rows]
    try:
        return sheets.run(folder, sheets.csv_bytes(rows), **options)
    except EvalbatchError as error:
        assume("no cases" not in str(error) and "no id in it" not in str(error))
        raise


def decided(case: Any, decisions: Any) -> bool | None:
    """Work out what the decisions on one case come to; None if they settle nothing.

    Each sheet has the note of the case, so that each decision is of the case as it is, or stale.
    """
    on_case = [row for row in decisions if row[0] == case[0] and any(row[2:])]
    current = [row for row in on_case if row[1] == case[1]]
    settling = [row for row in current if row[2] in BOOLEANS and (row[3] or "").strip() and row[4]]
    said = {BOOLEANS.get(row[2], row[2]) for row in current if row[2] is not None}
    [only] = said if settling and len(said) == 1 else [None]
    return only if isinstance(only, bool) else None


@example(
    key=[("a", "x", "disputed", None, "TRUE")],
    decisions=[("a", "x", "TRUE", "Ann", "today"), ("a", "x", "yes", "Bo", "today")],
    apart=False,
)
@given(keys, recorded, st.booleans())
def test_only_a_complete_decision_leads_from_a_disputed_row_to_a_score(
    key: Any, decisions: Any, apart: bool
) -> None:
    """And then the pass is the answer against the decision, and nothing else."""
    with tempfile.TemporaryDirectory() as name:
        result = evaluated(Path(name), key, decisions, apart=apart)
    names = [row[0] for row in key]
    by_row = {int(row): place for place, row in enumerate(range(2, len(key) + 2))}
    passes = dict(zip(result.scored["source_row"], result.scored["pass"], strict=True))
    adjudicated = 0
    for row, passed in passes.items():
        case = key[by_row[row]]
        is_disputed = str(case[2]).strip().lower() == "disputed"
        label = decided(case, decisions) if is_disputed else BOOLEANS[case[3]]
        assert label is not None
        assert passed == (BOOLEANS[case[4]] == label)
        adjudicated += is_disputed
    assert result.coverage.adjudicated == adjudicated
    for row, place in by_row.items():
        case = key[place]
        is_whole = case[0] and names.count(case[0]) == 1 and case[4] in BOOLEANS
        if (
            is_whole
            and str(case[2]).strip().lower() == "disputed"
            and decided(case, decisions) is not None
        ):
            assert row in passes


@given(keys, recorded)
def test_decisions_move_only_the_cases_that_they_settle(key: Any, decisions: Any) -> None:
    """Every other case ends where it had, and the order of the decisions never matters."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain = evaluated(folder, key, [], apart=False)
        results = [
            evaluated(folder, key, rows, apart=False) for rows in (decisions, decisions[::-1])
        ]
    first, second = (
        [set(getattr(result, end)["source_row"]) for end in ("scored", "held", "invalid")]
        for result in results
    )
    assert first == second
    settled = set(results[0].scored["source_row"]) - set(plain.scored["source_row"])
    assert settled <= set(plain.held["source_row"])
    assert set(plain.scored["source_row"]) <= set(results[0].scored["source_row"])
    assert set(plain.invalid["source_row"]) <= set(results[0].invalid["source_row"])
