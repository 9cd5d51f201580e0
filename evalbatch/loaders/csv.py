"""CSV and TSV: bytes to a sheet of words, row by row as the spreadsheet shows them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalbatch.errors import EvalbatchError
from evalbatch.loaders.arrow_csv import read_sound
from evalbatch.loaders.options import ReadOptions
from evalbatch.loaders.tokens import Row, rows
from evalbatch.parts import recognise
from evalbatch.readings import Spellings, read
from evalbatch.records import Cell, Column, Ints, Kind, Mask, Match, Note, Sheet, Source
from evalbatch.schema import Schema
from evalbatch.words import column_letters, counted, listed, shown

DELIMITERS = (",", ";", "\t", "|")
_SEARCHED_FOR_HEADER = 200
_BOMS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


def load(data: bytes, source: Source, schema: Schema, options: ReadOptions) -> Sheet:
    """Read a CSV sheet. Raises EvalbatchError where it cannot be read without guessing."""
    text = _decode(data, options)
    if not text:
        raise EvalbatchError("the file is empty; it needs a header row and a row for each case.")
    if "\0" in text:
        raise EvalbatchError(
            f"a NUL byte stands in row {_row_at(text, text.index(chr(0)))}; a text sheet has none. "
            "The file is damaged, or in UTF-16 without a byte order mark (try --encoding "
            "utf-16-le)."
        )
    declared = re.match(r'"?sep=([^\r\n"])"?(\r\n|\n|\r)', text, re.IGNORECASE)
    delimiter = options.delimiter or (declared and declared[1])
    start = declared.end() if declared else 0
    header = _find_header(text, start, schema, [delimiter] if delimiter else DELIMITERS, options)
    return _sheet(text, header, source, options.spellings)


def last_column(data: bytes, delimiter: str) -> list[str]:
    """Give the last cell of each row of a sheet that evalbatch wrote, its header left out."""
    text = data.decode("utf-8-sig")
    header = next(rows(text, delimiter))
    arrays = read_sound(text, header.end, len(header.cells), delimiter, False)
    if arrays is not None:
        found: list[str] = arrays[-1].to_pylist()
        return found
    return [row.cells[-1] or "" for row in rows(text, delimiter, header.end)]


class _Header:
    """The header row, where it was found, and what it fits."""

    def __init__(self, row: Row, number: int, delimiter: str, match: Match) -> None:
        self.names: list[str | None] = row.cells
        self.end = row.end
        self.number = number
        self.delimiter = delimiter
        self.match = match
        # A writer that quotes everything says nothing by quoting an empty cell.
        self.all_quoted = row.quoted == len(row.cells)


def _decode(data: bytes, options: ReadOptions) -> str:
    bom = next((name for mark, name in _BOMS.items() if data.startswith(mark)), None)
    encoding = options.encoding or bom or "utf-8"
    try:
        return data.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, errors="replace")
        advice = (
            "Save the sheet as CSV UTF-8, or name its encoding, such as --encoding cp1252 "
            "(Western European Excel)."
        )
        raise EvalbatchError(
            f"the bytes are not {encoding.removesuffix('-sig').upper()}: byte "
            f"{data[error.start]:#04x} at offset {error.start}, in row "
            f"{_row_at(before, len(before))}. {advice}"
        ) from None


def _row_at(text: str, position: int) -> int:
    """Give the row in which a place of the text stands, quotes aside: the file is refused."""
    return len(re.findall(r"\r\n|\n|\r", text[:position])) + 1


def _find_header(
    text: str, start: int, schema: Schema, delimiters: Sequence[str], options: ReadOptions
) -> _Header:
    wanted = options.header_row
    candidates = [(one, *_header_row(text, start, one, wanted)) for one in delimiters]
    found = [
        _Header(row, number, delimiter, match)
        for delimiter, number, row in candidates
        if (match := schema.match(row.cells)) is not None
    ]
    if len(found) == 1:
        return found[0]
    if found:
        raise EvalbatchError(
            "the header can be read with more than one delimiter: "
            f"{listed([shown(one.delimiter) for one in found])}; name the one with --delimiter."
        )
    _, number, row = max(candidates, key=lambda candidate: len(candidate[2].cells))
    if wanted is None:
        for delimiter in delimiters:
            lower = _lower_header(text, start, delimiter, schema)
            if lower is not None:
                raise EvalbatchError(
                    f"row {number}, the first that is not empty, is no header; row {lower} is. "
                    f"Delete the rows above it, or run with --header-row {lower}."
                )
    raise EvalbatchError(
        f"row {number} is no header that evalbatch knows. {schema.misfit(row.cells)} If the sheet "
        "has no header row, add one; if its delimiter is another one, name it with --delimiter."
    )


def _header_row(text: str, start: int, delimiter: str, wanted: int | None) -> tuple[int, Row]:
    for number, row in enumerate(rows(text, delimiter, start), 1):
        if number == wanted or (wanted is None and any(row.cells)):
            return number, row
    if wanted is not None:
        raise EvalbatchError(f"--header-row is {wanted}, but the sheet ends before that row.")
    raise EvalbatchError("every cell is empty; the sheet needs a header row.")


def _lower_header(text: str, start: int, delimiter: str, schema: Schema) -> int | None:
    records = enumerate(rows(text, delimiter, start), 1)
    try:
        for number, row in islice(records, _SEARCHED_FOR_HEADER):
            if schema.match(row.cells) is not None:
                return number
    except EvalbatchError:
        # Whatever else is wrong below, the first row is the one to speak of.
        return None
    return None


def _sheet(text: str, header: _Header, source: Source, spellings: Spellings) -> Sheet:
    width = len(header.names)
    arrays = read_sound(text, header.end, width, header.delimiter, header.all_quoted)
    malformed: dict[int, str] = {}
    notes: list[Note] = []
    if arrays is None:
        arrays, malformed, notes = _tokenised(text, header)
    blank = _blank_rows(arrays)
    filled = np.flatnonzero(~blank)
    if not len(filled):
        raise EvalbatchError("the sheet has a header and no cases; add a row for each case.")
    malformed |= _swallowed(arrays, header, spellings)
    if len(filled) < len(blank):
        arrays = [array.take(pa.array(filled)) for array in arrays]
        kept = {row: index for index, row in enumerate(filled.tolist()) if row in malformed}
        malformed = {index: malformed[row] for row, index in kept.items()}
    sheet = Sheet(
        source=source,
        match=header.match,
        columns=tuple(
            Column(name or "", position, array)
            for position, (name, array) in enumerate(zip(header.names, arrays, strict=True))
        ),
        source_rows=filled + header.number + 1,
        malformed=malformed,
        blank_rows=len(blank) - len(filled),
        notes=tuple(notes),
        delimiter=header.delimiter,
    )
    return _without_nameless(recognise(sheet))


def _blank_rows(arrays: Sequence[pa.StringArray]) -> Mask:
    blank: Mask = np.ones(len(arrays[0]), dtype=bool)
    for array in arrays:
        # One column that is filled throughout settles it for all others.
        if not blank.any():
            break
        empty = pc.fill_null(pc.equal(pc.binary_length(array), 0), True)
        blank &= empty.to_numpy(zero_copy_only=False)
    return blank


def _without_nameless(sheet: Sheet) -> Sheet:
    """Drop columns that have neither name nor data; name those that have data."""
    columns: list[Column] = []
    places: dict[int, int] = {}
    for index, column in enumerate(sheet.columns):
        if not column.name.strip():
            if pc.max(pc.binary_length(column.text)).as_py() in (None, 0):
                continue
            column = replace(column, name=f"column {column_letters(column.position)}")
        places[index] = len(columns)
        columns.append(column)
    roles = {role: places[index] for role, index in sheet.match.roles.items()}
    return replace(sheet, columns=tuple(columns), match=replace(sheet.match, roles=roles))


def _tokenised(
    text: str, header: _Header
) -> tuple[list[pa.StringArray], dict[int, str], list[Note]]:
    """Read the rows that Arrow cannot be trusted with, and say which are malformed."""
    width = len(header.names)
    needed = max(header.match.roles.values()) + 1
    columns: list[list[str | None]] = [[] for _ in range(width)]
    malformed: dict[int, str] = {}
    short: list[int] = []
    cells: list[str | None] = []
    first = header.number + 1
    for index, row in enumerate(rows(text, header.delimiter, header.end, first)):
        cells = row.cells
        if header.all_quoted:
            cells = [cell or None for cell in cells]
        faults = [
            f"{column_letters(place)}{index + first}: text follows the closing quote of the cell, "
            f"which reads {shown(cells[place] or '')}; double the quotes inside it"
            for place in row.overrun
        ]
        if len(cells) > width and any(cells[width:]):
            surplus = ", ".join(shown(cell or "") for cell in cells[width:])
            faults.append(
                f"row {index + first}: expected {counted(width, 'cell')} and found {len(cells)}; "
                f"surplus: {surplus}; delete it, or quote the cell that holds the delimiter"
            )
        elif len(cells) < needed and any(cells):
            faults.append(
                f"row {index + first}: expected {counted(width, 'cell')} and found {len(cells)}; "
                "fill in the missing cells"
            )
        elif len(cells) < width and any(cells):
            short.append(index + first)
        if faults:
            malformed[index] = "; ".join(faults)
        cells = cells[:width] + [None] * (width - len(cells))
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
    notes: list[Note] = []
    if short:
        where = tuple(f"row {number}" for number in short[:100])
        notes.append(
            Note(
                "short-rows",
                f"{counted(len(short), 'row')} lack cells at the end, in columns without a role; "
                "they are taken as empty",
                where,
            )
        )
    last = len(columns[0]) - 1
    if last in malformed and text[-1] not in "\r\n":
        notes.append(
            Note(
                "last-row-cut-off",
                f"row {last + first}, the last, is cut off: the file ends within it, so that more "
                "rows may be missing",
                (f"row {last + first}",),
            )
        )
    return [pa.array(column, pa.string()) for column in columns], malformed, notes


def _swallowed(
    arrays: Sequence[pa.StringArray], header: _Header, spellings: Spellings
) -> dict[int, str]:
    """Find quoted cells that hold a line which itself reads as a row of this sheet.

    A cell with a line break is a quoted one. JSON in a spans column is not looked at.
    """
    found: dict[int, str] = {}
    skipped = header.match.roles.get("spans")
    for place, array in enumerate(arrays):
        if place == skipped:
            continue
        suspects = pc.and_(
            pc.match_substring_regex(array, "[\r\n]"), pc.match_substring(array, header.delimiter)
        )
        for index in _true(suspects).tolist():
            for line in re.split("\r\n|\n|\r", array[index].as_py()):
                if _reads_as_row(line, header, spellings):
                    number = index + header.number + 1
                    found[index] = (
                        f"{column_letters(place)}{number}: the quoted cell holds a line that "
                        f"itself reads as a row of this sheet, {shown(line)}; a quote is missing "
                        "or out of place, and the cell has swallowed rows"
                    )
                    break
    return found


def _reads_as_row(line: str, header: _Header, spellings: Spellings) -> bool:
    try:
        cells = next(rows(line, header.delimiter), Row([], 0, [], 0)).cells
    except EvalbatchError:
        cells = [cell or None for cell in line.split(header.delimiter)]
    roles = header.match.roles
    if not max(roles.values()) < len(cells) <= len(header.names):
        return False
    return any(
        not read(role, _word(cells[roles[role]]), spellings).reasons
        for role in ("state", "expected", "answer", "struck")
        if role in roles
    )


def _word(text: str | None) -> Cell:
    return Cell(text, Kind.EMPTY if text is None else Kind.WORD)


def _true(mask: pa.BooleanArray) -> Ints:
    return np.flatnonzero(pc.fill_null(mask, False).to_numpy(zero_copy_only=False))
