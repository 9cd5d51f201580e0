"""report.html in a real browser, opened from disk: read, filtered, sorted, printed."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests import books, sheets
from tests.browser import CHROMIUM, Opened, launched, violations, watched

# CI installs a browser; there these tests must run.
pytestmark = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI"), reason="Chromium is not installed"
)
HOSTILE = "<script>document.title = 'run'</script><img src=http://192.0.2.1/x onerror=alert(1)>"
LONG = "W" * 400
KEY = """\
id,state,expected,answer,note
Q10,agreed,TRUE,true,
Q9,disputed,,FALSE,"two, at odds"
Q2,agreed,pass,true,Smudged
Q100,disputed,,,
Q1,agreed,,false,
"""
LISTED = ["Q9", "Q2", "Q100", "Q1"]
MARKS = "id,text,struck\nF1,a,false\nF1,b,true\nF2,a,false\nF2,b,false\nF3,,false\n"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run one browser for all tests; each page has a profile of its own."""
    with launched() as running:
        yield running


Open = Callable[..., Opened]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Publish a sheet and open its report from disk; at the end nothing may have gone wrong."""
    contexts = []
    found: list[tuple[str, Opened]] = []

    def open_report(
        data: str | bytes = KEY,
        name: str = "key.csv",
        publish: dict[str, Any] | None = None,
        **options: Any,
    ) -> Opened:
        report = sheets.publish(tmp_path, data, name, **(publish or {})) / "report.html"
        contexts.append(browser.new_context(**options))
        one = watched(contexts[-1].new_page())
        found.append((report.as_uri(), one))
        one.page.goto(report.as_uri())
        return one

    yield open_report
    for address, one in found:
        assert one.requests == [address]
        assert one.complaints == []
    for context in contexts:
        context.close()


def hostile() -> bytes:
    """Give a sheet with markup, long words and other scripts wherever something can stand."""
    rows: list[list[str | None]] = [
        ["id", "state", "expected", "answer", HOSTILE, LONG],
        [HOSTILE, "agreed", HOSTILE, "true", HOSTILE, "</td></table><b>"],
        [LONG, "agreed", LONG, "true", LONG * 100, LONG],
        ["שלום", "disputed", None, "false", "مرحبا 12", "a\u202eb\x07"],
        [None, "agreed", "TRUE", "true", None, None],
        ["scored", "agreed", "TRUE", "true", None, None],
    ]
    return sheets.csv_bytes(rows)


def first_text(node: Any, nodes: Mapping[str, Any]) -> tuple[list[str], str]:
    """Give the roles that a screen reader meets before the first text, and that text."""
    role = node["role"]["value"]
    if role == "StaticText":
        return [], node["name"]["value"]
    roles = [] if node["ignored"] else [role]
    for child in node["childIds"]:
        before, text = first_text(nodes[child], nodes)
        roles += before
        if text:
            return roles, text
    return roles, ""


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("key.csv", KEY),
        ("marks.csv", MARKS),
        ("key.xlsx", books.written([books.KEY, ["a", "agreed", True, True]])),
        ("hostile.csv", hostile()),
    ],
    ids=["key", "spans", "complete", "hostile"],
)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_no_violation(
    opened: Open, name: str, data: str | bytes, scheme: str, width: int
) -> None:
    """On a desk in the light, and on a phone in the dark."""
    report = opened(data, name, color_scheme=scheme, viewport={"width": width, "height": 700})
    assert violations(report.page) == []


def test_dark_is_dark_and_paper_is_not(opened: Open) -> None:
    """Whoever prints in the dark saves the ink."""
    page = opened(color_scheme="dark").page
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.emulate_media(media="print")
    assert (dark, page.evaluate(colour)) == ("rgb(21, 24, 27)", "rgb(253, 253, 251)")


def test_paper_says_that_cases_were_filtered(opened: Open) -> None:
    """Without the filters, but with how many are shown."""
    report = opened()
    report.page.get_by_label("Outcome").select_option("held")
    report.page.emulate_media(media="print")
    assert report.page.get_by_label("Outcome").is_hidden()
    assert report.page.get_by_role("status").inner_text() == "2 of the 4 listed are shown."
    assert report.ids() == ["Q9", "Q100"]


def test_the_statement_comes_first_to_a_screen_reader(opened: Open) -> None:
    """After nothing but the page, its main part and the heading that the statement is."""
    report = opened()
    session = report.page.context.new_cdp_session(report.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    before, statement = first_text(nodes[0], {node["nodeId"]: node for node in nodes})
    assert before == ["RootWebArea", "main", "heading"]
    assert statement == (
        "1 of 1 scored cases passed; 1 of 5 cases scored (20.0%), 2 held, 2 invalid: not the full "
        "evaluation, whose pass rate lies between 20.0% and 100.0%."
    )


def test_tables_and_pictures_have_their_words(opened: Open) -> None:
    """Also where a narrow page makes cards of the rows."""
    page = opened(viewport={"width": 360, "height": 700}).page
    assert page.get_by_role("table", name="Held and invalid cases").count() == 1
    assert page.get_by_role("rowheader", name="Q9").count() == 1
    assert page.get_by_role("columnheader", name="Id").count() == 1
    for begin in ("Bar of all 5: ", "Axis from 0% to 100%. "):
        assert page.get_by_role("img", name=begin).count() == 1


@pytest.mark.parametrize("width", [360, 700, 1280])
def test_nothing_overflows(opened: Open, width: int) -> None:
    """Not with ids, headers, notes and file names of four hundred letters and no break."""
    name = "n" * 200 + ".csv"
    report = opened(hostile(), name, viewport={"width": width, "height": 700})
    measured = report.page.evaluate("document.scrollingElement.scrollWidth")
    assert measured == width
    beyond = "[...document.querySelectorAll('main *:not(svg *)')].filter("
    beyond += f"one => one.getBoundingClientRect().right > {width}).map(one => one.outerHTML)"
    assert report.page.evaluate(beyond) == []


def test_markup_stays_text(opened: Open) -> None:
    """In ids, texts, notes, headers and file names; nothing of it runs or is asked for."""
    name = "<img src=x onerror=alert(3)>&{{7*7}}.csv"
    report = opened(hostile(), name)
    page = report.page
    assert page.locator("img, b b, td table").count() == 0
    assert page.locator("script").count() == 1
    assert page.title() == f"1 of 5 cases scored: {name}"
    assert report.ids()[0] == HOSTILE
    text = page.locator("#cases tbody tr").first.inner_text()
    assert text.count(HOSTILE) == 4
    assert f"File\n{name}" in page.locator("footer").inner_text()


def test_invisible_characters_are_seen(opened: Open) -> None:
    """A mark of direction turns nothing round, and right-to-left text is kept to itself."""
    row = opened(hostile()).page.locator("#cases tbody tr", has_text="שלום")
    assert "a\\u202eb\\x07" in row.inner_text()
    assert (
        row.locator("bdi", has_text="مرحبا 12").evaluate("one => getComputedStyle(one).unicodeBidi")
        == "isolate"
    )


def test_filters_by_keyboard(opened: Open) -> None:
    """Words, outcome and reason, together; the page says how many are shown of how many."""
    report = opened()
    keyboard, status = report.page.keyboard, report.page.get_by_role("status")
    assert report.ids() == LISTED
    keyboard.press("Tab")
    keyboard.type("SMUDGED")
    assert report.ids() == ["Q2"]
    assert status.inner_text() == "1 of the 4 listed are shown."
    for _ in "SMUDGED":
        keyboard.press("Backspace")
    keyboard.press("Tab")
    keyboard.type("invalid")
    assert report.ids() == ["Q2", "Q1"]
    keyboard.press("Tab")
    keyboard.type("expected-m")
    assert report.ids() == ["Q1"]
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(report.rows).to_have_count(4)
    assert report.ids() == LISTED
    assert status.inner_text() == "4 of the 4 listed are shown."
    keyboard.press("Shift+Tab")
    keyboard.press("Shift+Tab")
    keyboard.press("Shift+Tab")
    keyboard.type("nothing like it")
    keyboard.press("Enter")
    assert report.ids() == []
    assert status.inner_text() == "0 of the 4 listed are shown."


def test_sorting_by_keyboard(opened: Open) -> None:
    """By each column up and down; numbers in ids count, and ties keep the order of the sheet."""
    report = opened()
    header = report.page.get_by_role("columnheader", name="Id")
    for _ in range(5):
        report.page.keyboard.press("Tab")
    report.page.keyboard.press("Enter")
    assert report.ids() == ["Q1", "Q2", "Q9", "Q100"]
    assert header.get_attribute("aria-sort") == "ascending"
    report.page.keyboard.press("Space")
    assert report.ids() == ["Q100", "Q9", "Q2", "Q1"]
    assert header.get_attribute("aria-sort") == "descending"
    for _ in ("row", "outcome"):
        report.page.keyboard.press("Tab")
    report.page.keyboard.press("Enter")
    assert report.ids() == ["Q9", "Q100", "Q2", "Q1"]
    assert report.page.locator("[aria-sort]").count() == 1
    report.page.keyboard.press("Enter")
    assert report.ids() == ["Q2", "Q1", "Q9", "Q100"]
    report.page.keyboard.press("Tab")
    report.page.keyboard.press("Enter")
    assert report.ids() == ["Q9", "Q100", "Q1", "Q2"]


def test_the_focus_is_seen(opened: Open) -> None:
    """Whoever goes by keyboard knows where."""
    page = opened().page
    for _ in range(8):
        page.keyboard.press("Tab")
        style = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert style == "solid"


def test_without_scripts_everything_is_there(opened: Open) -> None:
    """But the filters, and the buttons to sort by."""
    report = opened(java_script_enabled=False)
    assert report.ids() == LISTED
    assert report.page.locator("form").is_hidden()
    assert report.page.get_by_role("button").count() == 0
    assert report.page.get_by_role("columnheader", name="Reason").first.is_visible()


def test_a_thousand_cases_are_filtered_at_once(opened: Open) -> None:
    """As many as a page lists."""
    rows = "".join(f"q{n},disputed,,\n" for n in range(2_000))
    report = opened(f"id,state,expected,answer\n{rows}")
    assert report.rows.count() == 1_000
    report.page.get_by_label("Find").fill("q99")
    assert report.ids() == ["q99", *(f"q99{n}" for n in range(10))]
    assert "11 of the 1,000 listed are shown." in report.page.locator("form").inner_text()


def test_the_policy_stops_what_is_not_ours(opened: Open) -> None:
    """A style, a script or an image that got into the page would neither run nor be asked for."""
    report = opened()
    report.page.evaluate(
        """() => {
            const markup = '<img src="x.png"><p style="color: red">';
            document.body.insertAdjacentHTML("beforeend", markup);
            const script = document.createElement("script");
            script.textContent = "document.title = 'run'";
            document.body.append(script);
        }"""
    )
    assert report.page.title() == "1 of 5 cases scored: key.csv"
    report.page.wait_for_timeout(100)
    assert len(report.complaints) == 3
    assert all("Content Security Policy" in one for one in report.complaints)
    report.complaints.clear()
    # It was stopped before it was sent.
    assert [address.rsplit("/")[-1] for address in report.requests] == ["report.html", "x.png"]
    report.requests.pop()
