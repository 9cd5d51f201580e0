"""Builders of jobs and their sheets."""

import textwrap
from datetime import datetime, timedelta, timezone
from pathlib import Path

HEADER = "id,state,expected,answer\n"
KEY = HEADER + "a,agreed,true,true\nb,agreed,true,false\nc,disputed,,\n"
COMPLETE = HEADER + "a,agreed,true,true\nb,agreed,true,false\nc,agreed,true,true\n"
SPANS = "id,text,struck\na,x,false\nb,x,true\n"
BROKEN = HEADER + 'a,agreed,true,"true\n'

MONDAY = datetime(2025, 7, 28, 6, 0, tzinfo=timezone(timedelta(hours=2)))
WEEK = timedelta(weeks=1)


def job(folder: Path, text: str, **sheets: str) -> Path:
    """Write a job file, and `name.csv` for each named sheet; give the job file's path."""
    for name, content in sheets.items():
        (folder / f"{name}.csv").write_text(content)
    path = folder / "weekly.toml"
    path.write_text(textwrap.dedent(text))
    return path
