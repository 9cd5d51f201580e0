"""Files that are not what their name says, told by name and first bytes."""

import re

from evalbatch.errors import EvalbatchError

_SAVE_AS = "Save it as CSV (UTF-8) in your spreadsheet, not by renaming the file."
_HTML = re.compile(rb"<(!doctype\s+html|html|head|body|table|meta)\b", re.IGNORECASE)


def refuse_disguised(name: str, data: bytes) -> None:
    """Refuse a file whose bytes are of another format than a text sheet."""
    if name.startswith("~$"):
        raise EvalbatchError(
            "this is an owner file: the workbook is open in Excel. Name the workbook itself."
        )
    if name.startswith(".~lock.") and name.endswith("#"):
        raise EvalbatchError(
            "this is a lock file: the sheet is open in LibreOffice. Name the sheet itself."
        )
    if data.startswith(b"PK\x03\x04"):
        is_ods = data[30:120].startswith(b"mimetypeapplication/vnd.oasis.opendocument")
        what = "this is an ODS file" if is_ods else "this looks like a workbook (XLSX)"
        raise EvalbatchError(f"{what}, not a text sheet. {_SAVE_AS}")
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        raise EvalbatchError(f"this looks like an old or encrypted Excel workbook. {_SAVE_AS}")
    if data.startswith(b"%PDF-"):
        raise EvalbatchError("this looks like a PDF, not a text sheet.")
    if _HTML.match(data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()):
        raise EvalbatchError(f"this looks like HTML, not a text sheet. {_SAVE_AS}")
    if not data:
        raise EvalbatchError("the file is empty; it needs a header row and a row for each case.")
