"""A span sheet judged with Polars: python spans_polars.py SHEET.csv FOLDER [csv]."""

import hashlib
import json
import sys
from pathlib import Path

import polars as pl

DECISION = ("decision", "decided_by", "decided_on", "decision_note")


def json_string(text: pl.Expr) -> pl.Expr:
    """Write a text as JSON; control characters are taken not to occur."""
    escaped = text.str.replace_all("\\", "\\\\", literal=True)
    return pl.lit('"') + escaped.str.replace_all('"', '\\"', literal=True) + pl.lit('"')


def array(items: pl.Expr) -> pl.Expr:
    """Write a list of JSON values as an array; the items of one field are joined."""
    return pl.lit("[") + items.str.join(", ") + pl.lit("]")


def fields(rows: pl.DataFrame) -> pl.DataFrame:
    """Judge every field, and write its spans as JSON."""
    mark = pl.col("struck").str.to_lowercase()
    text = pl.col("text")
    spans = rows.with_row_index("source_row", offset=2).with_columns(
        mark=pl.when(mark.is_in(["true", "false"])).then(mark == "true"),
        seen=pl.when(text == "[blank]").then(pl.lit("")).otherwise(text),
    )
    spans = spans.with_columns(item=json_string(pl.col("seen"))).with_columns(
        span=pl.lit('{"text": ')
        + pl.col("item")
        + pl.when("mark").then(pl.lit(', "struck": true}')).otherwise(pl.lit(', "struck": false}'))
    )
    left = pl.col("seen").filter(~pl.col("mark"))
    return spans.group_by("id", maintain_order=True).agg(
        reason=pl.when(pl.col("seen").is_null().any())
        .then(pl.lit("observation-text"))
        .when(pl.col("mark").is_null().any())
        .then(pl.lit("observation-label"))
        .when(left.len() == 0)
        .then(pl.lit("review-none"))
        .when(left.len() > 1)
        .then(pl.lit("review-several")),
        current=left.first(),
        old=array(pl.col("item").filter(pl.col("mark"))),
        candidates=array(pl.col("item").filter(~pl.col("mark"))),
        spans=array(pl.col("span")),
        page=pl.col("page").first(),
        source_row=pl.col("source_row").first(),
    )


def main(sheet: Path, folder: Path, to: str = "csv") -> None:
    """Judge every field, and write the three sheets and the counts."""
    if to != "csv":
        raise SystemExit("spans are written as CSV here")
    folder.mkdir(parents=True, exist_ok=True)
    with sheet.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    rows = pl.read_csv(sheet, infer_schema=False)
    found = fields(rows)
    reason = pl.col("reason")
    is_held = reason.is_in(["review-none", "review-several"])
    scored, held = found.filter(reason.is_null()), found.filter(is_held)
    errors = found.filter(reason.is_not_null() & ~is_held).select("id", "reason")
    last: list[pl.Expr | str] = [
        pl.lit(f"{scored.height} of {found.height}").alias("coverage"),
        "source_row",
    ]
    blank = pl.col("current").replace("", "[blank]")
    marks: list[pl.Expr | str] = [
        "old",
        "candidates",
        pl.lit("review").alias("status"),
        "spans",
        "page",
    ]
    empty = [pl.lit(None, pl.String).alias(name) for name in DECISION]
    scored.select(
        "id", blank, "old", "candidates", pl.lit("accepted").alias("status"), "spans", "page", *last
    ).write_csv(folder / "scored.csv")
    no_current = pl.lit(None, pl.String).alias("current")
    held.select("id", no_current, *marks, "reason", *empty, *last).write_csv(folder / "held.csv")
    (
        rows.with_row_index("source_row", offset=2)
        .join(errors, on="id", maintain_order="left")
        .select(*rows.columns, "reason", *last)
        .write_csv(folder / "invalid.csv")
    )
    counts = {"scored": scored.height, "held": held.height, "invalid": errors.height}
    summary = {"total": found.height, **counts, "sha256": digest}
    (folder / "coverage.json").write_text(json.dumps(summary), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:])
