"""The commands, their options and their manuals."""

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalbatch import __version__
from evalbatch.weekly import arguments as weekly_arguments

if TYPE_CHECKING:
    from fractions import Fraction

_MANUAL = """\
Evaluates answer keys and transcription marks that reviewers keep in spreadsheets.
What is disputed is held until somebody settles it, what is malformed is
set aside with its cell and the reason, and every score carries its denominator.

  evalbatch run key.csv             three sheets and a coverage summary
  evalbatch batch weekly.toml       the same for every sheet of a job, each week
  evalbatch history weekly.toml     what the weeks have found, case by case
  evalbatch verify cases.json       do worked-out cases still come out the same?
  evalbatch reasons                 what each reason means, and what to do
  evalbatch COMMAND --help          the manual of one command, with an example
"""

_EXIT_CODES = """\
exit codes:
  0  done
  1  done, but something that was asked for is not met (a gate; a mismatch; a sheet
     of a batch that failed)
  2  a wrong option, or an input that cannot be evaluated; nothing was written
  3  another run is writing the same results folder, or the same batch is running
  4  the results could not be published; earlier ones stand as they were
"""

_RUN_MANUAL = """\
Evaluates one sheet and publishes a results folder.

The sheet is XLSX, CSV, TSV, JSON or JSON Lines; its header tells the task:
  answer key   id, state, expected, answer    state is agreed or disputed
  spans        id, text, struck               one row a span; struck text is old
  spans        id, spans                      one row a field; spans is JSON
All other columns are carried through as they are.
"""

_RUN_EXAMPLE = """\
example:
  $ cat key.csv
  id,state,expected,answer
  Q1,agreed,TRUE,TRUE
  Q2,disputed,,TRUE
  Q3,agreed,pass,TRUE
  $ evalbatch run key.csv
  1 of 1 scored cases passed; 1 of 3 cases scored (33.3%), 1 held, 1 invalid: not
  the full evaluation, whose pass rate lies between 33.3% and 100.0%.
  ...
  To mend
    C4: expected is the text 'pass'; it must be TRUE or FALSE

  key-results/ then holds scored.csv, held.csv, invalid.csv, results.json,
  coverage.json, coverage.csv and a manifest. Settle what is held and mend what is
  invalid in key.csv itself, and run again with --overwrite.

"""

_VERIFY_EXAMPLE = """\
The file holds worked-out cases: id, input and expected, the last two as JSON. Each
input is evaluated, and its result compared type for type (true is not 1).

example:
  $ evalbatch verify cases.csv
  {"checked": 9, "caseIds": ["one-replacement", "two-current-spans", ...]}

"""

_REASONS_EXAMPLE = """\
Every held or invalid case has one or more of these in its reason cell; the first
is the one that decided.

example:
  $ evalbatch reasons --json | jq -r '.[].code'

"""


Command = Callable[[argparse.Namespace], int]


def parser(
    run: Command, verify: Command, reasons: Command, batch: Command, history: Command
) -> argparse.ArgumentParser:
    """Make the parser; each command's namespace has its function as `command`."""
    top = argparse.ArgumentParser(
        "evalbatch",
        description=_MANUAL,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"evalbatch {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    _add_run(_command(commands, "run", "evaluate a sheet", _RUN_MANUAL, _RUN_EXAMPLE, run))
    verifier = _command(
        commands,
        "verify",
        "check worked-out cases",
        "Checks worked-out cases.",
        _VERIFY_EXAMPLE,
        verify,
    )
    verifier.add_argument("sheet", type=Path, metavar="FILE", help="an XLSX, CSV, TSV or JSON file")
    _add_reading(verifier)
    lister = _command(
        commands,
        "reasons",
        "list the reasons",
        "Lists the closed catalogue of reasons.",
        _REASONS_EXAMPLE,
        reasons,
    )
    lister.add_argument("--json", action="store_true", help="print them as JSON")
    weekly_arguments.add_batch(partial(_command, commands), batch)
    weekly_arguments.add_history(partial(_command, commands), history)
    return top


def _command(
    commands: Any,
    name: str,
    help_line: str,
    manual: str,
    example: str,
    function: Command,
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
        metavar="FORMATS",
        help="csv, xlsx, json, beside the coverage (default: the sheet's own, and json)",
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
        "--sheet",
        dest="sheet_name",
        metavar="NAME",
        help="the sheet of a workbook (default: the one visible sheet whose header fits)",
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
        "--numbers-as-text",
        action="store_true",
        help="take a whole number in a workbook's text column for the text of its digits",
    )
    meaning.add_argument(
        "--scattered",
        action="store_true",
        help="take all rows with one id for one field, even where they stand apart",
    )


def _fraction(text: str) -> "Fraction":
    from fractions import Fraction

    # Exactly what was typed: 55 of 100 is not less than 0.55.
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        value = Fraction(-1)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} is no fraction from 0 to 1")
    return value
