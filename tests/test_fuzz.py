"""Damaged workbooks: a right result or one clear refusal, never a traceback, hang or flood."""

import io
import random
import resource
import zipfile
from pathlib import Path

import pytest

import evalbatch
from evalbatch import EvalbatchError
from tests import books

HAZARDS = Path(__file__).parent / "hazards"
TRIES = 5_000
MOST_MEMORY = 400 << 10
BASES = [
    books.written([books.KEY, ["a", "agreed", True, False], ["b", "disputed", None, True]] * 4),
    (HAZARDS / "58_filtered_hidden.xlsx").read_bytes(),
    (HAZARDS / "91_lo_resaved_empties.xlsx").read_bytes(),
    (HAZARDS / "73_table_totals.xlsx").read_bytes(),
]


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Flip, cut or insert a few bytes."""
    found = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5])):
        place = rng.randrange(len(found) + 1)
        how = rng.random()
        if how < 0.6 and place < len(found):
            found[place] = rng.randrange(256)
        elif how < 0.8:
            del found[place : place + rng.choice([1, 3, 50])]
        else:
            found[place:place] = rng.randbytes(rng.choice([1, 2, 20]))
    return bytes(found)


def with_damaged_part(data: bytes, rng: random.Random) -> bytes:
    """Damage one part, and pack it properly again."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        names = old.namelist()
        chosen = rng.choice([name for name in names if name.endswith((".xml", ".rels"))])
        for name in names:
            part = old.read(name)
            new.writestr(name, damaged(part, rng) if name == chosen else part)
    return buffer.getvalue()


def outcome(path: Path, data: bytes) -> dict[str, int] | None:
    """Give the counts of a workbook; None if it is refused, in one line that names it."""
    path.write_bytes(data)
    refusal = ""
    try:
        found = evalbatch.run(path).coverage
    except EvalbatchError as error:
        refusal = str(error)
    if refusal:
        assert refusal.startswith("w.xlsx: ")
        assert "\n" not in refusal
        return None
    return {"scored": found.scored, "held": found.held, "invalid": found.invalid}


@pytest.mark.parametrize("seed", range(2))
def test_damaged_files_are_read_right_or_refused(tmp_path: Path, seed: int) -> None:
    """The checks of the zip format see to it that nothing else is read."""
    rng = random.Random(seed)
    path = tmp_path / "w.xlsx"
    sound = [outcome(path, base) for base in BASES]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(TRIES // 2):
        number = rng.randrange(len(BASES))
        assert outcome(path, damaged(BASES[number], rng)) in (None, sound[number])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY


@pytest.mark.parametrize("seed", range(2))
def test_damaged_parts_never_break_the_run(tmp_path: Path, seed: int) -> None:
    """What such a part says may be another sheet, but is read as what it says, or refused."""
    rng = random.Random(seed)
    path = tmp_path / "w.xlsx"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(TRIES // 2):
        outcome(path, with_damaged_part(rng.choice(BASES), rng))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MOST_MEMORY
