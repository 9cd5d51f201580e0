"""The parts of a workbook that hold no data: how its sheets look, and how they hang together."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from evalbatch.words import column_letters

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_CONTENT = "application/vnd.openxmlformats-officedocument.spreadsheetml"

BOOLEAN_STYLE, HEADER_STYLE, STATEMENT_STYLE, LABEL_STYLE = 4, 5, 6, 7
WRAPPED_STYLE, NUMBER_STYLE = 8, 9
STRUCK_STYLES = {0: 10, 2: 11, 3: 12, BOOLEAN_STYLE: 13}
"""The same formats with a struck font."""

# In the order of the style numbers: plain, text, date, time, Boolean, header, statement, label,
# wrapped, number.
_FORMATS = (
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
    '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
    '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
    '<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>',
    '<xf numFmtId="0" fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1" '
    'applyBorder="1"/>',
    '<xf numFmtId="0" fontId="2" fillId="0" borderId="0" xfId="0" applyFont="1" '
    'applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>',
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" '
    'applyAlignment="1"><alignment vertical="top"/></xf>',
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1">'
    '<alignment horizontal="left" vertical="top" wrapText="1" indent="1"/></xf>',
    '<xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" '
    'applyAlignment="1"><alignment horizontal="right" vertical="top"/></xf>',
    *(
        f'<xf numFmtId="{number}" fontId="3" fillId="0" borderId="0" xfId="0" '
        'applyNumberFormat="1" applyFont="1"/>'
        for number in (0, 164, 165, 166)
    ),
)
_STYLES = (
    f'{_XML}<styleSheet xmlns="{_MAIN}"><numFmts count="3">'
    '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>'
    '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>'
    # LibreOffice shows some Booleans as 1 and 0 without a format of their own.
    "<numFmt numFmtId=\"166\" formatCode='&quot;TRUE&quot;;&quot;TRUE&quot;;&quot;FALSE&quot;'/>"
    "</numFmts>"
    '<fonts count="4"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="13"/><name val="Calibri"/></font>'
    '<font><strike/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="3"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill>'
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE8EDF3"/></patternFill></fill></fills>'
    '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>'
    '<border><left/><right/><top/><bottom style="thin"><color rgb="FF8A97A6"/></bottom><diagonal/>'
    "</border></borders>"
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    f'<cellXfs count="{len(_FORMATS)}">{"".join(_FORMATS)}</cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    "</styleSheet>"
)


def fixed(names: Sequence[str]) -> dict[str, str]:
    """Give the parts that list the sheets, and the styles; sheet i of `names` is `sheet{i + 1}`."""
    numbers = range(1, len(names) + 1)
    overrides = "".join(
        f'<Override PartName="/xl/worksheets/sheet{n}.xml" ContentType="{_CONTENT}.worksheet+xml"/>'
        for n in numbers
    )
    sheets = "".join(
        f'<sheet name={quoteattr(name)} sheetId="{n}" r:id="rId{n}"/>'
        for n, name in zip(numbers, names, strict=True)
    )
    relations = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in numbers
    )
    return {
        "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_CONTENT}.sheet.main+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_CONTENT}.styles+xml"/>'
        f"{overrides}</Types>",
        "_rels/.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
        "</Relationships>",
        "xl/workbook.xml": f'{_XML}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        f'<bookViews><workbookView activeTab="0"/></bookViews><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'{relations}<Relationship Id="rId{len(names) + 1}" Type="{_OFFICE}/styles" '
        'Target="styles.xml"/></Relationships>',
        "xl/styles.xml": _STYLES,
    }


def sheet_start(widths: Sequence[int], styles: Sequence[int], *, is_frozen: bool = True) -> str:
    """Begin a sheet: its column widths and formats, the first row frozen."""
    pane = (
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        '<selection pane="bottomLeft" activeCell="A2" sqref="A2"/>'
    )
    columns = "".join(
        f'<col min="{n}" max="{n}" width="{width}"{_column_style(style)} customWidth="1"/>'
        for n, (width, style) in enumerate(zip(widths, styles, strict=True), 1)
    )
    return (
        f'{_XML}<worksheet xmlns="{_MAIN}"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>'
        f'<sheetViews><sheetView workbookViewId="0">{pane if is_frozen else ""}</sheetView>'
        f"</sheetViews><cols>{columns}</cols><sheetData>"
    )


def _column_style(style: int) -> str:
    return f' style="{style}"' if style else ""


def header_row(names: Sequence[str]) -> str:
    """Write the header; the names are XML already."""
    cells = "".join(
        text_cell(f"{column_letters(place)}1", name, HEADER_STYLE)
        for place, name in enumerate(names)
    )
    return f'<row r="1">{cells}</row>'


def text_cell(reference: str, xml: str, style: int) -> str:
    """Write one text cell; the text is XML already."""
    return (
        f'<c r="{reference}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{xml}</t></is>'
        "</c>"
    )


def sheet_end(
    columns: int,
    rows: int,
    drop_down: tuple[int, str] | None,
    merges: Sequence[str] = (),
) -> str:
    """End a sheet: a filter over all of it, and for one column a drop-down of other cells."""
    last = column_letters(columns - 1)
    auto_filter = f'<autoFilter ref="A1:{last}{rows + 1}"/>' if rows else ""
    merged = "".join(f'<mergeCell ref="{merge}"/>' for merge in merges)
    merged = f'<mergeCells count="{len(merges)}">{merged}</mergeCells>' if merges else ""
    validation = ""
    if drop_down is not None:
        place, cells = drop_down
        letter = column_letters(place)
        validation = (
            '<dataValidations count="1"><dataValidation type="list" allowBlank="1" '
            'showErrorMessage="1" errorTitle="Decision" error="TRUE, FALSE, or empty" '
            f'sqref="{letter}2:{letter}{rows + 1}"><formula1>{escape(cells)}</formula1>'
            "</dataValidation></dataValidations>"
        )
    return (
        f"</sheetData>{auto_filter}{merged}{validation}"
        '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>'
        '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/></worksheet>'
    )
