"""report.html without a browser: what it says, in which order, and that nothing gets out of it."""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalbatch.errors import ConservationError
from evalbatch.words import visible
from evalbatch.writers.html import text
from evalbatch.writers.html.page import page, save
from tests import books, pages, sheets
from tests.pages import Element

KEY = """\
id,state,expected,answer,note
C1,agreed,TRUE,true,
C2,agreed,TRUE,true,
C3,agreed,TRUE,false,
C4,disputed,,FALSE,"two, at odds"
C5,agreed,pass,true,
"""
SPANS = """\
field_id,page,text,struck
F1,1,12,TRUE
F1,1,14,FALSE
F2,1,[Blank],TRUE
F2,2,b,FALSE
F2,2,c,FALSE
F3,2,,FALSE
F3,3,x,no
"""
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;"


def report(folder: Path, data: bytes | str, name: str = "key.csv", **options: object) -> Element:
    """Publish a sheet and read its report."""
    return pages.read(sheets.publish(folder, data, name, **options))


def words(elements: list[Element]) -> list[str]:
    """Give the text of each."""
    return [one.words for one in elements]


def rows(found: Element) -> list[list[str]]:
    """Give the cells of the listed cases, the last without what stands in the row."""
    table = found.one("table", id="cases")
    return [
        [*words([one for one in row.inside if isinstance(one, Element)])[:-1]]
        for row in table.one("tbody").all("tr")
    ]


def last_cells(found: Element) -> list[Element]:
    """Give the last cell of each listed case: what to do, and what stands there."""
    return [row.all("td")[-1] for row in found.one("table", id="cases").one("tbody").all("tr")]


def test_the_statement_comes_first(tmp_path: Path) -> None:
    """As the heading of the page, before any other text."""
    out = sheets.publish(tmp_path, KEY, "key.csv")
    body = pages.read(out).one("body")
    assert body.text.lstrip().startswith(sheets.coverage(out)["statement"])
    assert body.one("h1").text == sheets.coverage(out)["statement"]


def test_the_order_of_the_page(tmp_path: Path) -> None:
    """Coverage, rate, reasons, notes, cases, source; each section named by its heading."""
    found = report(tmp_path, KEY + "\n,,,,\n")
    assert words(found.all("h2")) == [
        "Coverage",
        "Pass rate",
        "Why 2 of 5 cases are not scored",
        "Notes",
        "Held and invalid cases",
        "Where this comes from",
    ]
    named = [one.attributes["aria-labelledby"] for one in found.all("section")]
    assert named == [one.attributes.get("id") for one in found.all("h2")][:-1]


def test_the_title_names_the_coverage_and_the_sheet(tmp_path: Path) -> None:
    """It is all that a tab or a mail program shows."""
    assert report(tmp_path, KEY).one("title").text == "3 of 5 cases scored: key.csv"


def test_the_rate_and_the_coverage_share_one_element(tmp_path: Path) -> None:
    """Whoever copies the one has the other."""
    found = report(tmp_path, KEY)
    assert words(found.one("ul", class_="key").all("li")) == [
        "Pass rate 66.7% (2 of 3, 95% interval 20.8% to 93.9%): the scored cases only, 3 of 5",
        "Pass rate of the full evaluation: between 40.0% and 80.0% (2 to 4 of 5), whatever becomes "
        "of the 2 cases not scored",
    ]
    texts = [one for one in found.elements() if "66.7%" in "".join(map(str, one.inside))]
    assert all("3 of 5" in one.text for one in texts if one.name in ("span", "p", "b"))


def test_the_bar_is_exact(tmp_path: Path) -> None:
    """Each part as wide as its share, and beginning where the last one ends."""
    found = report(tmp_path, KEY)
    bar = found.one("svg", class_="bar")
    assert [
        (one.attributes["class"], one.attributes.get("x"), one.attributes["width"])
        for one in bar.all("rect")
    ] == [
        ("passed", "0.0000%", "40.0000%"),
        ("failed", "40.0000%", "20.0000%"),
        ("held", "60.0000%", "20.0000%"),
        ("invalid", "80.0000%", "20.0000%"),
        ("frame", None, "100%"),
    ]
    assert bar.attributes["role"] == "img"
    assert bar.attributes["aria-label"] == (
        "Bar of all 5: Scored, passed 2; Scored, failed 1; Held 1; Invalid 1."
    )
    assert words(found.one("ul", class_="legend").all("b")) == [
        "Scored, passed: 2 of 5",
        "Scored, failed: 1 of 5",
        "Held: 1 of 5",
        "Invalid: 1 of 5",
    ]


