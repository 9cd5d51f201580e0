"""Notes on strike-through: where the mark says otherwise, and where it leaves white space."""

import numpy as np

from evalbatch.batch import Evaluation
from evalbatch.columns import kinds
from evalbatch.records import Kind, Note, Sheet
from evalbatch.words import counted, listed, trim

_CELLS_IN_A_NOTE = 100


def struck_note(evaluation: Evaluation) -> list[Note]:
    """Note the texts that look struck to a reviewer while their mark says that they are not."""
    sheet = evaluation.sheet
    if not sheet.struck_texts or "struck" not in sheet.match.roles:
        return []
    marks = evaluation.cells["struck"]
    is_text = kinds(sheet.role("text")) == Kind.TEXT
    rows = np.array(
        [
            row
            for row in sorted(sheet.struck_texts)
            if is_text[row] and marks.readings[marks.codes[row]].value is False
        ],
        dtype=np.int64,
    )
    if not len(rows):
        return []
    column = sheet.role("text")
    return [
        Note(
            "struck-by-format",
            f"{counted(len(rows), 'text')} struck through by format while struck is FALSE there; "
            "only the struck column counts, so compare the two",
            tuple(sheet.places(column, rows[:_CELLS_IN_A_NOTE]).to_pylist()),
        )
    ]


def edge_note(sheet: Sheet) -> list[Note]:
    """Note the texts in which white space stands where the strike-through begins or ends.

    It belongs to the span on its side: `12 ` struck and `14` is not the same as `12` struck
    and ` 14`.
    """
    if "struck" in sheet.match.roles or not sheet.pieces:
        return []
    rows = [row for row, pieces in sheet.pieces.items() if any(map(_has_edge, pieces))]
    if not rows:
        return []
    places = sheet.places(sheet.role("text"), np.array(rows[:_CELLS_IN_A_NOTE], dtype=np.int64))
    return [
        Note(
            "white-space-beside-strike-through",
            f"{counted(len(rows), 'text')} with white space where the strike-through begins or "
            f"ends, which is part of the span on its side: {listed(places.to_pylist())}",
            tuple(places.to_pylist()),
        )
    ]


def _has_edge(piece: tuple[str, bool]) -> bool:
    return piece[0] != trim(piece[0])
