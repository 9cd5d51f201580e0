"""The words that stand for Booleans and known blanks: those declared, and those that look so."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from evalbatch.errors import EvalbatchError
from evalbatch.records import Cell, Kind, Origin, Sheet
from evalbatch.words import fold, shown, trim

BLANK_MARKER = "[blank]"
# A string of JSON, or a text that a part marks as one, is what it is.
DECLARABLE = (Kind.WORD, Kind.TEXT)
_FLAGS = ("--true", "--false", "--blank")
# Words that reviewers and spreadsheets write for Booleans. None of them is ever read as one; they
# only decide whether a message names the option that would declare them.
_LIKE_TRUE = frozenset(
    """
    1 1.0 y yes t on ok ✓ ✔ ☑ wahr ja richtig vrai oui verdadero sí si verdadeiro sim vero waar
    doğru evet prawda tak sann sant sand tosi pravda ano igaz igen adevărat да истина правда
    真 是 はい 예 참
    """.split()  # noqa: SIM905 - a list of this length is not readable
)
_LIKE_FALSE = frozenset(
    """
    0 0.0 n no f off ✗ ✘ ☐ falsch nein faux non falso não nao onwaar nee yanlış yanliş hayır
    fałsz nie falskt falsk epätosi nepravda ne hamis nem fals нет ложь неправда
    假 否 いいえ 아니요 거짓
    """.split()  # noqa: SIM905 - a list of this length is not readable
)


@dataclass(frozen=True, slots=True)
class Spellings:
    """The words that are declared to mean a Boolean or a known blank, folded; and their source."""

    true: frozenset[str] = frozenset()
    false: frozenset[str] = frozenset()
    blank: frozenset[str] = frozenset()
    numbers_as_text: bool = False
    source: Origin = "words"

    @classmethod
    def declare(
        cls,
        true: Iterable[str] = (),
        false: Iterable[str] = (),
        blank: Iterable[str] = (),
        *,
        numbers_as_text: bool = False,
    ) -> "Spellings":
        """Declare words beside the defaults; one word for two meanings is refused."""
        declared = [frozenset(map(fold, words)) for words in (true, false, blank)]
        defaults = ({"true"}, {"false"}, {BLANK_MARKER})
        meanings = {
            flag: words | default
            for flag, words, default in zip(_FLAGS, declared, defaults, strict=True)
        }
        for flag, words in meanings.items():
            if "" in words:
                raise EvalbatchError(f"{flag} needs a word; an empty cell stays absent.")
            for other, others in meanings.items():
                if other > flag and (both := words & others):
                    raise EvalbatchError(
                        f"{shown(min(both))} cannot mean both {flag} and {other}; "
                        "give each word one meaning."
                    )
        return cls(declared[0], declared[1], declared[2], numbers_as_text)

    def within(self, sheet: Sheet) -> "Spellings":
        """Give the spellings that hold in a sheet, by what its cells are."""
        if sheet.delimiter is not None:
            return replace(self, source="words")
        return replace(self, source="cells") if sheet.addressed else EXACT

    @property
    def blanks(self) -> frozenset[str]:
        """All words for a known blank."""
        return frozenset() if self.source == "values" else self.blank | {BLANK_MARKER}

    def boolean(self, cell: Cell) -> bool | None:
        """Give the Boolean that a text means, None if it means none.

        The words true and false mean themselves only where cells have no type.
        """
        word = fold(cell.text or "")
        plain = cell.kind == Kind.WORD
        if (plain and word == "true") or (cell.kind in DECLARABLE and word in self.true):
            return True
        if (plain and word == "false") or (cell.kind in DECLARABLE and word in self.false):
            return False
        return None


EXACT = Spellings(source="values")
"""No spellings at all, for sources whose types are taken as they are."""


def like_boolean(text: str) -> str | None:
    """Name the option that would declare a word which looks like a Boolean; None for others."""
    word = trim(text).casefold()
    return "--true" if word in _LIKE_TRUE else "--false" if word in _LIKE_FALSE else None
