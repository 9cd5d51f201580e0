"""The commands and their options."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalbatch import __version__, manuals
from evalbatch.weekly import arguments as weekly_arguments

if TYPE_CHECKING:
    from fractions import Fraction

Command = Callable[[argparse.Namespace], int]
Add = Callable[[str, str, str, str], argparse.ArgumentParser]
"""Adds a command: its name, line of help, manual and example."""


def parser(functions: Mapping[str, Command], named: str | None) -> argparse.ArgumentParser:
    """Make the parser; each command's namespace has its function as `command`.

    If one command is named, it alone is known: to make the others takes a while.
    """
    top = argparse.ArgumentParser(
        "evalbatch",
        description=manuals.MANUAL,
        epilog=manuals.EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"evalbatch {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, help_line: str, manual: str, example: str) -> argparse.ArgumentParser:
        found: argparse.ArgumentParser = commands.add_parser(
            name,
            help=help_line,
            description=manual,
            epilog=example + manuals.EXIT_CODES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        found.set_defaults(command=functions[name])
        return found

    adders: dict[str, Callable[[Add], None]] = {
        "template": _add_template,
        "check": _add_check,
        "run": _add_run,
        "compare": _add_compare,
        "batch": weekly_arguments.add_batch,
        "history": weekly_arguments.add_history,
        "verify": _add_verify,
        "reasons": _add_reasons,
    }
    for name in [named] if named in adders else adders:
        adders[name](add)
    return top


def _add_check(add: Add) -> None:
    line = "say what a run would, and write nothing"
    parser = add("check", line, manuals.CHECK_MANUAL, manuals.CHECK_EXAMPLE)
    parser.add_argument("sheets", type=Path, metavar="SHEET", nargs="+", help="the sheets to check")
    parser.add_argument("--json", action="store_true", help="print JSON, one object a sheet")
    _add_reading(parser)
    _add_meaning(parser)
    _add_beside(parser)


def _add_compare(add: Add) -> None:
    line = "say what has changed between two evaluations"
    parser = add("compare", line, manuals.COMPARE_MANUAL, manuals.COMPARE_EXAMPLE)
    parser.add_argument("old", type=Path, metavar="OLD", help="an earlier results folder")
    parser.add_argument("new", type=Path, metavar="NEW", help="a later one")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the comparison as JSON")
    form.add_argument("--csv", action="store_true", help="print the changed cases as CSV")
    parser.add_argument(
        "--html",
        type=Path,
        metavar="FILE",
        help="write the comparison as one page as well, to send on",
    )
    parser.add_argument(
        "--fail-on",
        metavar="CLASSES",
        help="exit with 1 if a case is in one of these classes, such as regressed,newly-held",
    )


def _add_verify(add: Add) -> None:
    line = "check worked-out cases"
    parser = add("verify", line, "Checks worked-out cases.", manuals.VERIFY_EXAMPLE)
    parser.add_argument("sheet", type=Path, metavar="FILE", help="an XLSX, CSV, TSV or JSON file")
    _add_reading(parser)


def _add_reasons(add: Add) -> None:
    manual = "Lists the closed catalogue of reasons."
    parser = add("reasons", "list the reasons", manual, manuals.REASONS_EXAMPLE)
    parser.add_argument("--json", action="store_true", help="print them as JSON")


def _add_run(add: Add) -> None:
    parser = add("run", "evaluate a sheet", manuals.RUN_MANUAL, manuals.RUN_EXAMPLE)
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


def _add_template(add: Add) -> None:
    line = "make a sheet to fill in"
    parser = add("template", line, manuals.TEMPLATE_MANUAL, manuals.TEMPLATE_EXAMPLE)
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
