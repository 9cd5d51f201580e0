"""Cells as the XML of a sheet, column by column for many rows at once."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime

import numpy as np
import pyarrow as pa

from evalbatch import arrow, characters, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.columns import kinds, replace_where
from evalbatch.outputs import OutColumn
from evalbatch.readings import read
from evalbatch.records import Cell, Column, Disposition, Kind, Pieces
from evalbatch.sheets_out import CUT
from evalbatch.spellings import Spellings
from evalbatch.words import column_letters
from evalbatch.writers.role_cells import cells_in_role
from evalbatch.writers.workbook.parts import BOOLEAN_STYLE, STRUCK_STYLES, WRAPPED_STYLE

LONGEST = 32_767
"""The most characters that a cell of a workbook holds."""

PLAIN_STYLE, TEXT_STYLE, DATE_STYLE, TIME_STYLE = 0, 1, 2, 3
# A double holds no more digits than are written so; a longer number would be another one.
_LONGEST_NUMBER = 24
_TYPES = {
    Kind.BOOLEAN: f' s="{BOOLEAN_STYLE}" t="b"><v>',
    Kind.NUMBER: "><v>",
    Kind.WHOLE: "><v>",
    Kind.ERROR: ' t="e"><v>',
}
_ILLEGAL = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
_TYPED = re.compile('^(<c r="[A-Z]+[0-9]+")(?: s="([0-9]+)")?')
_FONT = '<sz val="11"/><rFont val="Calibri"/>'
_EPOCH = datetime(1899, 12, 30)


def row_numbers(first: int, count: int) -> pa.StringArray:
    """Give the numbers of rows as texts."""
    return arrow.digits(np.arange(first, first + count))


def column_xml(
    column: OutColumn,
    disposition: Disposition,
    place: int,
    places: Ints,
    numbers: pa.StringArray,
    spellings: Spellings,
) -> pa.StringArray:
    """Give the `c` elements of one column, empty where a cell is empty.

    `place` is the column's place in the sheet; `numbers` are the numbers of the rows.
    """
    cells = typed_cells(column, disposition, places, spellings)
    start = f'<c r="{column_letters(place)}'
    texts = arrow.joined(
        start,
        numbers,
        f'" s="{style(column)}" t="inlineStr">',
        '<is><t xml:space="preserve">',
        text_xml(cells.text),
        "</t></is></c>",
    )
    kind = kinds(cells)
    kind[(kind == Kind.NUMBER) & (np.diff(arrow.starts(cells.text)) > _LONGEST_NUMBER)] = (
        Kind.STRING
    )
    for one, opening in _TYPES.items():
        if (mask := kind == one).any():
            values = _digits(cells.text) if one == Kind.BOOLEAN else text_xml(cells.text)
            typed = arrow.joined(start, numbers, f'"{opening}', values, "</v></c>")
            texts = kernels.if_else(arrow.booleans(mask), typed, texts)
    if (mask := kind == Kind.DATE).any():
        texts = _with_dates(texts, cells, start, numbers)
    if column.struck is not None and (struck := column.struck(places)):
        texts = _with_strikes(texts, struck, start, numbers, style(column))
    return arrow.filled(texts, "")


def _with_strikes(
    texts: pa.StringArray,
    struck: Mapping[int, Pieces],
    start: str,
    numbers: pa.StringArray,
    style: int,
) -> pa.StringArray:
    """Write texts that are struck through, in whole or in part, as rich text.

    A cell of another type keeps it, and gets a struck format.
    """

    def cell(row: int) -> str:
        xml: str = texts[row].as_py()
        if "<is>" not in xml:
            return _TYPED.sub(_struck, xml, count=1)
        runs = "".join(_run(text, is_struck) for text, is_struck in struck[row])
        return f'{start}{numbers[row].as_py()}" s="{style}" t="inlineStr"><is>{runs}</is></c>'

    where = np.isin(np.arange(len(texts)), list(struck))
    return replace_where(texts, where, lambda rows: [cell(row) for row in rows.tolist()])


def _struck(found: re.Match[str]) -> str:
    return f'{found[1]} s="{STRUCK_STYLES[int(found[2] or 0)]}"'


def _run(text: str, is_struck: bool) -> str:
    strike = f"<rPr><strike/>{_FONT}</rPr>" if is_struck else f"<rPr>{_FONT}</rPr>"
    [xml] = text_xml(arrow.texts([text])).to_pylist()
    return f'<r>{strike}<t xml:space="preserve">{xml}</t></r>'


def style(column: OutColumn) -> int:
    """Give the format of a column's cells, also of those that somebody will type.

    In a column of texts 0012 stays 0012; a Boolean never stands in one, or LibreOffice would save
    it as a number.
    """
    if column.role in ("id", "text") or column.name in ("decided_by", "decision_note"):
        return TEXT_STYLE
    return WRAPPED_STYLE if column.name == "problem" else PLAIN_STYLE


def typed_cells(
    column: OutColumn, disposition: Disposition, places: Ints, spellings: Spellings
) -> Column:
    """Give a column's cells with their types: a word that is a Boolean becomes a real one."""
    if column.original is None:
        texts = cells_in_role(column, disposition, places, spellings, "xlsx")
        return Column(column.name, 0, texts, np.full(len(places), column.kind, dtype=np.uint8))
    cells = column.original(places)
    if column.role is None:
        return cells
    kind = kinds(cells).astype(np.uint8)
    texts = cells_in_role(column, disposition, places, spellings, "xlsx")
    changed = arrow.true(kernels.not_equal(texts, cells.text))
    # What is written with its type, or as a marker, is a text.
    kind[changed] = Kind.STRING
    if column.role in ("expected", "answer", "struck"):
        kind[(kind == Kind.WORD) & _boolean_words(column.role, texts)] = Kind.BOOLEAN
    untyped = np.isin(kind, (Kind.ARRAY, Kind.OBJECT, Kind.UNCALCULATED, Kind.MERGED))
    kind[untyped] = Kind.STRING
    return Column(cells.name, cells.position, texts, kind)


