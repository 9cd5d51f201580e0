"""The course of one sheet as a chart: coverage, and the bounds of its full pass rate, in SVG.

The same history gives the same bytes, and the chart takes its text colour from the page.
"""

import io
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from evalbatch.errors import EvalbatchError

# Stands for the colour of the page's text, which SVG can take and matplotlib cannot name.
_INK = "#010203"
_COVERAGE = "#0072b2"
_BOUNDS = "#d55e00"
_SIZE = (5.0, 2.1)
_STYLE: Any = {
    "svg.hashsalt": "evalbatch",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    **dict.fromkeys(
        ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), _INK
    ),
}


def require_matplotlib() -> None:
    """Raise EvalbatchError, with the command to install it, where there is no matplotlib."""
    try:
        import matplotlib as _  # noqa: F401 - whether it can be
    except ImportError:
        raise EvalbatchError(
            "--report draws with matplotlib, which is not installed; "
            "install it with pip install 'evalbatch[plot]'."
        ) from None


def course(rows: Sequence[dict[str, Any]], number: int) -> str:
    """Draw the rows of one sheet, as `History.figures` gives them, oldest first; give an SVG.

    Runs in which the sheet failed leave a gap and a mark. `number` keeps the ids of several charts
    on one page apart. The picture has no text of the sheet's in it.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        FigureCanvasSVG(figure)
        axes = figure.add_subplot()
        _draw(axes, rows)
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    return _inline(file.getvalue(), number)


def _draw(axes: Any, of_runs: Sequence[dict[str, Any]]) -> None:
    # A clock may have been set back between two runs.
    rows = sorted(of_runs, key=lambda row: row["ended"])
    # Wall-clock times as they stand in the history, wherever the page is made.
    times = [row["ended"].replace(tzinfo=None) for row in rows]
    nan = float("nan")
    if any(row["low"] is not None for row in rows):
        low, high = (
            [nan if row[end] is None else row[end] for row in rows] for end in ("low", "high")
        )
        axes.fill_between(times, low, high, color=_BOUNDS, alpha=0.3, linewidth=0)
        axes.plot(times, low, color=_BOUNDS, linestyle="--", marker="v", markersize=4)
        label = "full pass rate, at least and at most"
        axes.plot(times, high, color=_BOUNDS, linestyle="--", marker="^", markersize=4, label=label)
    shares = [nan if row["coverage"] is None else row["coverage"] for row in rows]
    axes.plot(times, shares, color=_COVERAGE, marker="o", markersize=4, label="coverage")
    failed = [time for time, row in zip(times, rows, strict=True) if row["error"] is not None]
    if failed:
        axes.plot(failed, [0] * len(failed), "x", color=_INK, clip_on=False, label="sheet failed")
    _label(axes, times)


def _label(axes: Any, times: Sequence[datetime]) -> None:
    from matplotlib.ticker import PercentFormatter

    axes.set_ylim(0, 1.02)
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="y", color=_INK, alpha=0.2, linewidth=0.6)
    shown = _apart(times, 5)
    axes.set_xticks(shown, [time.strftime("%Y-%m-%d") for time in shown])
    axes.margins(x=0.04)
    axes.figure.legend(loc="outside upper left", ncols=3, frameon=False)


def _apart(times: Sequence[datetime], most: int) -> list[datetime]:
    """Choose the latest time, and before it those that leave room for a label."""
    room = (times[-1] - times[0]) / most
    found = [times[-1]]
    for time in reversed(times):
        if found[-1] - time > room:
            found.append(time)
    return found


def _inline(svg: str, number: int) -> str:
    """Make of an SVG file a part of a page: no prologue, no style of its own, its own ids."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\b(id="|href="#|url\(#)', rf"\g<1>chart{number}-", svg)
    svg = svg.replace(_INK, "currentColor")
    size = r'(<svg[^>]*?) (?:width|height)="[^"]*"'
    svg = re.sub(size, r"\1", re.sub(size, r"\1", svg, count=1), count=1)
    return svg.replace("<svg", '<svg aria-hidden="true" focusable="false"', 1).strip()
