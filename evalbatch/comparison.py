"""Two results folders compared: which cases changed and how, and what the pass rate owes to it."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evalbatch.core.rate_change import RateChange, Scored, change
from evalbatch.errors import EvalbatchError
from evalbatch.results_folder import Results, read
from evalbatch.words import listed, shown

if TYPE_CHECKING:
    import pandas as pd

CLASS_MEANINGS = {
    "added": "It was not there before.",
    "removed": "It is not there any more.",
    "newly-held": "It is held, and was not.",
    "newly-invalid": "It is invalid, and was not.",
    "newly-adjudicated": "It is scored on a recorded decision, and was not.",
    "mended": "It is scored, and was not.",
    "regressed": "It fails, and had passed.",
    "fixed": "It passes, and had failed.",
    "changed": "It ended where it had, with another key, answer or current text.",
}
"""What became of a case, of which the first that fits is told."""
CLASSES = tuple(CLASS_MEANINGS)


@dataclass(frozen=True)
class Comparison:
    """An old and a new evaluation, case by case."""

    old: Results
    new: Results

    @cached_property
    def cases(self) -> "pd.DataFrame":
        """Give all changed cases, in the order of the new sheet, the removed ones last.

        The columns are `id`, `class`, `old` and `new` (where it ended), `key_changed` and
        `answer_changed` (missing where a side has none), `old_row` and `new_row`.
        """
        import pandas as pd

        both = self._both
        kinds = self._classes
        changed = both[kinds != ""].assign(**{"class": kinds[kinds != ""]})
        changed = changed.sort_values(["source_row_new", "source_row_old"], na_position="last")
        return pd.DataFrame(
            {
                "id": changed["id"].to_numpy(),
                "class": changed["class"].to_numpy(),
                "old": _ends(changed, "old"),
                "new": _ends(changed, "new"),
                "key_changed": _differ(changed, "key"),
                "answer_changed": _differ(changed, "answer"),
                "old_row": changed["source_row_old"].astype("Int64").array,
                "new_row": changed["source_row_new"].astype("Int64").array,
            }
        )

    def rows(self) -> list[dict[str, Any]]:
        """Give the changed cases as records; None where there is nothing to say."""
        records = self.cases.astype(object).to_dict("records")
        return [{str(name): _plain(cell) for name, cell in row.items()} for row in records]

    @property
    def counts(self) -> dict[str, int]:
        """How many cases each class has."""
        return {name: int((self._classes == name).sum()) for name in CLASSES}

    @property
    def unchanged(self) -> int:
        """How many cases are as they were."""
        return int((self._classes == "").sum())

    @property
    def old_common(self) -> Scored:
        """The cases scored in both, and how many of them had passed."""
        return self._common("old")

    @property
    def new_common(self) -> Scored:
        """The cases scored in both, and how many of them pass now."""
        return self._common("new")

    @property
    def rate_change(self) -> RateChange | None:
        """The change of the pass rate, in its two parts; None for spans, which have none."""
        if self.new.task != "answer-key":
            return None
        return change(self.old.scored, self.new.scored, self.old_common, self.new_common)

    @cached_property
    def _both(self) -> "pd.DataFrame":
        old, new = self.old.cases.reset_index(), self.new.cases.reset_index()
        return old.merge(new, on="id", how="outer", suffixes=("_old", "_new"))

    @cached_property
    def _classes(self) -> Any:
        both = self._both
        was, now = (both[f"disposition_{side}"].fillna("").to_numpy(str) for side in ("old", "new"))
        passed, passes = (both[f"passed_{side}"] == True for side in ("old", "new"))  # noqa: E712
        decided, decides = (both[f"adjudicated_{side}"] == True for side in ("old", "new"))  # noqa: E712
        differs = np.logical_or.reduce(
            [
                _differ(both, column).fillna(False).to_numpy(bool)
                for column in ("key", "answer", "current")
            ]
        )
        is_scored, was_scored = now == "scored", was == "scored"
        conditions = [
            was == "",
            now == "",
            (now == "held") & (was != "held"),
            (now == "invalid") & (was != "invalid"),
            is_scored & decides & ~decided,
            is_scored & ~was_scored,
            is_scored & was_scored & passed & ~passes,
            is_scored & was_scored & passes & ~passed,
            differs,
        ]
        return np.select(conditions, CLASSES, default="")

    def _common(self, side: str) -> Scored:
        both = self._both
        scored = (both["disposition_old"] == "scored") & (both["disposition_new"] == "scored")
        passed = scored & (both[f"passed_{side}"] == True)  # noqa: E712
        return Scored(int(passed.sum()), int(scored.sum()))


def compare(old: Path | str, new: Path | str) -> Comparison:
    """Compare two results folders. Raises EvalbatchError for folders that cannot be compared."""
    found = Comparison(read(Path(old)), read(Path(new)))
    if found.old.task != found.new.task:
        raise EvalbatchError(
            f"{old} holds results for {found.old.task}, and {new} for {found.new.task}; compare "
            "two evaluations of one kind."
        )
    parts = [results.coverage["source"].get("part_of") for results in (found.old, found.new)]
    if (parts[0] is None) != (parts[1] is None):
        whole, part = (new, old) if parts[1] is None else (old, new)
        raise EvalbatchError(
            f"{part} is a part of an evaluation, and {whole} a whole one; compare like with like."
        )
    return found


def checked_classes(names: str) -> list[str]:
    """Take apart what `--fail-on` names. Raises EvalbatchError for a class that there is not."""
    found = [name.strip() for name in names.split(",")]
    for name in found:
        if name not in CLASSES:
            raise EvalbatchError(
                f"--fail-on names {shown(name)}; the classes are {listed(CLASSES)}."
            )
    return found


def _ends(both: "pd.DataFrame", side: str) -> list[str | None]:
    """Say where each case ended: `scored, pass`, `held, disputed`; None where it was not there."""
    columns = (both[f"{name}_{side}"] for name in ("disposition", "passed", "reason"))
    return [_end(*cells) for cells in zip(*columns, strict=True)]


def _end(disposition: object, passed: object, reason: object) -> str | None:
    if not isinstance(disposition, str):
        return None
    if isinstance(passed, bool):
        return f"{disposition}, {'pass' if passed else 'fail'}"
    return f"{disposition}, {reason}" if reason else disposition


def _plain(cell: Any) -> Any:
    import pandas as pd

    if pd.isna(cell):
        return None
    return cell.item() if isinstance(cell, np.generic) else cell


def _differ(both: "pd.DataFrame", column: str) -> "pd.Series[Any]":
    """Tell where a column differs between the two; missing where either side has nothing."""
    old, new = both[f"{column}_old"], both[f"{column}_new"]
    return (old != new).astype("boolean").mask(old.isna() | new.isna())
