"""Loaders: a file to a sheet of its cells, exactly as found. One module for each format."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

from evalbatch.errors import EvalbatchError
from evalbatch.loaders import csv
from evalbatch.loaders.options import ReadOptions
from evalbatch.loaders.sniff import refuse_disguised
from evalbatch.progress import Progress, silent
from evalbatch.records import Sheet, Source
from evalbatch.schema import Schema
from evalbatch.threads import Ahead
from evalbatch.words import shown

_CSV = (".csv", ".tsv", ".txt")
_LARGEST = 2**31 - 1
_LONG = 1 << 22
_JSON = (".json", ".jsonl", ".ndjson")
_XLSX = (".xlsx", ".xlsm")


def sheet_names(path: Path) -> list[str]:
    """Name the sheets of a workbook, in its order."""
    from evalbatch.loaders.xlsx.book import open_book

    return [entry.name for entry in open_book(path.read_bytes()).sheets]


def load(path: Path, schema: Schema, options: ReadOptions, progress: Progress = silent) -> Sheet:
    """Read a sheet. The file is read once, so that a save meanwhile changes nothing.

    Raises EvalbatchError, with what to do, for a file that cannot be read as what it says it is.
    """
    if path.is_dir():
        raise EvalbatchError(f"{str(path)!r} is a folder; name a sheet in it.")
    try:
        data = path.read_bytes()
        if len(data) > _LARGEST:
            raise EvalbatchError(f"{path.name}: the file is larger than 2 GiB; split it.")
    except OSError as error:
        raise EvalbatchError(f"{path}: cannot be read: {error.strerror}.") from None
    # A name that is no text cannot be published as it is.
    source = Source(os.fsencode(path.name).decode(errors="backslashreplace"))
    try:
        with Ahead[str]() as digest:
            digest.put(lambda: hashlib.sha256(data).hexdigest(), is_long=len(data) > _LONG)
            sheet = _read(path, data, source, schema, options, progress)
            return replace(sheet, source=replace(sheet.source, sha256=digest.take()))
    except EvalbatchError as error:
        raise type(error)(f"{path.name}: {error}") from None


def _read(
    path: Path,
    data: bytes,
    source: Source,
    schema: Schema,
    options: ReadOptions,
    progress: Progress,
) -> Sheet:
    suffix = path.suffix.lower()
    refuse_disguised(path.name, data, is_workbook=suffix in _XLSX)
    if suffix not in (*_XLSX, *_CSV, *_JSON):
        raise EvalbatchError(
            f"the file name ends in {shown(suffix)}; evalbatch reads "
            f"{', '.join((*_XLSX, *_CSV, *_JSON))}. Save the sheet as one of these."
        )
    if suffix in _XLSX:
        options.refuse("a workbook", "--delimiter", "--encoding")
        from evalbatch.loaders import xlsx

        return xlsx.load(data, source, schema, options, progress)
    if suffix in _CSV:
        options.refuse("CSV", "--sheet", "--numbers-as-text", "--marks formatting")
        return csv.load(data, source, schema, options)
    options.refuse("JSON, whose types are taken as they are")
    from evalbatch.loaders import json

    return json.load(data, source, schema)
