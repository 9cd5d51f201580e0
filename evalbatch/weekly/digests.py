"""Digests: what tells whether a sheet, with all that goes into its results, is as it was."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evalbatch import __version__
from evalbatch.history.runs import SheetRun
from evalbatch.publish import MANIFEST
from evalbatch.weekly.expand import Planned


def file_digest(path: Path) -> str | None:
    """Give the SHA-256 of a file, None where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def manifest_digest(folder: Path) -> str | None:
    """Give the SHA-256 of a results folder's manifest, which stands for all that it holds."""
    return file_digest(folder / MANIFEST)


def sheet_digest(sheet: Planned, source: str | None, others: dict[str, str | None]) -> str:
    """Digest a sheet's bytes (by `source`, their SHA-256), its options, gates and the version.

    `others` are the digests of the further files that go in. Where the results are published is no
    part of it.
    """
    gates = (sheet.gates.require_complete, sheet.gates.min_coverage, sheet.gates.min_pass_rate)
    return _digest(
        {
            "version": __version__,
            "source": source,
            "others": others,
            "options": sheet.options,
            "gates": [str(gate) for gate in (*gates, sheet.own_pass_rate)],
            "to": sheet.results.to,
            "bom": sheet.results.bom,
        }
    )


def fingerprint(sheets: Sequence[SheetRun]) -> str:
    """Digest all inputs of a run."""
    return _digest([[sheet.name, sheet.digest] for sheet in sheets])


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
