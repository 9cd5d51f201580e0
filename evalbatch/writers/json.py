"""JSON results: the evaluators' own results, with the coverage beside them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints
from evalbatch.batch import Evaluation
from evalbatch.columns import json_strings, json_values, take
from evalbatch.coverage import Coverage
from evalbatch.errors import ConservationError
from evalbatch.fields import Fields
from evalbatch.marks import Marks, SpanTexts
from evalbatch.progress import Progress
from evalbatch.records import DISPOSITIONS, Disposition

_BATCH = 1 << 16


def write_coverage(path: Path, coverage: Coverage) -> None:
    """Write `coverage.json`."""
    path.write_text(_dumped(coverage.as_dict()) + "\n", encoding="utf-8")


def write_results(
    path: Path, evaluation: Evaluation, coverage: Coverage, progress: Progress
) -> None:
    """Write `results.json`, one case or field a line."""
    fields = evaluation.fields
    texts = None if fields is None else SpanTexts.of(fields)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write('{"coverage": ' + _dumped(coverage.as_dict()))
        for disposition in DISPOSITIONS:
            units = evaluation.units(disposition)
            file.write(f',\n"{disposition}": [')
            separator = "\n"
            for begin in range(0, len(units), _BATCH):
                batch = units[begin : begin + _BATCH]
                entries = (
                    _case_entries(evaluation, disposition, batch)
                    if fields is None
                    else _field_entries(evaluation, fields, disposition, batch, texts)
                )
                file.write(separator + ",\n".join(entries.to_pylist()))
                separator = ",\n"
                progress(f"writing {path.name}", begin + len(batch), len(units))
            file.write("\n]")
        file.write("}\n")


def check_results(path: Path, coverage: Coverage) -> None:
    """Read `results.json` again and count what it holds."""
    found = json.loads(path.read_text(encoding="utf-8"))
    counts = [len(found[disposition]) for disposition in DISPOSITIONS]
    if counts != [coverage.scored, coverage.held, coverage.invalid]:
        raise ConservationError(
            f"{path.name}, read again, does not hold the {coverage.total} results that were "
            "written; the disk may be failing."
        )


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _ids(evaluation: Evaluation, rows: Ints) -> pa.StringArray:
    """Give ids as JSON: null where there is none, and what stands there where it is no text."""
    column = take(evaluation.sheet.role("id"), rows)
    missing = np.array(
        [one.reasons[:1] == ("id-missing",) for one in evaluation.ids.readings.readings]
    )
    codes = evaluation.ids.readings.codes[rows]
    return kernels.if_else(
        arrow.booleans(missing[codes]), arrow.scalar("null"), json_values(column)
    )


def _case_entries(evaluation: Evaluation, disposition: Disposition, units: Ints) -> pa.StringArray:
    ids = _ids(evaluation, units)
    if disposition != "scored":
        return ids
    words = arrow.texts(["true" if one.passed else "false" for one in evaluation.outcomes])
    passes = arrow.take(words, evaluation.codes[units])
    return arrow.joined('{"id": ', ids, ', "pass": ', passes, "}")


def _field_entries(
    evaluation: Evaluation,
    fields: Fields,
    disposition: Disposition,
    units: Ints,
    texts: SpanTexts | None,
) -> pa.StringArray:
    ids = _ids(evaluation, fields.first_rows[units])
    if disposition == "invalid":
        errors = arrow.texts([(one.reasons or ("",))[0] for one in evaluation.outcomes])
        found = arrow.take(errors, evaluation.codes[units])
        return arrow.joined('{"id": ', ids, ', "error": "', found, '"}')
    marks = Marks(evaluation, fields, units, lambda: texts or SpanTexts.of(fields))
    every = np.arange(len(units))
    return arrow.joined(
        '{"id": ',
        ids,
        ', "old": ',
        marks.old(every),
        ', "current": ',
        arrow.filled(json_strings(marks.current(every)), "null"),
        ', "candidates": ',
        marks.candidates(every),
        ', "status": ',
        json_strings(marks.status(every)),
        "}",
    )
