"""What was written is read again before it is published: whatever is lost or changed is noticed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evalbatch.errors import ConservationError
from evalbatch.writers import csv, json
from tests import sheets

KEY = (
    "id,state,expected,answer,note\n"
    'C1,agreed,TRUE,true,"two\nlines, ""quoted"""\n'
    "C2,disputed,,FALSE,\nC3,agreed,pass,true,é\nC4,agreed,FALSE,true,\n"
)
SPANS = "id,text,struck\nF1,12,TRUE\nF1,14,FALSE\nF2,a,FALSE\nF3,,FALSE\nF4,x,TRUE\n"


pytestmark = pytest.mark.usefixtures("batch")


@pytest.fixture(params=[1, 2, 1 << 15])
def batch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write so many rows at a time."""
    monkeypatch.setattr(csv, "_BATCH", request.param)
    monkeypatch.setattr(json, "_BATCH", request.param)


def damaging(
    monkeypatch: pytest.MonkeyPatch, name: str, damage: Callable[[bytes], bytes]
) -> list[bool]:
    """Damage a file after it was written; say in the list that something was there to damage."""
    happened: list[bool] = []

    def before(check: Callable[..., None]) -> Callable[..., None]:
        def checked(written: Any, *rest: Any) -> None:
            for one in written if isinstance(written, list) else [written]:
                path: Path = one.path
                if path.name == name:
                    data = path.read_bytes()
                    path.write_bytes(damage(data))
                    happened.append(damage(data) != data)
            check(written, *rest)

        return checked

    monkeypatch.setattr(csv, "check", before(csv.check))
    monkeypatch.setattr(json, "check_results", before(json.check_results))
    return happened


def refused(folder: Path, sheet: str, happened: list[bool], words: str) -> None:
    """Publish a sheet whose results are damaged meanwhile: nothing is published."""
    with pytest.raises(ConservationError, match=words) as refusal:
        sheets.publish(folder, sheet)
    assert "choose a folder on another disk with -o" in str(refusal.value)
    assert happened == [True]
    assert not (folder / "sheet.csv-results").exists()


@pytest.mark.parametrize("name", ["scored.csv", "results.json"])
def test_what_is_as_it_was_written_is_published(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many rows were written at a time."""
    happened = damaging(monkeypatch, name, bytes)
    assert (sheets.publish(tmp_path, KEY) / name).exists()
    assert happened == [False]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data[:-4] + b"9\r\n", id="another-row"),
        pytest.param(lambda data: data[: data.rindex(b"\r\n", 0, -2) + 2], id="row-lost"),
        pytest.param(lambda data: data + b"x,,,,,,,2\r\n", id="row-more"),
        pytest.param(lambda data: data[:-1], id="cut-off"),
        pytest.param(lambda data: data.replace(b"state", b"stale"), id="header"),
        pytest.param(lambda data: data.replace(b'quoted"""', b'quoted"" '), id="never-closed"),
        pytest.param(lambda data: data.replace(b",true,", b",tru,e"), id="delimiter-moved"),
        pytest.param(lambda data: data.replace(b"C4,", b"C4,,"), id="cell-more"),
    ],
)
def test_a_damaged_csv_sheet_is_noticed(
    damage: Callable[[bytes], bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A row that is not there, is another one, or cannot be read as it was written."""
    happened = damaging(monkeypatch, "scored.csv", damage)
    refused(tmp_path, KEY, happened, r"scored\.csv, read again, does not hold the 2")


@pytest.mark.parametrize("sheet", [KEY, SPANS], ids=["key", "spans"])
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda data: data.replace(b",\n", b" \n", 1), id="comma-lost"),
        pytest.param(lambda data: data.replace(b'"scored"', b'"stored"'), id="list-lost"),
        pytest.param(lambda data: data[:-3], id="cut-off"),
        pytest.param(lambda data: data.replace(b"}", b"]"), id="brace"),
        pytest.param(lambda data: data.replace(b'"id"', b'"id'), id="quote-lost"),
        pytest.param(lambda data: data.replace(b'{"id"', b'"id"'), id="brace-lost"),
        pytest.param(lambda data: data.replace(b"\n]", b",\n1\n]"), id="entries-more"),
        pytest.param(lambda data: data.replace(b'": [\n', b'": [\n\xff'), id="no-text"),
    ],
)
def test_damaged_results_are_noticed(
    damage: Callable[[bytes], bytes],
    sheet: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An entry that is not there, or JSON that cannot be read."""
    happened = damaging(monkeypatch, "results.json", damage)
    refused(tmp_path, sheet, happened, r"results\.json, read again")
