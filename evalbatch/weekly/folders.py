"""Where the results of a sheet go: the folder that a job names, its placeholders filled in."""

import re
from datetime import datetime
from pathlib import PurePosixPath

_PLACEHOLDERS = ("stem", "week", "date")
_BRACED = re.compile(r"\{([^{}]*)\}|[{}]")


def unknown_placeholder(folder: str) -> str | None:
    """Say what is wrong with the placeholders of a folder; None if nothing is."""
    for found in _BRACED.finditer(folder):
        if found[1] not in _PLACEHOLDERS:
            known = ", ".join(f"{{{name}}}" for name in _PLACEHOLDERS)
            return f"{found[0]} is no placeholder; they are {known}"
    return None


def filled_in(folder: str, sheet: PurePosixPath, now: datetime) -> PurePosixPath:
    """Fill in the placeholders: the sheet's stem, the ISO week of its year, and the day."""
    year, week, _ = now.isocalendar()
    values = {
        "stem": sheet.stem,
        "week": f"{year}-W{week:02}",
        "date": now.date().isoformat(),
    }
    return PurePosixPath(_BRACED.sub(lambda found: values[found[1]], folder))
