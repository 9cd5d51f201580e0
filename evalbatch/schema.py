"""Which column has which role: the layouts of sheets, and how header names match them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from evalbatch.errors import EvalbatchError
from evalbatch.records import Layout, Match
from evalbatch.words import fold_header, listed, shown

ANSWER_KEY = Layout("answer-key", ("id", "state", "expected", "answer"))
SPAN_ROWS = Layout("spans", ("id", "text", "struck"))
SPAN_ARRAYS = Layout("spans", ("id", "spans"))
KEY_ALONE = Layout("answer-key", ("id", "state", "expected"))
"""A key whose answers stand in another sheet."""
FORMATTED_SPANS = Layout("spans", ("id", "text"))
"""Spans that are struck through in the cell itself."""
FILLED_CASES = Layout("filled-cases", ("id", "input", "expected"))
DECISIONS = Layout("decisions", ("id", "decision", "decided_by", "decided_on"))
ANSWERS = Layout("answers", ("id", "answer"))
IDS = Layout("ids", ("id",))
RESULT_ROWS = Layout("ids", ("id", "coverage", "source_row"))
"""Any sheet out, for whoever knows its other columns."""
LAYOUTS = (ANSWER_KEY, SPAN_ROWS, SPAN_ARRAYS)
ROLES = tuple(dict.fromkeys(role for layout in LAYOUTS for role in layout.roles))

_ALIASES: dict[str, tuple[str, ...]] = {"id": ("id", "case_id", "field_id")}


@dataclass(frozen=True, slots=True)
class Schema:
    """The layouts that a header may fit, and the columns that the user named for roles.

    `columns` maps a role to a header name; it stands in place of the role's own names, or before
    them where `is_side` tells that the sheet stands beside the one that the option is for.
    Of several layouts that fit, the first is taken if `takes_first`. `unwanted` are roles whose
    column must not be there, and why.
    """

    layouts: tuple[Layout, ...] = LAYOUTS
    columns: Mapping[str, str] | None = None
    advice: str = "Name a column for a role with --column ROLE=HEADER."
    is_side: bool = False
    takes_first: bool = False
    unwanted: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def build(
        cls,
        task: str | None,
        columns: Mapping[str, str],
        *,
        answers_apart: bool = False,
        marks: str = "column",
    ) -> "Schema":
        """Check `--task`, `--column` and `--marks` and make a schema of them.

        `answers_apart` is for a key without answers. Raises EvalbatchError for options that do not
        go together.
        """
        choice, unwanted = _choice(answers_apart, marks)
        layouts = tuple(layout for layout in choice if task in (None, layout.task))
        if not layouts:
            tasks = " or ".join(dict.fromkeys(layout.task for layout in choice))
            raise EvalbatchError(f"--task is {shown(str(task))}; it must be {tasks}.")
        for role in columns:
            is_apart = answers_apart and role == "answer"
            if not is_apart and not any(role in layout.roles for layout in layouts):
                raise EvalbatchError(
                    f"--column names the role {shown(role)}; the roles are "
                    f"{listed([r for r in ROLES if any(r in one.roles for one in layouts)])}."
                )
        return cls(layouts, columns, unwanted=unwanted)

    @classmethod
    def beside(cls, layout: Layout, columns: Mapping[str, str]) -> "Schema":
        """Make the schema of a sheet that stands beside the one to evaluate."""
        own = {role: name for role, name in columns.items() if role in layout.roles}
        return cls((layout,), own, "Rename the columns.", is_side=True)

    def for_task(self, task: str) -> "Schema":
        """Narrow the layouts to one task, which the document itself names."""
        layouts = tuple(layout for layout in self.layouts if layout.task == task)
        if self.layouts[0].task not in ("answer-key", "spans"):
            # Filled cases and decisions may well stand under a key named cases.
            return self
        if not layouts:
            raise EvalbatchError(
                f"the document holds {task} records; --task asks for {self.layouts[0].task}."
            )
        return replace(self, layouts=layouts)

    def match(self, header: Sequence[str | None]) -> Match | None:
        """Find the layout that a header fits; None if it lacks columns for every one.

        A header with two columns for one role, or one that fits two layouts, is refused.
        """
        fits = [layout for layout in self.layouts if not self._lacks(layout, header)]
        if not fits:
            return None
        if len(fits) > 1 and not self.takes_first:
            hint = "--task" if len({layout.task for layout in fits}) > 1 else "--column"
            raise EvalbatchError(
                "the header fits "
                + " as well as ".join(f"{one.task} ({', '.join(one.roles)})" for one in fits)
                + f"; say with {hint} which columns to read, or rename those that are not meant. "
                + _found(header)
            )
        for role, why in self.unwanted.items():
            usual = replace(self, columns={})
            for place in (*self._having(role, header), *usual._having(role, header)):
                raise EvalbatchError(f"the column {shown(header[place] or '')}: {why}")
        return Match(fits[0], self._places(fits[0], header))

    def misfit(self, header: Sequence[str | None]) -> str:
        """Say what a header that fits no layout has and lacks, and what to do."""
        wants = "; ".join(
            f"{layout.task} needs {', '.join(layout.roles)}"
            f" and lacks {', '.join(self._lacks(layout, header))}"
            for layout in self.layouts
        )
        named = [
            f" No column is named {shown(name)}, which --column gives for {role}."
            for role, name in (self.columns or {}).items()
            if not self._having(role, header)
        ]
        return f"{_found(header)}{''.join(named)} {wants}. {self.advice}{self._hint(header)}"

    def _hint(self, header: Sequence[str | None]) -> str:
        """Name the option under which the header would do."""
        if ANSWER_KEY in self.layouts and not self._lacks(KEY_ALONE, header):
            return " If its answers stand in another sheet, name that with --answers."
        if SPAN_ROWS in self.layouts and not self._lacks(FORMATTED_SPANS, header):
            return (
                " If texts are struck through in a workbook's cells, run with --marks formatting."
            )
        return ""

    def lacks(self, header: Sequence[str | None]) -> str | None:
        """Say in short what a header lacks for the layout nearest to it; None if it fits one."""
        nearest = min(self.layouts, key=lambda layout: len(self._lacks(layout, header)))
        lacking = self._lacks(nearest, header)
        return f"lacks {', '.join(lacking)} for {nearest.task}" if lacking else None

    def _lacks(self, layout: Layout, header: Sequence[str | None]) -> list[str]:
        return [role for role in layout.roles if not self._having(role, header)]

    def _having(self, role: str, header: Sequence[str | None]) -> list[int]:
        named = (self.columns or {}).get(role)
        # In a part, a name that a spreadsheet would run has an apostrophe before it.
        own = () if named is None else (fold_header(named), fold_header(f"'{named}"))
        usual = () if named is not None and not self.is_side else _ALIASES.get(role, (role,))
        for names in (own, usual):
            found = [i for i, name in enumerate(header) if name and fold_header(name) in names]
            if found:
                return found
        return []

    def _places(self, layout: Layout, header: Sequence[str | None]) -> dict[str, int]:
        places: dict[str, int] = {}
        for role in layout.roles:
            having = self._having(role, header)
            if len(having) > 1:
                names = " and ".join(shown(header[i] or "") for i in having)
                raise EvalbatchError(
                    f"two columns for the role {role}: {names}. Rename the one that is not meant, "
                    f"or name the right one with --column {role}=HEADER."
                )
            if having[0] in places.values():
                other = next(role for role, place in places.items() if place == having[0])
                raise EvalbatchError(
                    f"the column {shown(header[having[0]] or '')} stands for both {other} and "
                    f"{role}; name a column of its own for each with --column ROLE=HEADER."
                )
            places[role] = having[0]
        return places


def _choice(answers_apart: bool, marks: str) -> tuple[tuple[Layout, ...], dict[str, str]]:
    """Give the layouts that the options allow, and the roles that must not be there."""
    if marks not in ("column", "formatting"):
        raise EvalbatchError(f"--marks is {shown(marks)}; it must be column or formatting.")
    if answers_apart and marks == "formatting":
        raise EvalbatchError("--answers is for answer keys, and --marks for spans; leave one out.")
    if answers_apart:
        why = "the key has answers itself; delete or rename the column, or leave out --answers."
        return (KEY_ALONE,), {"answer": why}
    if marks == "formatting":
        why = (
            "with --marks formatting the strike-through of the cells counts, and here is a column "
            "of marks as well; delete or rename it, or leave out --marks."
        )
        return (FORMATTED_SPANS,), {"struck": why}
    return LAYOUTS, {}


def _found(header: Sequence[str | None]) -> str:
    names = [shown(name) for name in header if name]
    return f"Found the columns {listed(names)}." if names else "Found no column names."
