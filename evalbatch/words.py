"""How texts are trimmed, folded and shown: the few character rules that everything shares."""

import re
import shlex
import unicodedata
from collections.abc import Iterable, Sequence

# Unicode's White_Space property. str.strip() would take U+001C to U+001F as well.
WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"

_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}
_BARE = re.compile(r"[\w .,:;+*/%&#@!?()\[\]{}<>=|$^~\"'\\-]*", re.ASCII)


def trim(text: str) -> str:
    """Take Unicode white space off both ends."""
    return text.strip(WHITE_SPACE)


def fold(text: str) -> str:
    """Trim, and lower ASCII letters only: İ, ı and the Kelvin sign stay what they are."""
    return trim(text).translate(_ASCII_LOWER)


def fold_header(name: str) -> str:
    """Bring a header name into the form in which names match."""
    return name.strip(WHITE_SPACE + ZERO_WIDTH).translate(_ASCII_LOWER)


def shown(text: str, width: int = 60) -> str:
    """Quote a text for a message: what cannot be seen or typed is escaped, a long one is cut."""
    cut = text if len(text) <= width else text[:width]
    seen = "".join(map(visible, cut))
    return f"'{seen}'" if cut is text else f"'{seen}…' ({len(text):,} characters)"


def escaped(text: str) -> str:
    """Quote a text with everything but plain ASCII escaped, so that lookalikes differ."""
    return f"'{text if _BARE.fullmatch(text) else ascii(text)[1:-1]}'"


def legible(text: str) -> str:
    """Escape what cannot be seen, so that a text stays in its line."""
    return "".join(map(visible, text))


def encodable(text: str) -> str:
    """Escape what is no character: a file name from another system may hold such."""
    return text.encode(errors="backslashreplace").decode()


def listed(items: Sequence[object], most: int = 12, joint: str = ", ") -> str:
    """List items, and count those beyond the first few."""
    head = joint.join(map(str, items[:most]))
    return head if len(items) <= most else f"{head} and {len(items) - most:,} more"


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Give `1 row` or `2 rows`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def column_letters(position: int) -> str:
    """Name a column (counted from 0) as a spreadsheet does: A, Z, AA."""
    letters = ""
    position += 1
    while position:
        position, place = divmod(position - 1, 26)
        letters = chr(ord("A") + place) + letters
    return letters


def options(flag: str, values: Iterable[str]) -> str:
    """Spell a repeated option as one would type it."""
    return " ".join(f"{flag} {shlex.quote(value)}" for value in values)


def visible(character: str) -> str:
    """Give a character, or its escape if it cannot be seen: a control code, a mark of direction."""
    category = unicodedata.category(character)
    hidden = category[0] in "CZ" and character not in " "
    return ascii(character)[1:-1] if hidden else character
