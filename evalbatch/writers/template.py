"""A template as a workbook with lists, colours and explanations, or as plain CSV."""

import io
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from evalbatch.columns import kinds
from evalbatch.records import Column, Kind
from evalbatch.template import EXPLAINED, Template
from evalbatch.words import column_letters
from evalbatch.writers.csv import table
from evalbatch.writers.tables import empty_book, put

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

_HELP = "how to fill in"
_TEXT = "@"
# LibreOffice shows some Booleans as 1 and 0 without a format of their own.
_BOOLEAN = '"TRUE";"TRUE";"FALSE"'
_BOOLEANS = ("expected", "answer", "struck")
_WIDTHS = {"id": 18, "text": 40, "note": 40}
_HEADER, _RED, _AMBER, _VIOLET = "FFE8EDF3", "FFFFC9C9", "FFFFE8A3", "FFE0D1FF"
_FIRST_BOOLEAN = 3


def csv_bytes(template: Template) -> bytes:
    """Write the header, and a row for each id that was taken."""
    columns = [_texts(one.cells, _count(template)) for one in template.columns]
    rows = [list(row) for row in zip(*columns, strict=True)]
    header = [one.name for one in template.columns]
    return table(header, rows, bom=True, delimiter=template.delimiter)


def workbook(template: Template) -> bytes:
    """Write the sheet to fill in, and one that explains it."""
    title = "key" if template.task == "answer-key" else "spans"
    book, [sheet, explained] = empty_book(title, _HELP)
    _fill_in(sheet, template)
    _validate(sheet, template)
    _colour(sheet, template)
    _explain(explained, template)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _fill_in(sheet: "Worksheet", template: Template) -> None:
    from openpyxl.comments import Comment
    from openpyxl.styles import Border, Font, PatternFill, Side

    for place, column in enumerate(template.columns, 1):
        letter = column_letters(place - 1)
        put(sheet, 1, place, column.name)
        head = sheet.cell(1, place)
        head.font, head.fill = Font(bold=True), PatternFill("solid", _HEADER)
        head.border = Border(bottom=Side("thin", "FF8A97A6"))
        explanation = EXPLAINED[template.task].get(column.role or "")
        if explanation:
            head.comment = Comment(explanation, "evalbatch", height=110, width=320)
        width = _WIDTHS.get(column.role or column.name, 14 if column.role else 28)
        sheet.column_dimensions[letter].width = width
        # Never for Booleans: in a text format LibreOffice saves them as numbers.
        style = _TEXT if column.role in ("id", "text") else None
        if style:
            sheet.column_dimensions[letter].number_format = style
        values = list(_values(column.cells, is_id=style is not None))
        values += [None] * (template.rows - len(values) if style else 0)
        for row, value in enumerate(values, 2):
            put(sheet, row, place, value, style)
    sheet.freeze_panes = "A2"


def _validate(sheet: "Worksheet", template: Template) -> None:
    from openpyxl.worksheet.datavalidation import DataValidation

    # Real Booleans to choose from: a list of words gives texts in some languages.
    booleans = f"'{_HELP}'!$B${_FIRST_BOOLEAN}:$B${_FIRST_BOOLEAN + 1}"
    lists = dict.fromkeys(_BOOLEANS, (booleans, "Choose TRUE or FALSE, or leave it empty."))
    lists["state"] = ('"agreed,disputed"', "Choose agreed or disputed.")
    for place, column in enumerate(template.columns):
        if column.role in lists:
            formula, error = lists[column.role]
            rule = DataValidation("list", formula1=formula, allow_blank=True)
            rule.showErrorMessage, rule.errorTitle, rule.error = True, column.name[:32], error
            rule.add(_range(template, place, place))
            sheet.add_data_validation(rule)


def _colour(sheet: "Worksheet", template: Template) -> None:
    from openpyxl.formatting.rule import Rule
    from openpyxl.styles import PatternFill
    from openpyxl.styles.differential import DifferentialStyle

    for colour, formula, _ in _rules(template):
        style = DifferentialStyle(fill=PatternFill(bgColor=colour))
        rule = Rule("expression", dxf=style, formula=[formula], stopIfTrue=True)
        whole = _range(template, 0, len(template.columns) - 1)
        sheet.conditional_formatting.add(whole, rule)


