"""Small sheets of a workbook, by openpyxl: every text a text, whatever it looks like."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalbatch.writers.workbook.cells import escaped

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

_WIDEST = 60


def empty_book(*titles: str) -> tuple["Workbook", list["Worksheet"]]:
    """Give a workbook with empty sheets of these names."""
    from openpyxl import Workbook

    book = Workbook()
    del book[book.sheetnames[0]]
    return book, [book.create_sheet(title) for title in titles]


def put(sheet: "Worksheet", row: int, column: int, value: Any, style: str | None = None) -> None:
    """Write one cell (counted from 1); a text never becomes a formula, nor an error."""
    cell = sheet.cell(row, column)
    if isinstance(value, str):
        cell.value = escaped(value)
        cell.data_type = "s"
    else:
        cell.value = value
    if style is not None:
        cell.number_format = style


def write_table(
    path: Path, title: str, statement: str, header: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Write a workbook of one sheet: a statement, and below it a frozen header and its rows."""
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    book, [sheet] = empty_book(title)
    put(sheet, 1, 1, statement)
    sheet["A1"].font = Font(bold=True)
    widths = [len(name) + 2 for name in header]
    for number, row in enumerate([header, *rows], 3):
        for place, value in enumerate(row, 1):
            put(sheet, number, place, value)
            widths[place - 1] = max(widths[place - 1], min(len(str(value)) + 2, _WIDEST))
            sheet.cell(number, place).alignment = Alignment(vertical="top", wrap_text=True)
    for place, width in enumerate(widths, 1):
        sheet.cell(3, place).font = Font(bold=True)
        sheet.column_dimensions[get_column_letter(place)].width = width
    sheet.freeze_panes = "B4"
    book.save(path)
