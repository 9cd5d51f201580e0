"""The command line: a thin skin over the library. Only this module prints or exits."""

import errno
import gc
import json
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from io import TextIOWrapper
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalbatch import arguments
from evalbatch.errors import EvalbatchError, PublishError
from evalbatch.progress_bar import ProgressBar
from evalbatch.words import fold_header, shown

if TYPE_CHECKING:
    from evalbatch.comparison import Comparison
    from evalbatch.job import JobOptions
    from evalbatch.result import Result

_UNMET = 1
_INTERRUPTED = 130
_MANY = 200_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    if isinstance(sys.stdout, TextIOWrapper):
        # What a terminal cannot show is escaped, as on stderr.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        words = sys.argv[1:] if argv is None else argv
        given = arguments.parser(_COMMANDS, next(iter(words), None)).parse_args(words)
        command: Callable[[Namespace], int] = given.command
        return command(given)
    except EvalbatchError as error:
        _say(f"evalbatch: {error}")
        return error.exit_code
    except BrokenPipeError:
        # Whoever read the output has had enough of it; nothing is left to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _say(f"evalbatch: what is printed cannot be written: {error.strerror}.")
        return PublishError.exit_code
    except KeyboardInterrupt:
        _say("evalbatch: stopped; earlier results, if any, stand as they were.")
        return _INTERRUPTED


def _run(given: Namespace) -> int:
    # What is imported stays to the end: to look for garbage among it takes a tenth of a small run.
    gc.set_threshold(_MANY)
    from evalbatch import api, gates, summary

    gc.freeze()
    wanted = gates.Gates(given.require_complete, given.min_coverage, given.min_pass_rate)
    output = given.output or _beside(given.sheet)
    with ProgressBar() as bar:
        publishing: dict[str, Any] = {
            "to": given.to and given.to.split(","),
            "bom": not given.no_bom,
            "overwrite": given.overwrite,
            "before_evaluating": wanted.refuse_meaningless,
            "progress": bar,
            "say": _say,
            **_job_options(given),
        }
        results: dict[str, Result]
        if len(given.answers) > 1:
            found = api.run_candidates(given.sheet, given.answers, output, **publishing)
            results = dict(found.results)
            printed, words = found.as_dict(), summary.candidate_lines(found)
        else:
            result = api.run(
                given.sheet, output, answers=next(iter(given.answers), None), **publishing
            )
            results = {"": result}
            printed, words = result.coverage.as_dict(), summary.lines(result)
    if given.json:
        _print_json(printed)
    else:
        for line in words:
            _say(line)
    unmet = [
        f"{name and name + ': '}{line}"
        for name, one in results.items()
        for line in wanted.unmet(one.coverage)
    ]
    for line in unmet:
        _say(f"not met: {line}")
    return _UNMET if unmet else 0


def _template(given: Namespace) -> int:
    from evalbatch import template
    from evalbatch.loaders.options import ReadOptions

    options = ReadOptions(given.delimiter, given.encoding, given.header_row, given.sheet_name)
    made = template.make(
        given.task,
        given.file,
        rows=given.rows,
        source=given.source,
        columns=_columns(given.column),
        options=options,
    )
    if made.left_out:
        _say(made.left_out)
    _say(f"{given.file} is ready to be filled in.")
    return 0


def _check(given: Namespace) -> int:
    from evalbatch import api, checking

    found: list[dict[str, Any]] = []
    codes = [0]
    for path, answers in product(given.sheets, given.answers or [None]):
        name = path.name if answers is None else f"{path.name} with {answers.name}"
        try:
            with ProgressBar() as bar:
                result = api.run(path, answers=answers, progress=bar, **_job_options(given))
        except EvalbatchError as error:
            codes.append(error.exit_code)
            found.append({"name": name, "error": str(error)})
            words: Iterable[str] = [f"evalbatch: {error}"]
        else:
            codes.append(_UNMET if result.coverage.invalid else 0)
            found.append(checking.as_dict(name, result))
            words = checking.lines(name, result)
        if not given.json:
            _say_block(words, is_first=len(found) == 1)
    if given.json:
        _print_json(found)
    return max(codes)


