"""Texts from a sheet as they are shown on a page: isolated, nothing invisible in them, cut.

Whatever comes from a sheet goes through `escape` here, or through Jinja's own.
"""

import re
import unicodedata

from markupsafe import Markup, escape

from evalbatch.words import visible

LONGEST_VALUE, LONGEST_MESSAGE = 300, 1_500
"""The most characters of a cell, and of what is said about it, that a page shows."""

# Runs of letters that go from right to left, and what stands between them, by bidirectional class;
# a quote ends one, so that quoted texts keep their order.
_BACKWARDS = re.compile("R(?:[R-]*R)?")


def value(text: str, whole: str) -> Markup:
    """Show a cell's text, which may run from right to left; `whole` tells where all of it is."""
    cut = text[:LONGEST_VALUE]
    return Markup(f"<bdi>{_seen(cut)}</bdi>{_rest(text, cut, whole)}")


def cell(text: str | None, whole: str, *, is_blank: bool = False) -> Markup:
    """Show a cell in a frame of its own, or, without one, that it is absent or a known blank."""
    if text is None or is_blank:
        return Markup(f"<i>{'absent' if text is None else 'known blank'}</i>")
    return Markup(f'<span class="cell">{value(text, whole)}</span>')


def message(text: str, whole: str) -> Markup:
    """Show a sentence that quotes texts of a sheet.

    What runs from right to left in it is isolated, or it would draw the numbers behind it along.
    """
    cut = text[:LONGEST_MESSAGE]
    pieces, end = [], 0
    for run in () if cut.isascii() else _BACKWARDS.finditer("".join(map(_direction, cut))):
        backwards = cut[run.start() : run.end()]
        pieces.append(f"{_seen(cut[end : run.start()])}<bdi>{_seen(backwards)}</bdi>")
        end = run.end()
    return Markup(f"{''.join(pieces)}{_seen(cut[end:])}{_rest(text, cut, whole)}")


def plain(text: str) -> str:
    """Show a text where there can be no markup, as in the title of a page."""
    return "".join(map(visible, text[:LONGEST_VALUE]))


def _seen(text: str) -> str:
    if text.isprintable():
        return escape(text)
    return "".join(
        escape(one) if one.isprintable() else f'<span class="code">{visible(one)}</span>'
        for one in text
    )


def _rest(text: str, cut: str, whole: str) -> str:
    if len(cut) == len(text):
        return ""
    words = f"… cut off here; the whole text of {len(text):,} characters is in {whole}"
    return f'<span class="cut">{escape(words)}</span>'


def _direction(character: str) -> str:
    direction = unicodedata.bidirectional(character)
    if direction in ("R", "AL"):
        return "R"
    return "L" if direction == "L" or character == "'" else "-"
