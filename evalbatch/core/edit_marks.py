"""The edit-mark rule: which span of a field is its current text."""

from collections.abc import Mapping, Sequence
from typing import Any

_STRUCK_IS_OLD = "struck text is old: the sheet's owner strikes out a text that another replaces. "
CONVENTION = _STRUCK_IS_OLD + "The marks are supplied observations; none is detected here."
CONVENTION_BY_FORMAT = (
    _STRUCK_IS_OLD + "The marks are the strike-through of the cells, as supplied; none is detected "
    "in handwriting here."
)


def evaluate(spans: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Read one field from its spans, each with `text` and `struck`, in order.

    Returns `{"error": "observation-text"}` where any text is absent or no string, else
    `{"error": "observation-label"}` where any mark is no real Boolean, else
    `{"old", "current", "candidates", "status"}`: the struck texts, the one unstruck text or None,
    all unstruck texts, and `accepted` with exactly one of them or `review`. No span at all is a
    review; an empty string is a text like any other. The texts themselves never matter: there is
    no last, nearest or longest rule.
    """
    if not all(isinstance(span.get("text"), str) for span in spans):
        return {"error": "observation-text"}
    if not all(isinstance(span.get("struck"), bool) for span in spans):
        return {"error": "observation-label"}
    old = [span["text"] for span in spans if span["struck"]]
    candidates = [span["text"] for span in spans if not span["struck"]]
    accepted = len(candidates) == 1
    return {
        "old": old,
        "current": candidates[0] if accepted else None,
        "candidates": candidates,
        "status": "accepted" if accepted else "review",
    }
