"""XML of the plain form in which programs write it, read without a parser.

What has another form is left to the XML parser, which decides what a part says: something is read
here only where the parser cannot differ.
"""

import re

import numpy as np
import pyarrow as pa

from evalbatch import arrow, kernels
from evalbatch.arrow import Ints, Mask
from evalbatch.columns import replace_where

_DECLARATION = re.compile(rb"(?:\xef\xbb\xbf)?(?:<\?xml\s([^>]*)\?>)?")
_ENCODING = re.compile(rb"encoding\s*=\s*[\"'](?!utf-8[\"'])", re.IGNORECASE)
# An entity without a name of XML's own: a character by its number, or one that is not defined.
_UNPLAIN_ENTITY = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)")
# An ampersand last, for it may stand before the name of another entity.
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
# A NUL is no character of a sheet, so that its escape stays as it is.
_ESCAPE = re.compile("_x(?!0000)([0-9A-Fa-f]{4})_")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONE = re.compile("[\ud800-\udfff]")


def behind_declaration(part: bytes) -> int | None:
    """Give where a part begins behind its declaration; None if it is not in UTF-8."""
    found = _DECLARATION.match(part)
    if found is None or (found[1] and _ENCODING.search(found[1])):
        return None
    return found.end()


def may_hide_tags(data: bytes, before: bytes = b"") -> bool:
    """Tell whether comments and the like may hold what looks like a tag.

    `before` is the byte before the data.
    """
    # Most parts have none of the signs, which are found faster than two characters.
    return any(sign in data and b"<" + sign in before + data for sign in (b"!", b"?"))


def holds_plain_characters(data: bytes) -> bool:
    """Tell whether every character stands for itself in XML, or is one of its named entities."""
    if b"&" in data and _UNPLAIN_ENTITY.search(data):
        return False
    byte = np.frombuffer(data, dtype=np.uint8)
    if byte.min() < ord(" ") and not np.isin(byte[byte < ord(" ")], list(b"\t\n")).all():
        return False
    if data.isascii():
        return True
    try:
        # The two last characters of the first plane are none.
        return not re.search("[\ufffe\uffff]", data.decode())
    except UnicodeDecodeError:
        return False


def decoded(texts: pa.StringArray, data: bytes, is_text: Mask | None = None) -> pa.StringArray:
    """Decode the entities of texts that stand in some data, and where `is_text` Excel's escapes."""
    if b"&" in data:
        for entity, character in _ENTITIES:
            texts = kernels.replace_substring(texts, entity, character)
    if b"_x" not in data:
        return texts
    escaped = arrow.true(kernels.match_substring(texts, "_x"))

    def characters(rows: Ints) -> list[str]:
        return [unescaped(text) for text in arrow.take(texts, rows).to_pylist()]

    return replace_where(texts, escaped if is_text is None else escaped & is_text, characters)


def unescaped(text: str) -> str:
    """Decode `_x000D_` and the like, as Excel does; a lone surrogate becomes U+FFFD."""
    if "_x" not in text:
        return text
    found = _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)
    paired = _PAIR.sub(_character, found)
    return _LONE.sub("\ufffd", paired)


def _character(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16", "surrogatepass").decode("utf-16")
