"""Builders of workbooks: by openpyxl for what it can write, by hand for what it cannot."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import openpyxl

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml"
KEY = ["id", "state", "expected", "answer"]


def written(rows: Sequence[Sequence[Any]], title: str = "key") -> bytes:
    """Write rows of values with openpyxl; a text is a text whatever it looks like."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    for number, row in enumerate(rows, 1):
        for place, value in enumerate(row, 1):
            cell = sheet.cell(number, place)
            cell.value = value
            if isinstance(value, str):
                cell.data_type = "s"
    return saved(book)


def saved(book: openpyxl.Workbook) -> bytes:
    """Save a workbook to bytes."""
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def made(
    sheet_data: str, *, more: str = "", parts: Mapping[str, str] | None = None, properties: str = ""
) -> bytes:
    """Make a workbook of one sheet by hand.

    `more` follows its data, `parts` are further ones, and `properties` begin the workbook.
    """
    names = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="{_CONTENT}.worksheet+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_CONTENT}.sheet.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r" '
        f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">{properties}<sheets>'
        '<sheet name="key" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="r3" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_MAIN}"><sheetData>{sheet_data}'
        f"</sheetData>{more}</worksheet>",
    } | dict(parts or {})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in names.items():
            book.writestr(name, text)
    return buffer.getvalue()


def texts(number: int, *cells: str) -> str:
    """Make a row of inline texts."""
    inline = "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in cells)
    return f'<row r="{number}">{inline}</row>'