def _rules(template: Template) -> Iterator[tuple[str, str, str]]:
    """Give the colours of rows: the colour, the formula for row 2, and what it means."""
    at = {one.role: f"${column_letters(n)}2" for n, one in enumerate(template.columns) if one.role}
    letter = column_letters(template.position("id"))
    ids = f"${letter}$2:${letter}${template.rows + 1}"
    has_id = f"LEN({at['id']})>0"
    # EXACT, for COUNTIF takes 0012 for 12 and A for a.
    if template.task == "answer-key":
        repeated = f"SUMPRODUCT(--EXACT({ids},{at['id']}))>1"
        state = f"LOWER(TRIM({at['state']}))"
        booleans = f"AND(ISLOGICAL({at['expected']}),ISLOGICAL({at['answer']}))"
        used = ("id", "state", "expected", "answer")
        is_used = "OR(" + ",".join(f"LEN({at[role]})>0" for role in used) + ")"
        yield (
            _RED,
            f"OR(AND({is_used},LEN({at['id']})=0),AND({has_id},{repeated}))",
            "the row has no id, or one that stands in several rows: none would count",
        )
        yield (
            _VIOLET,
            f'AND({is_used},{state}<>"disputed",OR({state}<>"agreed",NOT({booleans})))',
            "neither agreed nor disputed; or agreed without TRUE or FALSE as label and answer",
        )
        yield _AMBER, f'{state}="disputed"', "disputed: the case will be held"
        return
    above = f"${letter}$1:${letter}1"
    repeated = f"NOT(EXACT({at['id']},${letter}1)),SUMPRODUCT(--EXACT({above},{at['id']}))>0"
    is_used = "OR(" + ",".join(f"LEN({at[role]})>0" for role in ("id", "text", "struck")) + ")"
    yield (
        _RED,
        f"AND({has_id},{repeated})",
        "the id stood further up: a field's rows belong together",
    )
    yield _RED, f"AND({is_used},LEN({at['id']})=0)", "the row has no id"
    yield (
        _VIOLET,
        f"AND({is_used},OR(LEN({at['text']})=0,NOT(ISLOGICAL({at['struck']}))))",
        "the text is missing, or struck is not TRUE or FALSE",
    )


def _explain(sheet: "Worksheet", template: Template) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill

    lines: list[tuple[Any, ...]] = [
        ("How to fill in the first sheet",),
        (),
        ("Booleans", True, "Choose from the list in the cell; a text that looks so is none."),
        ("", False, "An empty cell is absent, and never FALSE."),
        (),
    ]
    lines += [
        (one.name, "", EXPLAINED[template.task][one.role])
        for one in template.columns
        if one.role is not None
    ]
    lines += [
        ("other columns", "", "Add what you like; it is carried through as it is."),
        (),
        ("[blank]", "", _BLANK[template.task]),
        (),
    ]
    coloured = len(lines) + 1
    rules = list(_rules(template))
    lines += [("a row of this colour", "", meaning) for _, _, meaning in rules]
    for row, line in enumerate(lines, 1):
        for place, value in enumerate(line, 1):
            if value != "":
                put(sheet, row, place, value, _BOOLEAN if isinstance(value, bool) else None)
            cell = sheet.cell(row, place)
            cell.alignment = Alignment(vertical="top", wrap_text=place == 3)
            if place == 1:
                cell.font = Font(bold=True)
    for row, (colour, _, _) in enumerate(rules, coloured):
        sheet.cell(row, 1).fill = PatternFill("solid", colour)
    for letter, width in zip("ABC", (24, 10, 90), strict=True):
        sheet.column_dimensions[letter].width = width


_BLANK = {
    "answer-key": "The marker for a blank that was seen belongs in the texts of span sheets; here "
    "it would be a text like any other.",
    "spans": "Enter this as the text where a blank was seen. It is a known blank, and counts; an "
    "empty cell does not.",
}


def _range(template: Template, first: int, last: int) -> str:
    return f"{column_letters(first)}2:{column_letters(last)}{template.rows + 1}"


def _count(template: Template) -> int:
    return next((len(one.cells.text) for one in template.columns if one.cells is not None), 0)


def _texts(column: Column | None, count: int) -> Sequence[str | None]:
    if column is None:
        return [None] * count
    texts: list[str | None] = column.text.to_pylist()
    return texts


def _values(column: Column | None, *, is_id: bool) -> Iterator[Any]:
    if column is not None:
        for text, kind in zip(column.text.to_pylist(), kinds(column).tolist(), strict=True):
            yield None if not text else text if is_id else _value(text, Kind(kind))


def _value(text: str, kind: Kind) -> bool | float | date | str:
    if kind == Kind.BOOLEAN:
        return text.lower() == "true"
    try:
        if kind == Kind.WHOLE:
            return int(text)
        if kind == Kind.NUMBER:
            return float(text)
        if kind == Kind.DATE:
            return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)
    except ValueError:
        pass
    return text
