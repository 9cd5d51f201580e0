"""The command line: a thin skin over the library. Only this module prints or exits."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evalbatch import __version__
from evalbatch.errors import EvalbatchError
from evalbatch.words import fold_header, shown

_UNMET = 1
_INTERRUPTED = 130

_MANUAL = """\
Evaluates answer keys and transcription marks that reviewers keep in spreadsheets.
What is disputed is held until somebody records a decision, what is malformed is
set aside with its cell and the reason, and every score carries its denominator.

  evalbatch run key.csv             three sheets and a coverage summary
  evalbatch verify cases.json       do worked-out cases still come out the same?
  evalbatch reasons                 what each reason means, and what to do
  evalbatch COMMAND --help          the manual of one command, with an example
"""

_EXIT_CODES = """\
exit codes:
  0  done
  1  done, but something that was asked for is not met (a gate; a mismatch)
  2  a wrong option, or an input that cannot be evaluated; nothing was written
  3  another run is writing the same results folder
  4  the results could not be published; earlier ones stand as they were
"""

_RUN_MANUAL = """\
Evaluates one sheet and publishes a results folder.

The sheet is CSV, TSV, JSON or JSON Lines; its header tells the task:
  answer key   id, state, expected, answer    state is agreed or disputed
  spans        id, text, struck               one row a span; struck text is old
  spans        id, spans                      one row a field; spans is JSON
All other columns are carried through as they are.
"""

_RUN_EXAMPLE = """\
example:
  $ cat key.csv
  id,state,expected,answer
  C1,agreed,TRUE,TRUE
  C2,disputed,,TRUE
  C3,agreed,pass,TRUE
  $ evalbatch run key.csv
  1 of 1 scored cases passed; 1 of 3 cases scored (33.3%), 1 held, 1 invalid: not
  the full evaluation, whose pass rate lies between 33.3% and 100.0%.
  ...
  To mend
    C4: expected is the text 'pass'; it must be TRUE or FALSE

  key-results/ then holds scored.csv, held.csv, invalid.csv, results.json,
  coverage.json, coverage.csv and a manifest. Fill in the decision columns of
  held.csv, mend invalid.csv, or mend the sheet itself, and run again.

"""

_VERIFY_EXAMPLE = """\
The file holds worked-out cases: id, input and expected, the last two as JSON. Each
input is evaluated, and its result compared type for type (true is not 1).

example:
  $ evalbatch verify cases.csv
  {"checked": 6, "caseIds": ["one-replacement", "two-current-spans", ...]}

"""

_REASONS_EXAMPLE = """\
Every held or invalid case has one or more of these in its reason cell; the first
is the one that decided.

example:
  $ evalbatch reasons --json | jq -r '.[].code'

