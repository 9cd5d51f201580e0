"""The command line: a thin skin over the library. Only this module prints or exits."""

import json
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from evalbatch import arguments
from evalbatch.errors import EvalbatchError
from evalbatch.words import fold_header, shown

_UNMET = 1
_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    if isinstance(sys.stdout, TextIOWrapper):
        # What a terminal cannot show is escaped, as on stderr.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        given = arguments.parser(_run, _verify, _reasons, _batch, _history).parse_args(argv)
        command: Callable[[Namespace], int] = given.command
        return command(given)
    except EvalbatchError as error:
        _say(f"evalbatch: {error}")
        return error.exit_code
    except BrokenPipeError:
        # Whoever read the output has had enough of it; nothing is left to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        _say("evalbatch: stopped; earlier results, if any, stand as they were.")
        return _INTERRUPTED


def _run(given: Namespace) -> int:
    from evalbatch import api, gates, summary

    wanted = gates.Gates(given.require_complete, given.min_coverage, given.min_pass_rate)
    with _Bar() as bar:
        result = api.run(
            given.sheet,
            given.output or _beside(given.sheet),
            task=given.task,
            columns=_columns(given.column),
            true=given.true,
            false=given.false,
            blank=given.blank,
            scattered=given.scattered,
            delimiter=given.delimiter,
            encoding=given.encoding,
            header_row=given.header_row,
            sheet=given.sheet_name,
            numbers_as_text=given.numbers_as_text,
            to=given.to and given.to.split(","),
            bom=not given.no_bom,
            overwrite=given.overwrite,
            before_evaluating=wanted.refuse_meaningless,
            progress=bar,
            say=_say,
        )
    if given.json:
        _print_json(result.coverage.as_dict())
    else:
        for line in summary.lines(result):
            _say(line)
    unmet = wanted.unmet(result.coverage)
    for line in unmet:
        _say(f"not met: {line}")
    return _UNMET if unmet else 0


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
    with _Bar() as bar:
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


def _print_json(value: Any) -> None:
    print(json.dumps(value, indent=2))


class _Bar:
    """A progress bar on a terminal, once the work has taken more than a second."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> "_Bar":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def __call__(self, doing: str, done: int, total: int) -> None:
        if not sys.stderr.isatty() or time.monotonic() - self._begun < 1:
            return
        if self._bar is None or self._bar.desc != f"{doing}: ":
            self._close()
            from tqdm import tqdm

            self._bar = tqdm(
                desc=doing,
                total=total or None,
                unit=" rows",
                unit_scale=True,
                leave=False,
                file=sys.stderr,
            )
        self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