def test_the_axis_is_exact(tmp_path: Path) -> None:
    """The interval and the bounds stand where their numbers say."""
    axis = report(tmp_path, KEY).one("svg", class_="axis")
    drawn = {
        name: [(one.attributes.get("x1"), one.attributes.get("x2")) for one in found]
        for name in ("interval", "range")
        if (found := axis.all("line", class_=name))
    }
    assert drawn == {"interval": [("20.7660%", "93.8508%")], "range": [("40.0000%", "80.0000%")]}
    assert axis.one("circle").attributes["cx"] == "66.6667%"
    label = axis.attributes["aria-label"] or ""
    assert "66.7% (2 of 3," in label
    assert "40.0% and 80.0% (2 to 4 of 5)" in label


def test_nothing_scored_has_no_rate(tmp_path: Path) -> None:
    """The bounds are all that there is."""
    found = report(tmp_path, "id,state,expected,answer\na,disputed,,true\nb,agreed,,true\n")
    axis = found.one("svg", class_="axis")
    assert axis.all("circle") == axis.all("line", class_="interval") == []
    assert len(axis.all("line", class_="range")) == 1
    assert words(found.one("ul", class_="key").all("li"))[0] == (
        "Pass rate n/a: the scored cases only, 0 of 2"
    )


def test_a_complete_evaluation_lists_no_case(tmp_path: Path) -> None:
    """And says so."""
    found = report(tmp_path, "id,state,expected,answer\na,agreed,true,true\n")
    assert found.all("table") == found.all("form") == []
    assert "There are none: every case is scored." in found.one("main").words
    assert "Pass rate of the full evaluation: 100.0% (1 of 1)" in found.one("main").words


def test_a_part_says_that_it_is_one(tmp_path: Path) -> None:
    """In the statement, beside the name, in the coverage, in the rate and in the title."""
    part = (sheets.publish(tmp_path, KEY) / "scored.csv").read_bytes()
    found = report(tmp_path, part, "part.csv")
    assert found.one("h1").words.startswith("Part of an evaluation of 5 cases: ")
    assert found.one("strong", class_="part").words == "Part of an evaluation of 5 cases"
    assert found.one("p", class_="lead").words == "3 of 3 cases of this part scored (100.0%)"
    assert "the scored cases only, 3 of 3, part of 5" in found.one("main").words
    assert found.one("title").text == "3 of 3, part of 5 cases scored: part.csv"
    assert "full evaluation:" not in found.one("main").words


def test_the_reasons_by_count(tmp_path: Path) -> None:
    """Each with its denominator, its meaning and its remedy."""
    found = report(tmp_path, KEY + "C6,agreed,perhaps,true,\n")
    table = found.one("table", class_="stacked reasons")
    assert [words([cell for cell in row.all() if cell.name in ("th", "td")]) for row in
            table.one("tbody").all("tr")] == [
        ["expected-not-boolean", "invalid", "2 of 6", "The label is no Boolean. Enter TRUE or "
         "FALSE, or declare the spelling with --true and --false."],
        ["disputed", "held", "1 of 6", "The reviewers do not agree on the label. Agree on the "
             "label, and record the decision or enter it with the state agreed."],
    ]  # fmt: skip


def test_the_listed_cases(tmp_path: Path) -> None:
    """In the order of the sheet, with what to do and what stands in the row."""
    found = report(tmp_path, KEY)
    assert rows(found) == [
        ["C4", "row 5", "held", "disputed"],
        ["C5", "row 6", "invalid", "expected-not-boolean"],
    ]
    held, invalid = last_cells(found)
    assert words(held.all("p")) == [
        "The reviewers do not agree on the label. Agree on the label, and record the "
        "decision or enter it with the state agreed."
    ]
    assert words(held.all("div")) == [
        "state disputed",
        "expected absent",
        "answer FALSE",
        "note two, at odds",
    ]
    assert words(invalid.all("p")) == ["C6: expected is the text 'pass'; it must be TRUE or FALSE"]
    assert words(invalid.all("div"))[1] == "expected pass"


