"""The note on Booleans in another spelling, and the options that would declare them."""

from evalbatch.batch import Evaluation
from evalbatch.records import Kind, Note
from evalbatch.spellings import like_boolean
from evalbatch.words import fold, options, trim


def spelling_note(evaluation: Evaluation) -> list[Note]:
    """Name every word in a Boolean column that looks like a Boolean and is not taken as one."""
    words: dict[str, dict[str, str]] = {"--true": {}, "--false": {}}
    where: dict[str, None] = {}
    for role, readings in evaluation.cells.items():
        if role not in ("expected", "answer", "struck"):
            continue
        for cell, reading in zip(readings.cells, readings.readings, strict=True):
            flag = like_boolean(cell.text or "") if cell.kind in (Kind.WORD, Kind.TEXT) else None
            if flag and reading.reasons:
                words[flag].setdefault(fold(cell.text or ""), trim(cell.text or ""))
                where[role] = None
    if not where:
        return []
    declared = " ".join(options(flag, found.values()) for flag, found in words.items() if found)
    return [
        Note(
            "boolean-spellings",
            f"{' and '.join(where)} {'hold' if len(where) > 1 else 'holds'} words that look like "
            f"Booleans in another spelling; if they mean that here, run again with {declared}",
        )
    ]
