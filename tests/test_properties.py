"""What holds for every sheet: conservation, the spread, the formats, and parts fed back."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

import evalbatch
from evalbatch import EvalbatchError
from evalbatch.records import DISPOSITIONS
from evalbatch.sheets_out import RESULT_COLUMNS
from tests import books, oracle, sheets, strategies

KEY = ["id", "state", "expected", "answer", "note"]
SPANS = ["id", "text", "struck", "note"]


def unescaped(cell: str) -> str:
    """Take off the apostrophe that was put before a formula."""
    rest = cell[1:].lstrip("'")
    is_number = rest[:1] in "+-" and rest[1:2].isdigit() and rest.replace(".", "").isascii()
    risky = cell.startswith("'") and rest.startswith(("=", "@", "\t", "\r", "+", "-"))
    plain_number = cell[1:] == rest and is_number and _is_number(rest)
    return cell[1:] if risky and not plain_number else cell


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text[-1].isdigit() and "_" not in text


def published(folder: Path, data: bytes, name: str = "sheet.csv", **options: Any) -> Path:
    """Publish a sheet that has a case; others are refused and of no use here."""
    try:
        return sheets.publish(folder, data, name, **{"to": ["csv", "json"], **options})
    except EvalbatchError as error:
        assume("no cases" not in str(error))
        raise


@given(strategies.key_rows, st.sampled_from(",;\t|"))
def test_a_key_comes_out_as_row_by_row_and_loses_nothing(rows: Any, delimiter: str) -> None:
    """Every case is in exactly one sheet, in order, with its cells and its own judgement."""
    with tempfile.TemporaryDirectory() as name:
        out = published(Path(name), sheets.csv_bytes([KEY, *rows], delimiter))
        written = {one: sheets.rows(out / f"{one}.csv", delimiter)[1:] for one in DISPOSITIONS}
        summary = sheets.coverage(out)
    found = {int(row[-1]): (one, row) for one in DISPOSITIONS for row in written[one]}
    expected = oracle.cases(rows)
    assert [number for number, *_ in expected] == sorted(found)
    assert sum(map(len, written.values())) == summary["total"] == len(expected)
    for one in DISPOSITIONS:
        assert [int(row[-1]) for row in written[one]] == sorted(int(r[-1]) for r in written[one])
    for number, disposition, passed, reasons in expected:
        one, row = found[number]
        assert one == disposition
        marked = [strip_mark(unescaped(cell)) for cell in row[:5]]
        assert marked == [strip_mark(cell or "") for cell in rows[number - 2]]
        if one == "scored":
            assert row[5] == str(passed).lower()
        else:
            assert row[5] == " ".join(dict.fromkeys(reasons))
        assert row[-2] == f"{summary['scored']} of {summary['total']}"


def strip_mark(cell: str) -> str:
    """Take off a mark that was put on, or that was there: both sides are compared without."""
    while cell.endswith(" (text)"):
        cell = cell.removesuffix(" (text)")
    return cell


@given(strategies.span_rows)
def test_fields_come_out_as_one_call_each_and_lose_nothing(rows: Any) -> None:
    """Every field is in exactly one sheet, and its result is the rule's own."""
    with tempfile.TemporaryDirectory() as name:
        out = published(Path(name), sheets.csv_bytes([SPANS, *rows]))
        written = {one: sheets.rows(out / f"{one}.csv") for one in DISPOSITIONS}
        found = sheets.results(out)
        summary = sheets.coverage(out)
    fields = oracle.fields(rows)
    assert summary["total"] == len(fields)
    by_row: dict[int, dict[str, Any]] = {}
    for one in ("scored", "held"):
        for row, result in zip(written[one][1:], found[one], strict=True):
            by_row[int(row[-1])] = result | {"reason": "" if one == "scored" else row[-7]}
            cells = dict(zip(written[one][0], row, strict=True))
            assert json.loads(unescaped(cells["old"])) == result["old"]
            again = evalbatch.evaluate({"spans": json.loads(cells["spans"])})
            assert again == {key: result[key] for key in again}
    invalid_rows = {int(row[-1]): row[-4].split()[0] for row in written["invalid"][1:]}
    for numbers, reason, result in fields:
        if numbers[0] in by_row:
            got = by_row[numbers[0]]
            assert {key: got[key] for key in result} == result
            assert got["reason"] == reason
        else:
            assert {invalid_rows.pop(number) for number in numbers} == {reason}
    assert not invalid_rows


@given(strategies.key_rows)
def test_the_same_key_as_csv_tsv_and_json_lines(rows: Any) -> None:
    """The delimiter and the line ends change nothing."""
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, delimiter in (("a.csv", ","), ("b.tsv", "\t"), ("c.csv", ";")):
            data = sheets.csv_bytes([KEY, *rows], delimiter)
            found = sheets.results(published(folder, data, file))
            found.pop("coverage")
            results.append(found)
    assert results[0] == results[1] == results[2]


