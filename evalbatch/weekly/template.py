"""The commented job file that `evalbatch batch --init` writes, made of the table of its keys."""

from collections.abc import Iterator, Sequence

from evalbatch.weekly.keys import GATES_KEYS, RESULTS_KEYS, SHEET_KEYS, Key

_HEAD = """\
# A job for evalbatch batch: the sheets that are evaluated each week, and how.
# Paths are relative to this file. To use a key, take away the # before it.

[results]
"""
_GATES = """
[gates]
# Where a sheet misses one, the batch ends with exit code 1. All of them hold for every
# sheet, and speak of all its cases, not only of the scored ones.
"""
_SHEET = """
# One [[sheet]] for each sheet, or for several that are read in the same way.
[[sheet]]
# A file, a glob (* and ?, ** for folders within folders), or a list of them. Owner files of
# open workbooks and files of results folders are passed over, and named.
path = "keys/*.csv"
"""
_OWN = """\
# Instead of those above, for this sheet alone:
# gates = { min_coverage = 0.5 }
# results = { folder = "results/{week}/other" }
"""
# So that the remarks stand below each other.
_WIDTH = 34
_ON = ("folder", "overwrite")


def new_job() -> str:
    """Give the text of a new job file."""
    sections = [
        _HEAD + _keys(RESULTS_KEYS),
        _GATES + _keys(GATES_KEYS),
        _SHEET + _keys(SHEET_KEYS) + _OWN,
    ]
    return "".join(sections)


def _keys(keys: Sequence[Key]) -> str:
    return "".join(f"{line}\n" for key in keys for line in _key(key))


def _key(key: Key) -> Iterator[str]:
    given = f"{'' if key.name in _ON else '# '}{key.name} = {key.example}"
    first, *rest = key.meaning.split("\n")
    if rest:
        yield from (f"# {line}" for line in (first, *rest))
        yield given
    else:
        yield f"{given:<{_WIDTH}} # {first}"
