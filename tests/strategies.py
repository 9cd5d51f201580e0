"""Generated sheets: cells of every kind that a reviewer could leave behind."""

from typing import Any

from hypothesis import strategies as st

BOOLEANS = [
    "true",
    "FALSE",
    " True ",
    "\u00a0false",
    "1",
    "yes",
    "WAHR",
    "pass",
    "'TRUE",
    "=TRUE()",
]
STATES = [
    "agreed",
    "Disputed",
    " agreed\t",
    "disputed",
    "pending",
    "agreed;disputed",
    "d\u0131sputed",
]
IDS = ["a", "A", "a ", "b", "c", "0012", "12", "1.2E+17", "=x", "'-", "\u00e9", "e\u0301", "x,y"]
EMPTY = [None, "", " ", "\u00a0"]
TEXTS = ["[blank]", " [BLANK]", "12", "-5", "-x", "+1e5", "=1+1", "'=1", "@a", "\t=", "14 (number)"]

MARKED = ["true (Boolean)", "[] (array)", "1 (number)", " (merged)", "=A1 (not calculated)"]

words = st.text(st.sampled_from("ab 0,;\"'=-\u00e9\u2028()[]"), max_size=6)
# A cell that holds both a line break and a delimiter might read as a swallowed row.
lines = st.text(st.sampled_from("ab\r\n\"'"), max_size=6)
notes = st.one_of(st.none(), words, lines)


def cells(*kinds: list[Any]) -> st.SearchStrategy[Any]:
    """Choose among listed cells, more often from the first list than from the others."""
    first, *rest = kinds
    return st.sampled_from(first * 3 + [cell for kind in rest for cell in kind])


key_rows = st.lists(
    st.tuples(
        st.one_of(cells(IDS, EMPTY), words),
        cells(["agreed", "disputed"], STATES, EMPTY),
        st.one_of(cells(["true", "false"], BOOLEANS, EMPTY, MARKED), words),
        cells(["true", "false"], BOOLEANS, EMPTY, MARKED),
        notes,
    ).map(list),
    min_size=1,
    max_size=12,
)
span_rows = st.lists(
    st.tuples(
        cells(["a", "b", "c"], IDS[:4], EMPTY),
        st.one_of(cells(TEXTS, EMPTY, MARKED), words, lines),
        cells(["true", "false"], BOOLEANS, EMPTY, MARKED),
        notes,
    ).map(list),
    min_size=1,
    max_size=12,
)

json_values = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, -1, 12, 1.5, 1e300, 10**20]),
    st.sampled_from(
        ["", " ", "true", "TRUE", "agreed", "Agreed", "disputed", "[blank]", "x (text)", *MARKED]
    ),
    st.sampled_from([[], {}, [1], {"a": None}]),
)
key_items = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.one_of(st.sampled_from(["a", "b", "c", "7 (number)"]), json_values),
            "state": st.one_of(st.sampled_from(["agreed", "disputed"]), json_values),
            "expected": st.one_of(st.booleans(), json_values),
            "answer": st.one_of(st.booleans(), json_values),
            "note": json_values,
        }
    ),
    min_size=1,
    max_size=8,
)
span_items = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.one_of(st.sampled_from(["a", "b", "c"]), json_values),
            "text": st.one_of(st.sampled_from(TEXTS), json_values),
            "struck": st.one_of(st.booleans(), json_values),
            "page": json_values,
        }
    ),
    min_size=1,
    max_size=8,
)
spans = st.lists(
    st.one_of(
        st.fixed_dictionaries(
            {"text": json_values, "struck": st.one_of(st.booleans(), json_values)}
        ),
        st.fixed_dictionaries({"text": st.sampled_from(TEXTS), "struck": st.booleans()}),
        st.just({}),
    ),
    max_size=4,
)
field_items = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.one_of(st.sampled_from(["a", "b", "c"]), json_values),
            "spans": st.one_of(spans, spans, json_values, st.sampled_from(MARKED)),
            "page": json_values,
        }
    ),
    min_size=1,
    max_size=6,
)