def test_the_listed_fields(tmp_path: Path) -> None:
    """A held field shows its texts and which are struck, an invalid one its rows as they were."""
    found = report(tmp_path, SPANS)
    assert rows(found) == [
        ["F2", "row 4", "held", "review-several"],
        ["F3", "row 7", "invalid", "observation-text observation-label"],
    ]
    held, invalid = last_cells(found)
    assert words(held.one("ul", class_="spans").all("li")) == ["known blank struck", "b", "c"]
    assert words(held.one("ul", class_="spans").all("s")) == ["known blank"]
    assert words(held.all("div")) == ['page ["1", "2", "2"]']
    assert [words(one.all("div")) for one in invalid.all("dl")] == [
        ["row 7", "text absent", "struck FALSE", "page 2"],
        ["row 8", "text x", "struck no", "page 3"],
    ]
    problems = words(invalid.all("p"))
    assert [problem.split(":")[0] for problem in problems] == ["C7", "D8"]


def test_spans_state_their_convention_and_have_no_rate(tmp_path: Path) -> None:
    """And their bar has three parts."""
    found = report(tmp_path, SPANS)
    assert words(found.one("ul", class_="legend").all("b")) == [
        "Scored: 1 of 3",
        "Held: 1 of 3",
        "Invalid: 1 of 3",
    ]
    assert found.all("svg", class_="axis") == []
    assert "Convention struck text is old" in found.one("footer").words


def test_a_sound_row_of_an_invalid_field_is_no_problem(tmp_path: Path) -> None:
    """The row that has one may stand far below, and is named all the same."""
    text = "id,text,struck\n" + "a,x,false\n" * 20 + "a,,false\n"
    [cell] = last_cells(report(tmp_path, text))
    assert len(cell.all("dl")) == 12
    problem, more = words(cell.all("p"))
    assert problem.startswith("B22: text is absent")
    assert more == "… and 9 more rows, in invalid.csv"


def test_typed_cells_are_shown_with_their_types(tmp_path: Path) -> None:
    """As in the sheets out; what is no row of a spreadsheet is an item."""
    items = [{"id": 7, "state": "agreed", "expected": "TRUE", "answer": True}]
    found = report(tmp_path, json.dumps(items), "s.json")
    assert rows(found)[0][:2] == ["7 (number)", "item 1"]
    assert words(last_cells(found)[0].all("div"))[:3] == [
        "state agreed",
        "expected TRUE (text)",
        "answer true",
    ]


def test_a_workbook_names_its_sheet(tmp_path: Path) -> None:
    """At the top and at the end, where its digest and the version stand as well."""
    found = report(tmp_path, books.written([books.KEY, ["a", "disputed", None, True]]), "k.xlsx")
    assert "k.xlsx, sheet key: an answer key of 1 case" in found.one("main").words
    facts = found.one("footer").words
    assert "Sheet key SHA-256 " in facts
    assert "Made by evalbatch " in facts


def test_the_options_are_stated(tmp_path: Path) -> None:
    """For they decide what the cells mean."""
    found = report(tmp_path, KEY, true=["pass"], header_row=1)
    assert 'Options true ["pass"]; header-row 1' in found.one("footer").words


@pytest.mark.parametrize(
    ("formats", "where"),
    [
        (["html", "csv"], "held.csv and invalid.csv"),
        (["html", "xlsx"], "the sheet held of results.xlsx and the sheet invalid of results.xlsx"),
        (["html"], "the sheet that was evaluated"),
    ],
    ids=["csv", "xlsx", "neither"],
)
def test_a_thousand_cases_at_most(tmp_path: Path, formats: list[str], where: str) -> None:
    """A plain line says where the rest is, and many invalid cases do not hide a few held ones."""
    invalid = "".join(f"i{n},agreed,,true\n" for n in range(1_100))
    data = "id,state,expected,answer\n" + invalid + "h1,disputed,,true\nh2,disputed,,true\n"
    found = report(tmp_path, data, to=formats)
    assert found.one("p", class_="listing").words == (
        "1,000 of the 1,102 that are held or invalid, of 1,102 cases, in the order of the sheet: "
        "the first 2 of 2 held and the first 998 of 1,100 invalid ones. All of them are in "
        f"{where}."
    )
    listed = rows(found)
    assert len(listed) == 1_000
    assert [row[0] for row in listed[-3:]] == ["i997", "h1", "h2"]