def _compare(given: Namespace) -> int:
    from evalbatch import comparison, comparison_words

    if given.html is not None and given.html.exists():
        raise EvalbatchError(f"--html {given.html}: the file exists; choose another name.")
    watched = [] if given.fail_on is None else comparison.checked_classes(given.fail_on)
    found = comparison.compare(given.old, given.new)
    if given.html is not None:
        _write_page(given.html, found)
    if given.json:
        _print_json(comparison_words.as_dict(found))
    elif given.csv:
        from evalbatch.writers.csv import table

        rows = [list(row.values()) for row in found.rows()]
        sys.stdout.flush()
        sys.stdout.buffer.write(table(list(found.cases.columns), rows))
    else:
        for line in comparison_words.lines(found):
            _say(line)
    unmet = [f"{found.counts[name]} {name}" for name in watched if found.counts[name]]
    if unmet:
        _say(f"not met: --fail-on {given.fail_on}; {', '.join(unmet)}")
    return _UNMET if unmet else 0


def _write_page(path: Path, found: "Comparison") -> None:
    from evalbatch.writers.html.comparison import comparison_page

    try:
        path.write_bytes(comparison_page(found))
    except OSError as error:
        raise PublishError(f"--html {path}: cannot be written: {error.strerror}.") from None


def _verify(given: Namespace) -> int:
    from evalbatch.loaders.options import ReadOptions
    from evalbatch.verification import difference, verify

    options = ReadOptions(given.delimiter, given.encoding, given.header_row, given.sheet_name)
    found = verify(given.sheet, options)
    print(json.dumps(found))
    for mismatch in found.get("mismatches", ()):
        _say(difference(mismatch))
    return _UNMET if "mismatches" in found else 0


def _reasons(given: Namespace) -> int:
    from dataclasses import asdict

    from evalbatch.reasons import CATALOGUE, table

    if given.json:
        _print_json([asdict(reason) for reason in CATALOGUE])
    else:
        print("\n".join(table()), flush=True)
    return 0


def _batch(given: Namespace) -> int:
    from evalbatch.weekly import command

    if given.init:
        _say(command.write_new_job(given.job))
        return 0
    with ProgressBar() as bar:
        batch = command.run(given.job, given.summary, given.log, progress=bar, say=_say)
    if given.json:
        _print_json(command.as_dict(batch))
    else:
        for line in command.lines(batch):
            _say(line)
    return 0 if batch.passed else _UNMET


def _history(given: Namespace) -> int:
    from evalbatch.history import command

    found = command.ask(given.history, given.case, given.report)
    if given.json:
        _print_json(found.as_dict())
    else:
        print("\n".join(found.lines()), flush=True)
    return 0


def _job_options(given: Namespace) -> "JobOptions":
    return {
        "task": given.task,
        "columns": _columns(given.column),
        "true": given.true,
        "false": given.false,
        "blank": given.blank,
        "scattered": given.scattered,
        "delimiter": given.delimiter,
        "encoding": given.encoding,
        "header_row": given.header_row,
        "sheet": given.sheet_name,
        "numbers_as_text": given.numbers_as_text,
        "marks": given.marks,
        "adjudications": given.adjudications,
    }


def _columns(pairs: Sequence[str]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for pair in pairs:
        role, equals, header = pair.partition("=")
        role = fold_header(role)
        if not equals or not header:
            raise EvalbatchError(f"--column is {shown(pair)}; it must be ROLE=HEADER.")
        if role in columns:
            raise EvalbatchError(f"--column names the role {shown(role)} twice; name it once.")
        columns[role] = header
    return columns


def _beside(sheet: Path) -> Path:
    if not sheet.name:
        raise EvalbatchError(f"{str(sheet)!r} is a folder; name a sheet in it.")
    return sheet.with_name(f"{sheet.stem}-results")


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _say_block(lines: Iterable[str], *, is_first: bool) -> None:
    for line in lines if is_first else ["", *lines]:
        _say(line)


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


_COMMANDS: dict[str, Callable[[Namespace], int]] = {
    "run": _run,
    "check": _check,
    "template": _template,
    "compare": _compare,
    "batch": _batch,
    "history": _history,
    "verify": _verify,
    "reasons": _reasons,
}
