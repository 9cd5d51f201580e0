"""The coverage summary as JSON, and as one row of CSV, so that weeks can be stacked."""

import json

from evalbatch.coverage import Coverage
from evalbatch.reasons import CATALOGUE


def coverage_json(coverage: Coverage) -> str:
    """Give the summary as it stands in `coverage.json`."""
    return json.dumps(coverage.as_dict(), ensure_ascii=False, indent=2)


def coverage_row(coverage: Coverage) -> dict[str, str | None]:
    """Give the summary's cells by column: the same columns for every sheet."""
    rate = coverage.pass_rate
    low, high = (rate.interval95 if rate else None) or (None, None)
    bounds = coverage.full_pass_rate_bounds or (None, None)
    cells: dict[str, object] = {
        "statement": coverage.statement,
        "source": coverage.source.name,
        "sheet": coverage.source.sheet,
        "task": coverage.task,
        "total": coverage.total,
        "scored": coverage.scored,
        "adjudicated": coverage.adjudicated,
        "held": coverage.held,
        "invalid": coverage.invalid,
        "blank_rows": coverage.blank_rows,
        "coverage": coverage.coverage,
        "complete": coverage.complete,
        "part_of": coverage.part_of,
        "passed": coverage.passed,
        "failed": None if rate is None else coverage.scored - rate.numerator,
        "pass_rate": rate and rate.value,
        "pass_rate_scope": rate and rate.scope,
        "pass_rate_low95": low,
        "pass_rate_high95": high,
        "full_pass_rate_low": bounds[0],
        "full_pass_rate_high": bounds[1],
        **{reason.code: coverage.reasons.get(reason.code, 0) for reason in CATALOGUE},
        "notes": json.dumps([note.code for note in coverage.notes]),
        "sha256": coverage.source.sha256,
        "version": coverage.version,
    }
    return {name: None if value is None else _text(value) for name, value in cells.items()}


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
