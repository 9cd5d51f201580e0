"""What the number of a cell is: a whole number, another one, or a date, by its format."""

import math
import re
from datetime import datetime, timedelta

from evalbatch.loaders.xlsx.book import Format
from evalbatch.readings import shortest
from evalbatch.records import Kind

_LARGEST_ID = 10**15
_NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*", re.ASCII)


def read_number(value: str, style: Format, is_1904: bool) -> tuple[str, Kind] | None:
    """Give a number's characters and its kind; None where it is no number that a sheet can hold."""
    number = float(value) if _NUMBER.fullmatch(value) else math.inf
    if math.isinf(number):
        return None
    if style == Format.DATE:
        return _date(number, is_1904), Kind.DATE
    if style == Format.PLAIN and number.is_integer() and abs(number) < _LARGEST_ID:
        return str(int(number)), Kind.WHOLE
    return shortest(number), Kind.NUMBER


def _date(serial: float, is_1904: bool) -> str:
    """Write a date serial as an ISO date, with the time where it has one."""
    days, rest = divmod(round(serial * 86_400), 86_400)
    if not is_1904 and days == 60:
        # Excel counts a 29 February 1900, which there was not.
        day = "1900-02-29"
    else:
        epoch = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 30 + (days < 60))
        try:
            day = (epoch + timedelta(days=days)).date().isoformat()
        except OverflowError:
            return shortest(serial)
    clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    if 0 <= serial < 1:
        return clock
    return f"{day}T{clock}" if rest else day
