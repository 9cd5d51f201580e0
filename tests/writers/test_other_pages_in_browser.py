"""The pages of a comparison, of several candidates and of a history, in a real browser."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import evalbatch
from evalbatch import history
from evalbatch.history.report import write_report
from evalbatch.weekly.runner import run
from evalbatch.writers.html.comparison import comparison_page
from tests import sheets
from tests.browser import CHROMIUM, launched, violations, watched
from tests.weekly.jobs import MONDAY, job

# CI installs a browser; there these tests must run.
pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="Chromium is not installed"
)
HOSTILE = "<img src=http://192.0.2.1/x onerror=alert(1)>"
LONG = "W" * 400
OLD = f"{HOSTILE},agreed,true\n{LONG},disputed,\n0012,agreed,true\nשלום,agreed,false\n"
NEW = f"{HOSTILE},disputed,\n{LONG},agreed,true\n0012,agreed,true\n=new,agreed,true\n"
ANSWERS = f"{HOSTILE},true\n{LONG},true\n0012,false\nשלום,true\n=new,true\nelse {HOSTILE},true\n"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run one browser for all tests."""
    with launched() as running:
        yield running


def key(labels: str) -> str:
    """Build a key with answers of its own."""
    return "id,state,expected,answer\n" + labels.replace("\n", ",true\n")


def comparison(folder: Path) -> Path:
    """Make the page of a comparison."""
    old, new = (sheets.publish(folder, key(one), f"{n}.csv") for n, one in enumerate((OLD, NEW)))
    page = folder / "comparison.html"
    page.write_bytes(comparison_page(evalbatch.compare(old, new)))
    return page


def candidates(folder: Path) -> Path:
    """Make the page of candidates, one of them with an evil name."""
    (folder / "key.csv").write_text(f"id,state,expected\n{OLD}", encoding="utf-8")
    names = ["a", f"b {HOSTILE.replace('/', '')}"]
    for name in names:
        (folder / f"{name}.csv").write_text(f"id,answer\n{ANSWERS}", encoding="utf-8")
    out = folder / "out"
    evalbatch.run_candidates(folder / "key.csv", [folder / f"{name}.csv" for name in names], out)
    return out / "report.html"


def course(folder: Path) -> Path:
    """Make the report of a history."""
    path = job(folder, '[[sheet]]\npath = "*.csv"\n', a=key(OLD))
    run(path, now=MONDAY)
    (folder / "a.csv").write_text(key(NEW), encoding="utf-8")
    run(path, now=MONDAY + timedelta(weeks=1))
    page = folder / "history.html"
    write_report(history.read(path), page)
    return page


@pytest.mark.parametrize("make", [comparison, candidates, course])
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_a_page_stands_by_itself_and_suits_everybody(
    browser: Browser, tmp_path: Path, make: object, scheme: str, width: int
) -> None:
    """Nothing is requested, markup stays text, nothing overflows, and axe-core has no objection."""
    assert callable(make)
    page: Path = make(tmp_path)
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 800},
    )
    one = watched(context.new_page())
    one.page.goto(page.as_uri())
    assert one.page.locator("img").count() == 0
    assert HOSTILE.replace("/", "")[:20] in one.page.inner_text("main").replace("/", "")
    measured = "[document.scrollingElement.scrollWidth, document.documentElement.clientWidth]"
    inside, outside = one.page.evaluate(measured)
    assert inside <= outside
    assert one.requests == [page.as_uri()]
    assert one.complaints == []
    assert violations(one.page) == []
    context.close()


def test_changed_cases_are_filtered_by_class(browser: Browser, tmp_path: Path) -> None:
    """And sorted, as the cases of a report are."""
    page = browser.new_page()
    page.goto(comparison(tmp_path).as_uri())
    page.select_option("select[name=state]", "added")
    shown = page.locator("#cases tbody tr:visible th")
    assert shown.all_inner_texts() == ["=new"]
    page.click("text=Show all")
    page.click("th[data-sort=text] >> text=Id")
    assert shown.all_inner_texts()[:2] == [HOSTILE, "=new"]
    page.close()
