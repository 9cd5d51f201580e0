"""One document in, its result out: the two rules without any sheet."""

from collections.abc import Mapping
from typing import Any

from evalbatch.core import answer_key, edit_marks
from evalbatch.errors import EvalbatchError


def evaluate(document: Mapping[str, Any]) -> dict[str, Any]:
    """Evaluate `{"cases": [...]}` or `{"spans": [...]}`.

    Cases have `id`, `state`, `expected` and `answer`, and give
    `{"scored": [{"id", "pass"}], "held": [ids], "invalid": [ids]}` in input order; two cases with
    one id are two cases. Spans are those of one field, have `text` and `struck`, and give
    `{"old", "current", "candidates", "status"}`, or `{"error"}`. A key that is not there is an
    absent value. Raises EvalbatchError for a document that is neither, or is both.
    """
    if not isinstance(document, Mapping):
        raise EvalbatchError(f"the document is a {type(document).__name__}; {_WANTED}.")
    named = [key for key in ("cases", "spans") if key in document]
    if len(named) != 1:
        keys = ", ".join(map(repr, document)) or "no keys"
        raise EvalbatchError(f"the document has {keys}; {_WANTED}.")
    records = document[named[0]]
    if not isinstance(records, list | tuple):
        raise EvalbatchError(f"{named[0]} is a {type(records).__name__}; it must be a list.")
    for place, record in enumerate(records, 1):
        if not isinstance(record, Mapping):
            raise EvalbatchError(
                f"item {place} of {named[0]} is a {type(record).__name__}; it must be an object."
            )
    return answer_key.evaluate(records) if named == ["cases"] else edit_marks.evaluate(records)


_WANTED = 'it must be {"cases": [...]} or {"spans": [...]}'
