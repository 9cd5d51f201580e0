"""The report of a history: one page, the same bytes each time, and every text only text."""

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evalbatch import history
from evalbatch.cli import main
from evalbatch.history.report import report
from evalbatch.weekly.runner import run
from tests.weekly.jobs import BROKEN, COMPLETE, HEADER, KEY, MONDAY, SPANS, WEEK, job

MARKUP = "<script>alert(1)</script>&amp;\"'"


class Page(HTMLParser):
    """Takes a page apart: its tags with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a tag."""
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Keep a text."""
        self.words.append(data)


@pytest.fixture
def past(tmp_path: Path) -> history.History:
    """Give three weeks of a key, of spans, and of a sheet that failed and one that always does."""
    path = job(tmp_path, '[[sheet]]\npath = "*.csv"\n', spans=SPANS, z=BROKEN)
    id_ = '"' + MARKUP.replace('"', '""') + '"'
    for week, key in enumerate(
        (KEY + f"{id_},disputed,,\n", BROKEN, COMPLETE + f"{id_},disputed,,\n")
    ):
        (tmp_path / "key.csv").write_text(key)
        run(path, now=MONDAY + week * WEEK)
    return history.read(path)


def test_the_page_stands_by_itself(past: history.History) -> None:
    """No script, no remote part, and a policy that would stop them."""
    page = Page(report(past))
    tags = [tag for tag, _ in page.tags]
    assert "script" not in tags
    assert "link" not in tags
    assert "img" not in tags
    values = [value for _, attributes in page.tags for value in attributes.values() if value]
    assert [v for v in values if re.match(r"(https?:)?//", v) and "www.w3.org" not in v] == []
    assert any(value.startswith("default-src 'none'") for value in values)


def test_every_text_is_only_text(past: history.History) -> None:
    """An id with markup in it is shown as it is."""
    page = Page(report(past))
    assert MARKUP in page.words


def test_the_longest_held_come_first_with_their_days(past: history.History) -> None:
    """In words before the pictures."""
    text = report(past)
    assert text.index("2 cases are held now") < text.index("<svg")
    cells = re.findall(r"<td[^>]*>(.*?)</td>", text[: text.index("<svg")])
    assert cells[:6] == ["b", "spans.csv", "review-none", "2025-07-28", "14", "3"]
    assert cells[7:] == ["key.csv", "disputed", "2025-07-28", "14", "2"]


def test_every_picture_has_its_figures_in_words(past: history.History) -> None:
    """Each sheet's statement, and a table with every denominator; failed weeks with their error."""
    text = report(past)
    assert text.count("<svg") == 2
    assert text.count('aria-hidden="true"') == 2
    assert "2 of 3 scored cases passed; 3 of 4 cases scored (75.0%)" in text
    table = text[text.index("The figures of key.csv") :]
    assert re.findall(r"<td[^>]*>(.*?)</td>", table)[:8] == [
        "3", "2025-08-11 06:00", "3 of 4 (75.0%)", "2 of 3 scored", "50.0% to 75.0%",
        "2", "2025-08-04 06:00", "failed: a quote opens in row 2 and is never closed; close it, or "
        "remove it if it is not meant.",
    ]  # fmt: skip


def test_the_same_history_gives_the_same_bytes(past: history.History) -> None:
    """In another process, with other hashes."""
    program = (
        "import sys; from evalbatch import history; from evalbatch.history.report import report;"
        "sys.stdout.buffer.write(report(history.read(sys.argv[1])).encode())"
    )
    pages = {
        subprocess.run(
            [sys.executable, "-c", program, past.path],
            env={"PYTHONHASHSEED": seed, "TZ": zone, "PATH": ""},
            capture_output=True,
            check=True,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(pages) == 1


def test_the_pictures_share_no_id_and_take_the_colour_of_the_page(past: history.History) -> None:
    """They are well-formed, and readable where the page is dark."""
    pictures = re.findall(r"<svg.*?</svg>", report(past), re.DOTALL)
    trees = [ET.fromstring(picture) for picture in pictures]
    ids = [one.get("id") for tree in trees for one in tree.iter() if one.get("id")]
    assert len(ids) == len(set(ids)) > 10
    for picture in pictures:
        assert "currentColor" in picture
        assert "<style" not in picture
        used = re.findall(r'(?:href="#|url\(#)([^")]*)', picture)
        assert set(used) <= set(ids)
        assert used


def test_a_sheet_without_a_pass_rate_has_no_column_for_one(past: history.History) -> None:
    """Spans have coverage alone."""
    text = report(past)
    spans = text[text.index("The figures of spans.csv") :]
    assert "Passed" not in spans[: spans.index("</table>")]
    assert "Coverage of each run." in text


def test_a_long_list_of_held_cases_is_cut_and_says_so(tmp_path: Path) -> None:
    """With where the rest is."""
    rows = "".join(f"q{number:03},disputed,,\n" for number in range(150))
    path = job(tmp_path, '[[sheet]]\npath = "a.csv"\n', a=HEADER + rows)
    run(path, now=MONDAY)
    text = report(history.read(path))
    assert "150 cases are held now" in text
    assert "The first 100 are shown; the held sheet of each results folder has them all." in text
    assert "q099" in text
    assert "q100" not in text


def test_the_command_writes_it(past: history.History, capsys: pytest.CaptureFixture[str]) -> None:
    """A file in place of an older one; a path that is none is told with exit code 4."""
    out = past.path.with_name("history.html")
    out.write_text("older")
    assert main(["history", str(past.path.with_name("weekly.toml")), "--report", str(out)]) == 0
    assert capsys.readouterr().out == f"{out} is written.\n"
    assert out.read_text(encoding="utf-8") == report(past)
    assert main(["history", str(past.path), "--report", str(out / "x")]) == 4


def test_without_matplotlib_the_command_to_install_it_is_named(
    past: history.History, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is an extra, and most runs need none."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["history", str(past.path), "--report", "history.html"]) == 2
    assert "pip install 'evalbatch[plot]'" in capsys.readouterr().err