typed = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", "d", "e"]),
        st.sampled_from(["agreed", "disputed", "pending", None]),
        st.sampled_from([True, False, None]),
        st.sampled_from([True, False, None]),
    ),
    min_size=1,
    max_size=8,
)


@given(typed)
def test_the_same_key_in_every_format(rows: Any) -> None:
    """Where every value has a form in each format, the results are the same in each."""
    import pandas as pd

    items = [dict(zip(KEY, row, strict=False)) for row in rows]
    words = [[str(c).lower() if isinstance(c, bool) else c for c in row] for row in rows]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        results = [
            sheets.run(folder, sheets.csv_bytes([KEY[:4], *words])),
            sheets.run(folder, json.dumps({"cases": items}), "s.json"),
            sheets.run(folder, books.written([KEY[:4], *rows]), "s.xlsx"),
            sheets.run(folder, json.dumps(items), "t.json"),
            sheets.run(folder, "\n".join(map(json.dumps, items)), "s.jsonl"),
            evalbatch.evaluate_frame(pd.DataFrame(rows, columns=KEY[:4], dtype=object)),
        ]
    outcomes = [sheets.outcome(result) for result in results]
    assert all(outcome == outcomes[0] for outcome in outcomes[1:])
    statements = {result.statement for result in results}
    assert len(statements) == 1


def feed_back(folder: Path, out: Path, total: int) -> None:
    """Feed each part back: every case ends where it ended, for the same reason."""
    before = sheets.coverage(out)
    for one in DISPOSITIONS:
        part = out / f"{one}.csv"
        if len(sheets.rows(part)) == 1:
            continue
        again = folder / f"again-{one}"
        result = evalbatch.run(part, again, to=["csv"], overwrite=True)
        counts = result.coverage
        assert (counts.scored, counts.held, counts.invalid) == tuple(
            before[one] if name == one else 0 for name in DISPOSITIONS
        )
        assert counts.part_of == total
        assert not counts.complete
        assert counts.share.endswith(f", part of {total}")
        here = {reason: before["reasons"][reason] for reason in counts.reasons}
        assert dict(counts.reasons) == here
        width = len(RESULT_COLUMNS[counts.task, one])
        old, new = (sheets.rows(path / f"{one}.csv") for path in (out, again))
        assert [row[:-width] for row in old] == [row[:-width] for row in new]
        if one == "held":
            assert [row[-7:-2] for row in old] == [row[-7:-2] for row in new]


@given(strategies.key_rows)
def test_parts_of_a_key_fed_back_are_the_same_again(rows: Any) -> None:
    """Nothing turns valid, or anything else, on the way out and in."""
    with tempfile.TemporaryDirectory() as name:
        out = published(Path(name), sheets.csv_bytes([KEY, *rows]))
        feed_back(Path(name), out, sheets.coverage(out)["total"])


@given(strategies.span_rows)
def test_parts_of_span_rows_fed_back_are_the_same_again(rows: Any) -> None:
    """A field that stood apart is still apart when its rows stand together in the part."""
    with tempfile.TemporaryDirectory() as name:
        out = published(Path(name), sheets.csv_bytes([SPANS, *rows]))
        feed_back(Path(name), out, sheets.coverage(out)["total"])


@given(st.one_of(strategies.key_items, strategies.span_items, strategies.field_items))
def test_parts_of_typed_sheets_fed_back_are_the_same_again(items: Any) -> None:
    """A typed cell that was the fault stays it in CSV."""
    with tempfile.TemporaryDirectory() as name:
        data = json.dumps(items).encode()
        out = published(Path(name), data, "sheet.json", to=["csv"])
        feed_back(Path(name), out, sheets.coverage(out)["total"])


@given(st.one_of(strategies.key_items, strategies.span_items, strategies.field_items))
def test_sheets_of_a_workbook_fed_back_are_the_same_again(items: Any) -> None:
    """A fault stays one in a workbook too, where most cells have types of their own."""
    with tempfile.TemporaryDirectory() as name:
        data = json.dumps(items).encode()
        out = published(Path(name), data, "sheet.json", to=["xlsx"])
        before = sheets.coverage(out)
        for one in DISPOSITIONS:
            if before[one]:
                result = evalbatch.run(out / "results.xlsx", sheet=one)
                counts = result.coverage
                assert [counts.scored, counts.held, counts.invalid] == [
                    before[one] if each == one else 0 for each in DISPOSITIONS
                ]
                assert dict(counts.reasons) == {
                    reason: before["reasons"][reason] for reason in counts.reasons
                }


@given(st.one_of(strategies.key_items, strategies.span_items, strategies.field_items))
def test_the_same_input_gives_the_same_bytes(items: Any) -> None:
    """Nothing but the input and the options reaches the output."""
    with tempfile.TemporaryDirectory() as name:
        first, second = (Path(name) / one for one in ("x", "y"))
        for folder in (first, second):
            folder.mkdir()
            formats = ["csv", "json", "html"]
            published(folder, json.dumps(items).encode(), "sheet.json", to=formats)
        files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
        assert files
        for file in files:
            assert (first / file).read_bytes() == (second / file).read_bytes()
