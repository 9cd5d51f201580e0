"""`evalbatch history`: the runs, one case's path, or the report, in words and for programs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalbatch.history.past import CasePath, Run, SheetFigures
from evalbatch.history.read import History, read
from evalbatch.words import legible, listed


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked, for a person and for a program."""

    lines: Callable[[], Iterator[str]]
    as_dict: Callable[[], dict[str, Any]]


def ask(path: Path, case: str | None, report: Path | None) -> Answer:
    """Ask a history for its runs or for a case's path, and write its report if one is wanted."""
    history = read(path)
    if report is not None:
        from evalbatch.history.report import write_report

        write_report(history, report)
    if case is not None:
        paths = history.case(case)
        return Answer(lambda: _case_lines(paths), lambda: _case_dict(case, paths))
    if report is not None:
        return Answer(lambda: iter([f"{report} is written."]), lambda: _runs_dict(history))
    return Answer(lambda: _runs_lines(history), lambda: _runs_dict(history))


def when(time: str) -> str:
    """Give the local time of a run to the minute."""
    return time.replace("T", " ")[:16]


def _runs_lines(history: History) -> Iterator[str]:
    for number, run in enumerate(history.runs):
        if number:
            yield ""
        again = ""
        if run.repeats:
            times = listed([when(time) for time in run.repeats], 3)
            again = f", over again with nothing changed {times}"
        yield f"run {run.number}  {when(run.ended)}  {legible(run.job)}{again}"
        yield from (f"  {line}" for sheet in run.sheets for line in _sheet_lines(sheet))


def _sheet_lines(sheet: SheetFigures) -> Iterator[str]:
    name = legible(sheet.name)
    if sheet.coverage is None:
        yield f"{name}: failed: {legible(sheet.error or '')}"
        return
    yield f"{name}: {sheet.coverage['statement']}"
    yield from (f"  not met: {line}" for line in sheet.unmet)


def _case_lines(paths: list[CasePath]) -> Iterator[str]:
    for number, path in enumerate(paths):
        if number:
            yield ""
        yield f"{legible(path.case)} in {legible(path.sheet)} ({legible(path.job)})"
        yield from (
            f"  run {step.run.number:<4} {when(step.run.ended)}  {legible(str(step))}"
            for step in path.steps
        )


def _runs_dict(history: History) -> dict[str, Any]:
    return {"runs": [_run_dict(run) for run in history.runs]}


def _run_dict(run: Run) -> dict[str, Any]:
    return {
        "run": run.number,
        "job": run.job,
        "ended": run.ended,
        "repeats": list(run.repeats),
        "version": run.version,
        "sheets": [
            {
                "name": sheet.name,
                "error": sheet.error,
                "unmet": list(sheet.unmet),
                "folders": list(sheet.folders),
                "coverage": sheet.coverage,
            }
            for sheet in run.sheets
        ],
    }


def _case_dict(case: str, paths: list[CasePath]) -> dict[str, Any]:
    return {
        "case": case,
        "sheets": [
            {
                "job": path.job,
                "sheet": path.sheet,
                "steps": [
                    {
                        "run": step.run.number,
                        "ended": step.run.ended,
                        "disposition": step.end and step.end.disposition,
                        "pass": step.end and step.end.passed,
                        "reason": step.end and step.end.reason,
                        "error": step.error,
                    }
                    for step in path.steps
                ],
            }
            for path in paths
        ],
    }
