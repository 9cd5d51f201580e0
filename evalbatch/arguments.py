"""The commands, their options and their manuals."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalbatch import __version__

if TYPE_CHECKING:
    from fractions import Fraction

_MANUAL = """\
Evaluates answer keys and transcription marks that reviewers keep in spreadsheets.
What is disputed is held until somebody settles it, what is malformed is
set aside with its cell and the reason, and every score carries its denominator.

  evalbatch template answer-key key.xlsx   a sheet to fill in
  evalbatch check key.xlsx          what a run would say; nothing is written
  evalbatch run key.csv             three sheets and a coverage summary
  evalbatch compare week31 week32   what has changed, case by case
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

  key-results/ then holds scored.csv, held.csv, invalid.csv, results.json, a page
  to read and to send on, report.html, coverage.json, coverage.csv and a manifest.
  Settle what is held and mend what is invalid in key.csv itself, and run again with
  --overwrite.

"""

_CHECK_MANUAL = """\
Says everything that a run would say of some sheets, and writes nothing: what is
wrong, grouped by reason and by cell, the most frequent first, each with the edit or
the option that mends it. The exit code is 1 if anything is invalid.
"""

_CHECK_EXAMPLE = """\
example:
  $ evalbatch check key.csv
  key.csv: 1 of 1 scored cases passed; 1 of 3 cases scored (33.3%), 1 held, 1 invalid:
  not the full evaluation, whose pass rate lies between 33.3% and 100.0%.

  expected-not-boolean (invalid), 1 cell
    expected is the text 'pass': C4
      it must be TRUE or FALSE
  ...

"""

_TEMPLATE_MANUAL = """\
Makes a sheet to fill in. In a workbook it is hard to go wrong: ids and texts are
cells of text, so that 0012 stays 0012; states and Booleans are chosen from a list;
rows that would be held or invalid are coloured; and a second sheet explains it all.
"""

_TEMPLATE_EXAMPLE = """\
example:
  $ evalbatch template answer-key week32.xlsx --from week31.csv
  week32.xlsx is ready to be filled in.

"""

_COMPARE_MANUAL = """\
Compares two results folders, case by case. Each changed case is in one class, the
first that fits:
  added              it is new                removed        it is gone
  newly-held         it is held now           newly-invalid  it is invalid now
  newly-adjudicated  it is scored now, on a recorded decision
  mended             it is scored now, and was not
  regressed          it passed, and fails     fixed          it failed, and passes
  changed            it ended where it had, with another key, answer or text
The change of the pass rate is told in two parts that add up: on the cases scored in
both, and from which cases are scored.
"""

_COMPARE_EXAMPLE = """\
example:
  $ evalbatch compare week31 week32 --fail-on regressed,newly-invalid

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
    run: Command,
    check: Command,
    template: Command,
    compare: Command,
    verify: Command,
    reasons: Command,
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
    checker = _command(
        commands,
        "check",
        "say what a run would, and write nothing",
        _CHECK_MANUAL,
        _CHECK_EXAMPLE,
        check,
    )
    checker.add_argument(
        "sheets", type=Path, metavar="SHEET", nargs="+", help="the sheets to check"
    )
    checker.add_argument("--json", action="store_true", help="print JSON, one object a sheet")
    _add_reading(checker)
    _add_meaning(checker)
    _add_beside(checker)
    _add_template(
        _command(
            commands,
            "template",
            "make a sheet to fill in",
            _TEMPLATE_MANUAL,
            _TEMPLATE_EXAMPLE,
            template,
        )
    )
    comparer = _command(
        commands,
        "compare",
        "say what has changed between two evaluations",
        _COMPARE_MANUAL,
        _COMPARE_EXAMPLE,
        compare,
    )
    comparer.add_argument("old", type=Path, metavar="OLD", help="an earlier results folder")
    comparer.add_argument("new", type=Path, metavar="NEW", help="a later one")
    form = comparer.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the comparison as JSON")
    form.add_argument("--csv", action="store_true", help="print the changed cases as CSV")
    comparer.add_argument(
        "--fail-on",
        metavar="CLASSES",
        help="exit with 1 if a case is in one of these classes, such as regressed,newly-held",
    )
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
        help="csv, xlsx, json, html, beside the coverage (default: the sheet's own, json and html)",
    )
    out.add_argument(
        "--no-bom",
        action="store_true",
        help="never start a CSV file with a byte order mark (Excel needs it for other than ASCII)",
    )
    out.add_argument("--json", action="store_true", help="print coverage.json instead of words")
    _add_reading(parser)
    _add_meaning(parser)
    _add_beside(parser)
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


def _add_template(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", choices=("answer-key", "spans"), help="what the sheet is for")
    parser.add_argument("file", type=Path, metavar="FILE", help="the new .xlsx or .csv file")
    parser.add_argument(
        "--rows",
        type=int,
        metavar="N",
        help="for how many rows a workbook has lists and colours (default: 500)",
    )
    parser.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="SHEET",
        help="take the ids of this sheet, and its columns that are not to be filled in",
    )
    _add_column(parser)
    _add_reading(parser)


def _add_column(parser: Any) -> None:
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="ROLE=HEADER",
        help="take this column for a role, such as expected=gold (repeatable)",
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
    _add_column(meaning)
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
        "--marks",
        default="column",
        metavar="WHERE",
        help="formatting: the spans of a workbook are struck through in the cell itself (default: "
        "column, the column struck)",
    )
    meaning.add_argument(
        "--scattered",
        action="store_true",
        help="take all rows with one id for one field, even where they stand apart",
    )


def _add_beside(parser: argparse.ArgumentParser) -> None:
    beside = parser.add_argument_group("what stands beside the sheet")
    beside.add_argument(
        "--adjudications",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="recorded decisions on what is held: id, decision, decided_by, decided_on; a held "
        "sheet that was filled in is one (repeatable)",
    )
    beside.add_argument(
        "--answers",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="the answers of a candidate (id, answer) for a key that has none; several files are "
        "several candidates (repeatable)",
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
