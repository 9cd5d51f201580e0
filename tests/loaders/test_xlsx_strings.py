"""Shared strings read at once: the same texts as the XML parser finds, or left to it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbatch import EvalbatchError
from evalbatch.loaders.xlsx import strings
from evalbatch.loaders.xlsx.package import Package
from tests import books

PLAIN = [
    "<si><t>one</t></si>",
    "<si><t/></si>",
    "<si><t></t></si>",
    '<si><t xml:space="preserve"> two\n</t></si>',
    "<si><t>a &amp;lt; b &lt;c&gt; &quot;d&quot; &apos;</t></si>",
    "<si><t>_x0041__x005F_x000D_ é \U0001f600</t></si>",
]
OTHER = [
    "<si><r><t>three</t></r></si>",
    "<si><r><rPr><strike/></rPr><t>struck</t></r><r><t> not</t></r></si>",
    "<si><t>four</t><rPh sb='0' eb='1'><t>guide</t></rPh></si>",
    "<si><t>&#65;</t></si>",
    "<si><t><![CDATA[<t>]]></t></si>",
    "<si><!-- <t>no</t> --><t>five</t></si>",
    "<si><t>a\r\nb</t></si>",
    "<si> <t>six</t></si>",
    "<si/>",
]
PART = "xl/sharedStrings.xml"


def package(items: Sequence[str], head: str = "<sst>", encoding: str = "utf-8") -> Package:
    """Make a workbook with a table of shared strings."""
    declared = f'<?xml version="1.0" encoding="{encoding}"?>\n'
    return Package(books.made("", parts={PART: f"{declared}{head}{''.join(items)}</sst>"}))


def is_read_at_once(made: Package) -> bool:
    """Tell whether the table is left to nobody."""
    return strings._plain_texts(b"".join(made.chunks(PART))) is not None


@given(st.lists(st.sampled_from(PLAIN)), st.none() | st.sampled_from(OTHER))
def test_texts_are_the_same_however_they_are_read(items: list[str], other: str | None) -> None:
    """Texts of every form, and perhaps one that only the parser can read."""
    made = package(items if other is None else [*items, other, *items])
    found, parsed = strings.read_strings(made, PART), strings._parsed(made, PART)
    assert is_read_at_once(made) == (other is None)
    assert found.texts.to_pylist() == parsed.texts.to_pylist()
    assert found.rich == parsed.rich


@pytest.mark.parametrize(
    ("head", "encoding", "is_plain"),
    [
        ('<sst xmlns="x" count="6" uniqueCount="6">', "UTF-8", True),
        ('<sst count="6" count="7">', "UTF-8", False),
        ('<x:sst xmlns:x="x">', "UTF-8", False),
        ("<sst>", "ISO-8859-1", False),
        ("<!-- a remark --><sst>", "UTF-8", False),
        ('<!DOCTYPE sst [<!ENTITY amp "and">]><sst>', "UTF-8", False),
    ],
)
def test_how_a_table_begins(head: str, encoding: str, is_plain: bool) -> None:
    """Another form or encoding is the parser's, and so is what it refuses."""
    assert is_read_at_once(package(PLAIN, head, encoding)) == is_plain


@pytest.mark.parametrize("item", ["<si><t>one</si>", "<si><t>&nbsp;</t></si>", "<si><t>a > b"])
def test_a_damaged_table_is_refused(item: str) -> None:
    """With the words of the parser."""
    with pytest.raises(EvalbatchError, match="is no XML"):
        strings.read_strings(package([item]), PART)