def test_fewer_are_all_listed(tmp_path: Path) -> None:
    """And the line says that they are all."""
    assert report(tmp_path, KEY).one("p", class_="listing").words == (
        "All 2 that are held or invalid, of 5 cases, in the order of the sheet."
    )


def test_markup_stays_text(tmp_path: Path) -> None:
    """In ids, cells, notes, headers, file names and sheet names."""
    name = "<img src=x onerror=alert(3)>'\"&{{7*7}}.csv"
    key = [
        ["id", "state", "expected", "answer", HOSTILE],
        [HOSTILE, "agreed", HOSTILE, "true", HOSTILE],
    ]
    found = report(tmp_path, sheets.csv_bytes(key), name, delimiter=",")
    assert [one.name for one in found.elements() if one.name in ("img", "script")] == ["script"]
    [row] = rows(found)
    assert row[0] == HOSTILE
    assert words(last_cells(found)[0].all("div"))[1:] == [
        f"expected {HOSTILE}",
        "answer true",
        f"{HOSTILE} {HOSTILE}",
    ]
    assert f"expected is the text '{HOSTILE[:20]}" in found.one("main").words
    assert found.one("title").text.endswith(name)
    assert f"File {name}" in found.one("footer").words


def test_nothing_is_remote_and_nothing_runs_but_the_script(tmp_path: Path) -> None:
    """No address, no handler and no style in an attribute, whatever the sheet holds."""
    found = report(tmp_path, f'id,state,expected,answer\n"{HOSTILE[:40]}",agreed,http://x/,true\n')
    for one in found.elements():
        names = set(one.attributes)
        assert not names & {"src", "href", "style", "action", "srcset", "data", "poster"}
        assert not [name for name in names if name.startswith("on")]
    assert {one.name for one in found.all("head")[0].elements()} == {"meta", "title", "style"}
    style = found.one("style").text
    assert "@import" not in style
    assert "url(" not in style.replace("url(#", "")


