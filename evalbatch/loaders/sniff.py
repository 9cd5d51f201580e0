"""Files that are not what their name says, told by name and first bytes."""

import re

from evalbatch.errors import EvalbatchError

_HTML = re.compile(rb"<(!doctype\s+html|html|head|body|table|meta)\b", re.IGNORECASE)


def refuse_disguised(name: str, data: bytes, *, is_workbook: bool) -> None:
    """Refuse a file whose bytes are of another format than its name says."""
    if owned := owner_of(name):
        raise EvalbatchError(f"this is {owned}. Name the sheet itself.")
    if not data:
        raise EvalbatchError("the file is empty; it needs a header row and a row for each case.")
    found = _format(data)
    if found not in (None, "a workbook (XLSX)" if is_workbook else None):
        wanted = "a plain workbook" if is_workbook else "a text sheet"
        raise EvalbatchError(
            f"this looks like {found}, not {wanted}. Save it as XLSX or CSV (UTF-8) in your "
            "spreadsheet, not by renaming the file."
        )
    if is_workbook and found is None:
        raise EvalbatchError(
            "this is no workbook, for it does not start as one; it may be cut off, or a text sheet "
            "with a wrong name."
        )


def owner_of(name: str) -> str | None:
    """Tell by its name what an editor's owner file is; None for any other file."""
    if name.startswith("~$"):
        return "an owner file: the workbook is open in Excel"
    if name.startswith(".~lock.") and name.endswith("#"):
        return "a lock file: the sheet is open in LibreOffice"
    return None


def _format(data: bytes) -> str | None:
    if data.startswith(b"PK\x03\x04"):
        is_ods = data[30:120].startswith(b"mimetypeapplication/vnd.oasis.opendocument")
        return "an ODS file" if is_ods else "a workbook (XLSX)"
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        is_encrypted = "EncryptedPackage".encode("utf-16-le") in data
        return "an encrypted workbook" if is_encrypted else "an old Excel workbook (.xls)"
    if data.startswith(b"%PDF-"):
        return "a PDF"
    head = data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
    return "HTML" if _HTML.match(head) else None