def text_xml(texts: pa.StringArray) -> pa.StringArray:
    """Write texts for XML: cut to what a cell holds, and with Excel's escapes for control codes."""
    texts = _replaced(texts, np.diff(arrow.starts(texts)) > LONGEST, _cut)
    if _may_hold_illegal(texts):
        texts = _replaced(
            texts, arrow.true(kernels.match_substring_regex(texts, _SUSPECT)), escaped
        )
    if characters.holds_any(texts, b"&<>").any():
        for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
            texts = kernels.replace_substring(texts, character, entity)
    return texts


def escaped(text: str) -> str:
    """Write what XML cannot hold, and what would be read as such an escape, as `_x000D_`."""
    return _ILLEGAL.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


_SUSPECT = "[\x00-\x08\x0b-\x1f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_"


def _replaced(texts: pa.StringArray, where: Mask, change: Callable[[str], str]) -> pa.StringArray:
    def changed(rows: Ints) -> list[str]:
        return [change(text) for text in arrow.take(texts, rows).to_pylist()]

    return replace_where(texts, where, changed)


def _digits(words: pa.StringArray) -> pa.StringArray:
    is_true = arrow.true(kernels.match_substring_regex(words, "(?i)true"))
    return arrow.take(arrow.texts(["0", "1"]), is_true.astype(np.int64))


def _may_hold_illegal(texts: pa.StringArray) -> bool:
    data = arrow.raw(texts)
    return b"_x" in data or b"\xef\xbf" in data or bool((np.frombuffer(data, np.uint8) < 32).any())


def _cut(text: str) -> str:
    """Cut a text to what a cell holds, counted in UTF-16, where an emoji takes two places."""
    units = text.encode("utf-16-le")
    if len(units) <= 2 * LONGEST:
        return text
    mark = CUT.format(len(text))
    return units[: 2 * (LONGEST - len(mark))].decode("utf-16-le", errors="ignore") + mark


def _boolean_words(role: str, texts: pa.StringArray) -> Mask:
    """Find the words that are Booleans by themselves, and not because somebody declared them."""
    words = kernels.dictionary_encode(texts)
    cells = [Cell(word, Kind.WORD) for word in words.dictionary.to_pylist()]
    is_boolean = [isinstance(read(role, cell, Spellings()).value, bool) for cell in cells]
    return np.array([*is_boolean, False], dtype=bool)[arrow.codes(words.indices, len(cells))]


def _with_dates(
    texts: pa.StringArray, cells: Column, start: str, numbers: pa.StringArray
) -> pa.StringArray:
    """Write dates as the numbers that a workbook holds; those that it cannot hold stay texts."""

    def dates(rows: Ints) -> list[str | None]:
        some = (arrow.take(array, rows).to_pylist() for array in (texts, cells.text, numbers))
        return [_date(text, iso, n, start) for text, iso, n in zip(*some, strict=True)]

    return replace_where(texts, kinds(cells) == Kind.DATE, dates)


def _date(as_text: str, iso: str, number: str, start: str) -> str:
    try:
        since = datetime.fromisoformat(iso) - _EPOCH
    except (ValueError, TypeError):
        return as_text
    serial = since.days + since.seconds / 86_400
    if serial < 61:
        return as_text
    style = TIME_STYLE if "T" in iso else DATE_STYLE
    return f'{start}{number}" s="{style}"><v>{serial!r}</v></c>'
