"""Ids that look alike: what the eye passes over, and what a spreadsheet takes off."""

import re
import unicodedata
from collections.abc import Iterable, Sequence

from evalbatch.words import WHITE_SPACE, escaped, listed, shown

_SEPARATOR = "\x1e"
# White space, controls but for the separator, and Unicode's Default_Ignorable_Code_Point.
_INVISIBLE = re.compile(
    rf"[{re.escape(WHITE_SPACE)}\x00-\x1d\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_GRAPHIC_ASCII = bytes(range(ord("!"), ord("~") + 1))
_DIGITS = re.compile("0*([0-9]+)")


def fold_lookalikes(text: str) -> str:
    """Take off what the eye passes over: case, white space, Unicode form, the invisible."""
    if has_only_case_to_fold(text.encode()):
        return text.casefold()
    folded = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", folded))


def has_only_case_to_fold(data: bytes) -> bool:
    """Tell whether letter case is all that can be taken off a text, given in UTF-8."""
    return not data.translate(None, _GRAPHIC_ASCII)


def fold_all(texts: Sequence[str]) -> list[str]:
    """Fold many ids at once."""
    joined = _SEPARATOR.join(texts)
    if joined.count(_SEPARATOR) == len(texts) - 1:
        # Neither folding nor normalising reaches across the separator.
        return fold_lookalikes(joined).split(_SEPARATOR)
    return [fold_lookalikes(text) for text in texts]


def near_matches(wanted: Iterable[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Give for each wanted id those of `names` that are nearly the same; most have none.

    They differ by letter case, white space, Unicode form, invisible characters, or by leading
    zeros, which a spreadsheet takes off a number. They are different ids all the same.
    """
    asked = list(dict.fromkeys(wanted))
    by_form: dict[str, list[str]] = {_form(fold_lookalikes(one)): [] for one in asked}
    for name, folded in zip(names, fold_all(names) if asked else (), strict=False):
        form = _form(folded)
        if form in by_form:
            by_form[form].append(name)
    return {one: found for one in asked if (found := by_form[_form(fold_lookalikes(one))])}


def nearly(name: str, names: Sequence[str]) -> str:
    """Name the ids that are nearly the same as another one, such that they differ to the eye."""
    composed = [unicodedata.normalize("NFC", shown(one)) for one in (name, *names)]
    show = shown if len(set(composed)) == len(composed) else escaped
    found = listed([show(one) for one in names], 3)
    return f"nearly the same as {found}, and not joined with it"


def _form(folded: str) -> str:
    digits = _DIGITS.fullmatch(folded)
    return digits[1] if digits else folded
