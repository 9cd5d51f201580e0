"""The report of a history: one page that stands by itself, each sheet with its course."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evalbatch.coverage import percentage
from evalbatch.errors import PublishError
from evalbatch.history import charts
from evalbatch.history.command import when
from evalbatch.history.past import Held
from evalbatch.history.read import History
from evalbatch.weekly.log import refuse_data
from evalbatch.words import encodable

_MOST_HELD = 100


def write_report(history: History, path: Path) -> None:
    """Write the report; raise EvalbatchError without matplotlib, PublishError for a bad path."""
    charts.require_matplotlib()
    refuse_data("--report", path)
    text = report(history)
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise PublishError(f"--report {path}: cannot be written: {error.strerror}.") from error


def report(history: History) -> str:
    """Give the report as HTML: the same history gives the same bytes."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("evalbatch.history", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    held = history.longest_held()
    return environment.get_template("report.html.j2").render(
        title=f"History of {history.job or history.path.name}",
        jobs=len({run.job for run in history.runs}),
        runs=len(history.runs),
        first=when(history.runs[0].ended),
        last=when(max(run.last_ended for run in history.runs)),
        sheets=[
            _sheet(job, name, rows, _chart(rows, number))
            for number, ((job, name), rows) in enumerate(_by_sheet(history).items())
        ],
        held=[_held(one) for one in held[:_MOST_HELD]],
        held_in_all=len(held),
    )


def _by_sheet(history: History) -> dict[tuple[str, str], list[dict[str, Any]]]:
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in history.figures():
        found.setdefault((row["job"], row["sheet"]), []).append(row)
    return found


def _chart(rows: Sequence[dict[str, Any]], number: int) -> object:
    """Draw a sheet's course, as markup of our own; None for a sheet that failed in every run."""
    from markupsafe import Markup

    if all(row["error"] is not None for row in rows):
        return None
    return Markup(charts.course(rows, number))


def _sheet(job: str, name: str, rows: Sequence[Mapping[str, Any]], chart: object) -> dict[str, Any]:
    latest = rows[-1]
    failure = f"In run {latest['run']} the sheet failed: {latest['error']}"
    return {
        "job": encodable(job),
        "name": name,
        "latest": latest["statement"] or failure,
        "chart": chart,
        "has_pass_rate": any(row["passed"] is not None for row in rows),
        "rows": [_row(row) for row in reversed(rows)],
    }


def _row(row: Mapping[str, Any]) -> dict[str, Any]:
    found = {
        "run": row["run"],
        "when": row["ended"].strftime("%Y-%m-%d %H:%M"),
        "error": row["error"],
        "scored": "",
        "passed": "",
        "bounds": "",
    }
    if row["error"] is None:
        share = percentage(row["coverage"])
        decided = f", {row['adjudicated']:,} on a recorded decision" if row["adjudicated"] else ""
        found["scored"] = f"{row['scored']:,} of {row['total']:,} ({share}){decided}"
    if row["passed"] is not None:
        found["passed"] = f"{row['passed']:,} of {row['scored']:,} scored"
    if row["low"] is not None:
        low, high = percentage(row["low"]), percentage(row["high"])
        found["bounds"] = low if low == high else f"{low} to {high}"
    return found


def _held(one: Held) -> dict[str, Any]:
    return {
        "case": one.case,
        "sheet": one.sheet,
        "reason": one.reason,
        "since": when(one.since.ended)[:10],
        "runs": one.runs,
        "days": one.days,
    }