"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    try:
        arguments = _parser().parse_args(argv)
        command: Callable[[argparse.Namespace], int] = arguments.command
        return command(arguments)
    except EvalbatchError as error:
        _say(f"evalbatch: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        _say("evalbatch: stopped; earlier results, if any, stand as they were.")
        return _INTERRUPTED


def _run(arguments: argparse.Namespace) -> int:
    from evalbatch import api, gates, summary

    wanted = gates.Gates(
        arguments.require_complete, arguments.min_coverage, arguments.min_pass_rate
    )
    with _Bar() as bar:
        result = api.run(
            arguments.sheet,
            arguments.output or _beside(arguments.sheet),
            task=arguments.task,
            columns=_columns(arguments.column),
            true=arguments.true,
            false=arguments.false,
            blank=arguments.blank,
            scattered=arguments.scattered,
            delimiter=arguments.delimiter,
            encoding=arguments.encoding,
            header_row=arguments.header_row,
            to=arguments.to.split(","),
            bom=not arguments.no_bom,
            overwrite=arguments.overwrite,
            before_evaluating=wanted.refuse_meaningless,
            progress=bar,
            say=_say,
        )
    if arguments.json:
        _print_json(result.coverage.as_dict())
    else:
        for line in summary.lines(result):
            _say(line)
    unmet = wanted.unmet(result.coverage)
    for line in unmet:
        _say(f"not met: {line}")
    return _UNMET if unmet else 0


def _verify(arguments: argparse.Namespace) -> int:
    from evalbatch.loaders.options import ReadOptions
    from evalbatch.verification import difference, verify

    options = ReadOptions(arguments.delimiter, arguments.encoding, arguments.header_row)
    found = verify(arguments.sheet, options)
    print(json.dumps(found, ensure_ascii=False))
    for mismatch in found.get("mismatches", ()):
        _say(difference(mismatch))
    return _UNMET if "mismatches" in found else 0


def _reasons(arguments: argparse.Namespace) -> int:
    from dataclasses import asdict

    from evalbatch.reasons import CATALOGUE, table

    if arguments.json:
        _print_json([asdict(reason) for reason in CATALOGUE])
    else:
        print("\n".join(table()))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "evalbatch",
        description=_MANUAL,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"evalbatch {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_run(_command(commands, "run", "evaluate a sheet", _RUN_MANUAL, _RUN_EXAMPLE, _run))
    verify = _command(
        commands,
        "verify",
        "check worked-out cases",
        "Checks worked-out cases.",
        _VERIFY_EXAMPLE,
        _verify,
    )
    verify.add_argument("sheet", type=Path, metavar="FILE", help="a CSV, TSV or JSON file")
    _add_reading(verify)
    reasons = _command(
        commands,
        "reasons",
        "list the reasons",
        "Lists the closed catalogue of reasons.",
        _REASONS_EXAMPLE,
        _reasons,
    )
    reasons.add_argument("--json", action="store_true", help="print them as JSON")
    return parser


def _command(
    commands: Any,
    name: str,
    help_line: str,
    manual: str,
    example: str,
    function: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(
        name,
        help=help_line,
        description=manual,
        epilog=example + _EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(command=function)
    return parser


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sheet", type=Path, metavar="SHEET", help="the sheet to evaluate")
    out = parser.add_argument_group("results")
    out.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        help="the results folder (default: STEM-results beside the sheet)",
    )
    out.add_argument(
        "--overwrite",
        action="store_true",
        help="replace earlier results, if nobody has changed them since",
    )
    out.add_argument(
        "--to",
        default="csv,json",
        metavar="FORMATS",
        help="what to write beside the coverage: csv, json (default: csv,json)",
    )
    out.add_argument(
        "--no-bom",
        action="store_true",
        help="never start a CSV file with a byte order mark (Excel needs it for other than ASCII)",
    )
    out.add_argument("--json", action="store_true", help="print coverage.json instead of words")
    _add_reading(parser)
    _add_meaning(parser)
    gates = parser.add_argument_group("gates (exit code 1 where one is not met)")
    gates.add_argument("--require-complete", action="store_true", help="every case must be scored")
    gates.add_argument(
        "--min-coverage",
        type=_fraction,
        metavar="F",
        help="scored cases as a share of all must be at least F, from 0 to 1",
    )
    gates.add_argument(
        "--min-pass-rate",
        type=_fraction,
        metavar="F",
        help="the pass rate must be at least F even if every case that is not scored fails",
    )


def _add_reading(parser: argparse.ArgumentParser) -> None:
    reading = parser.add_argument_group("how the file is read")
    reading.add_argument(
        "--delimiter",
        metavar="CHAR",
        help="the delimiter, or the word tab (default: the one that fits the header)",
    )
    reading.add_argument(
        "--encoding", metavar="NAME", help="the encoding, if it is not UTF-8, such as cp1252"
    )
    reading.add_argument(
        "--header-row", type=int, metavar="N", help="the row of the header, if it is not the first"
    )


def _add_meaning(parser: argparse.ArgumentParser) -> None:
    meaning = parser.add_argument_group("what the cells mean")
    meaning.add_argument(
        "--task", metavar="TASK", help="answer-key or spans, if the header fits both"
    )
    meaning.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="ROLE=HEADER",
        help="take this column for a role, such as expected=gold (repeatable)",
    )
    for name, what in (("true", "TRUE"), ("false", "FALSE"), ("blank", "a known blank text")):
        meaning.add_argument(
            f"--{name}",
            action="append",
            default=[],
            metavar="WORD",
            help=f"take this word for {what} as well (repeatable)",
        )
    meaning.add_argument(
        "--scattered",
        action="store_true",
        help="take all rows with one id for one field, even where they stand apart",
    )


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


def _fraction(text: str) -> float:
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not from 0 to 1")
    return value


def _beside(sheet: Path) -> Path:
    return sheet.with_name(f"{sheet.stem}-results")


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


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
                desc=doing, total=total, unit=" rows", unit_scale=True, leave=False, file=sys.stderr
            )
        self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