def test_the_policy_admits_the_style_and_the_script_alone(tmp_path: Path) -> None:
    """By their digests."""
    found = report(tmp_path, KEY)
    policy = found.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    digests = [
        base64.b64encode(hashlib.sha256(found.one(name).text.encode()).digest()).decode()
        for name in ("style", "script")
    ]
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests[0]}'; script-src 'sha256-{digests[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = found.one("head").all()
    assert head.index(found.one("style")) > 1


def test_without_scripts_the_filters_are_hidden(tmp_path: Path) -> None:
    """And nothing else is."""
    found = report(tmp_path, KEY)
    assert [one.name for one in found.elements() if "hidden" in one.attributes] == ["form"]


def test_the_same_input_gives_the_same_bytes(tmp_path: Path) -> None:
    """In another folder, too."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    one, other = (
        (sheets.publish(tmp_path / name, KEY, "key.csv") / "report.html").read_bytes()
        for name in ("one", "other")
    )
    assert one == other


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        pytest.param("plain", "<bdi>plain</bdi>", id="plain"),
        pytest.param("a & <b>", "<bdi>a &amp; &lt;b&gt;</bdi>", id="markup"),
        pytest.param("שלום 12", "<bdi>שלום 12</bdi>", id="right-to-left"),
        pytest.param(
            "a\u202eb", '<bdi>a<span class="code">\\u202e</span>b</bdi>', id="direction-mark"
        ),
        pytest.param("a\tb\n", '<bdi>a<span class="code">\\t</span>b<span class="code">\\n</span>'
                     "</bdi>", id="control"),
        pytest.param("\xa0", '<bdi><span class="code">\\xa0</span></bdi>', id="no-break-space"),
        pytest.param(
            "x" * 301,
            f'<bdi>{"x" * 300}</bdi><span class="cut">… cut off here; the whole text of 301 '
            "characters is in held.csv</span>",
            id="long",
        ),
    ],
)  # fmt: skip
def test_how_a_cell_is_shown(cell: str, shown: str) -> None:
    """Isolated, with what cannot be seen, and cut where it is long."""
    assert str(text.value(cell, "held.csv")) == shown


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("expected is the text 'a'", "expected is the text &#39;a&#39;"),
        ("the text 'שלום עולם' (12 of 3)", "the text &#39;<bdi>שלום עולם</bdi>&#39; (12 of 3)"),
        ("'א', 'ב' 1", "&#39;<bdi>א</bdi>&#39;, &#39;<bdi>ב</bdi>&#39; 1"),
        ("'<א> b ב'", "&#39;&lt;<bdi>א</bdi>&gt; b <bdi>ב</bdi>&#39;"),
    ],
    ids=["plain", "phrase", "two", "mixed"],
)
def test_how_a_sentence_is_shown(message: str, shown: str) -> None:
    """What runs from right to left in it does not draw the numbers behind it along."""
    assert str(text.message(message, "x")) == shown


@given(st.text(max_size=400))
def test_any_text_is_shown_as_it_is(cell: str) -> None:
    """Whatever its characters are, the reader gets them all, or their escapes."""
    wanted = "".join(map(visible, cell[:300]))
    for markup in (text.value(cell, "x"), text.message(cell[:300], "x")):
        assert pages.parsed(markup).text.split("… cut off here")[0] == wanted
    assert text.plain(cell) == wanted


def test_a_template_with_a_missing_value_is_an_error() -> None:
    """It would leave a blank where a number belongs."""
    from jinja2 import UndefinedError

    with pytest.raises(UndefinedError):
        page("report.html", noun="case")


def test_jinja_is_imported_only_where_a_report_is_written(tmp_path: Path) -> None:
    """It takes longer than a small sheet."""
    (tmp_path / "key.csv").write_text(KEY)
    program = (
        "import sys, evalbatch; evalbatch.run('key.csv', 'o', to=[sys.argv[1]], overwrite=True)\n"
        "print('jinja2' in sys.modules)"
    )
    found = [
        subprocess.run(
            [sys.executable, "-c", program, name], cwd=tmp_path, capture_output=True, check=True
        ).stdout
        for name in ("csv", "html")
    ]
    assert found == [b"False\n", b"True\n"]


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_the_colours_have_contrast(tmp_path: Path, scheme: int) -> None:
    """WCAG AA: 4.5 for texts, 3 for what is drawn, also where no tool can judge it."""
    style = report(tmp_path, KEY).one("style").text
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    colours = dict(re.findall(r"--(\w+): #(\w{6});", blocks[scheme]))
    for one, other, least in [
        ("ink", "paper", 4.5),
        ("ink", "field", 4.5),
        ("aside", "paper", 4.5),
        ("accent", "paper", 3),
        ("accent", "soft", 3),
        ("held", "paper", 3),
        ("held", "pale", 3),
    ]:
        lighter, darker = sorted((luminance(colours[one]), luminance(colours[other])))[::-1]
        assert (lighter + 0.05) / (darker + 0.05) >= least, (one, other)


def luminance(colour: str) -> float:
    """Give a colour's relative luminance, as WCAG 2.2 defines it."""
    shares = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what Python compiles in a folder of its own."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_templates_are_compiled_once(tmp_path: Path, kept: Path) -> None:
    """And what is kept of them gives the same page; what a disk has damaged is made anew."""
    first = sheets.publish(tmp_path, KEY, "key.csv") / "report.html"
    page_before = first.read_bytes()
    files = {path: path.read_bytes() for path in kept.rglob("*.*")}
    assert sorted(path.name.split(".")[0] for path in files) == ["base", "parts", "report"]
    assert {path.suffixes[-2:][0] for path in files} == {".jinja"}
    for path, data in files.items():
        path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    for _ in ("damaged", "kept"):
        sheets.publish(tmp_path, KEY, "key.csv")
        assert first.read_bytes() == page_before
        assert {path: path.read_bytes() for path in files} == files


def test_where_nothing_can_be_kept_the_report_is_written(tmp_path: Path, kept: Path) -> None:
    """A package may lie where its users cannot write."""
    kept.write_text("no folder")
    assert (sheets.publish(tmp_path, KEY, "key.csv") / "report.html").exists()


def test_a_page_that_is_not_what_was_written_is_told() -> None:
    """It is read again, like every other file."""
    with pytest.raises(ConservationError, match="read again, is not what was written"):
        save(Path(os.devnull), b"page")
