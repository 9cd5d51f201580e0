"""The note on texts that are struck through by their format, and not by their mark."""

import numpy as np

from evalbatch.batch import Evaluation
from evalbatch.records import Note
from evalbatch.words import counted

_CELLS_IN_A_NOTE = 100


def struck_note(evaluation: Evaluation) -> list[Note]:
    """Note the texts that look struck to a reviewer while their mark says that they are not."""
    sheet = evaluation.sheet
    if not sheet.struck_texts or "struck" not in sheet.match.roles:
        return []
    marks = evaluation.cells["struck"]
    rows = np.array(
        [
            row
            for row in sorted(sheet.struck_texts)
            if marks.readings[marks.codes[row]].value is False
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
