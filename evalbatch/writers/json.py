"""JSON results: the evaluators' own results, with the coverage beside them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import json as pa_json

from evalbatch import arrow, characters, kernels
from evalbatch.arrow import Bytes, Ints
from evalbatch.batch import Evaluation
from evalbatch.columns import json_strings, json_values, take
from evalbatch.coverage import Coverage
from evalbatch.errors import ConservationError
from evalbatch.fields import Fields
from evalbatch.marks import Marks, SpanTexts
from evalbatch.progress import Progress
from evalbatch.records import DISPOSITIONS, Disposition
from evalbatch.threads import in_order
from evalbatch.writers.summaries import coverage_json

_BATCH = 1 << 15
_LINE_END, _BETWEEN = "\n", b",\n"
_Parts = list[pa.StringArray | str]


@dataclass(frozen=True, slots=True)
class Written:
    """A file of results that was written, and where in it how many entries stand."""

    path: Path
    batches: Sequence["_Batch"]


class _Batch(NamedTuple):
    begin: int
    end: int
    entries: int


def write_results(
    path: Path, evaluation: Evaluation, coverage: Coverage, progress: Progress
) -> Written:
    """Write `results.json`, one case or field a line."""
    texts = None if evaluation.fields is None else SpanTexts.of(evaluation.fields)
    written: list[_Batch] = []
    with path.open("wb") as file:
        size = file.write(f'{{"coverage": {coverage_json(coverage)}'.encode())
        for disposition in DISPOSITIONS:
            units = evaluation.units(disposition)
            batches = [units[begin : begin + _BATCH] for begin in range(0, len(units), _BATCH)]
            size += file.write(f',\n"{disposition}": [{_LINE_END if batches else ""}'.encode())
            lines_of = partial(_lines, evaluation, texts, disposition)
            done = 0
            for lines in in_order(lines_of, batches, is_long=len(batches) > 1):
                count = len(batches[done // _BATCH])
                done += count
                data = lines if done < len(units) else lines[: -len(_BETWEEN)]
                size += file.write(data.data)
                written.append(_Batch(size - len(data), size, count))
                progress(f"writing {path.name}", done, len(units))
            size += file.write(b"\n]")
        file.write(b"}\n")
    return Written(path, written)


def check_results(written: Written) -> None:
    """Read results again and count their entries.

    Raises ConservationError for a file that does not hold what was written.
    """
    around = b""
    end = 0
    for batch in written.batches:
        around += _read(written.path, end, batch.begin)
        end = batch.end
    around += _read(written.path, end, written.path.stat().st_size)
    counts = in_order(
        lambda batch: _count(_read(written.path, batch.begin, batch.end)),
        written.batches,
        is_long=len(written.batches) > len(DISPOSITIONS),
    )
    if not _is_empty(around) or list(counts) != [batch.entries for batch in written.batches]:
        raise ConservationError.after_writing(
            written.path.name, "does not hold the results that were written"
        )


def _is_empty(around: bytes) -> bool:
    """Tell whether what is written around entries is JSON without any."""
    try:
        found = json.loads(around)
    except ValueError:
        return False
    lists: dict[str, list[Any]] = {disposition: [] for disposition in DISPOSITIONS}
    return isinstance(found, dict) and found == {"coverage": found.get("coverage"), **lists}


def _count(data: bytes) -> int | None:
    """Count JSON values, one a line; None where they are none."""
    # Arrow reads objects, in which the values are, and looks at nothing but their form.
    end = len(data) - len(_BETWEEN) if data.endswith(_BETWEEN) else len(data)
    lines = b'{"": ' + data[:end].replace(_BETWEEN, b'}\n{"": ') + b"}\n"
    try:
        table = pa_json.read_json(
            pa.BufferReader(lines),
            pa_json.ReadOptions(use_threads=False, block_size=len(lines) + 1),
            pa_json.ParseOptions(explicit_schema=pa.schema([]), unexpected_field_behavior="ignore"),
        )
    except pa.ArrowInvalid:
        return None
    return len(table) if characters.is_utf8(data) else None


def _read(path: Path, begin: int, end: int) -> bytes:
    with path.open("rb", buffering=0) as file:
        file.seek(begin)
        return file.read(end - begin)


def _lines(
    evaluation: Evaluation, texts: SpanTexts | None, disposition: Disposition, units: Ints
) -> Bytes:
    """Write entries, each with what stands between it and the next one."""
    if evaluation.fields is None or texts is None:
        entries = _case_entries(evaluation, disposition, units)
    else:
        entries = _field_entries(evaluation, evaluation.fields, disposition, units, texts)
    return arrow.view(arrow.joined(*entries, _BETWEEN.decode()))


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


def _case_entries(evaluation: Evaluation, disposition: Disposition, units: Ints) -> _Parts:
    ids = _ids(evaluation, units)
    if disposition != "scored":
        return [ids]
    words = arrow.texts(["true" if one.passed else "false" for one in evaluation.outcomes])
    return ['{"id": ', ids, ', "pass": ', arrow.take(words, evaluation.codes[units]), "}"]


def _field_entries(
    evaluation: Evaluation,
    fields: Fields,
    disposition: Disposition,
    units: Ints,
    texts: SpanTexts,
) -> _Parts:
    ids = _ids(evaluation, fields.first_rows[units])
    if disposition == "invalid":
        errors = arrow.texts([(one.reasons or ("",))[0] for one in evaluation.outcomes])
        found = arrow.take(errors, evaluation.codes[units])
        return ['{"id": ', ids, ', "error": "', found, '"}']
    marks = Marks(evaluation, fields, units, lambda: texts)
    every = np.arange(len(units))
    return [
        '{"id": ',
        ids,
        ', "old": ',
        marks.old(every),
        ', "current": ',
        arrow.filled(json_strings(marks.current(every)), "null"),
        ', "candidates": ',
        marks.candidates(every),
        ', "status": "',
        marks.status(every),
        '"}',
    ]
