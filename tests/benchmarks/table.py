"""What was measured, as a table in Markdown."""

from collections.abc import Callable, Sequence
from statistics import median

from tests.benchmarks.jobs import Job
from tests.benchmarks.measuring import Usage
from tests.benchmarks.running import OURS, Usages

HEADER = (
    "| work | against | evalbatch, s | peer, s | time | processor time | evalbatch, MiB "
    "| peer, MiB | memory |\n"
    "|---|---|---:|---:|---:|---:|---:|---:|---:|"
)


def lines(job: Job, usages: Usages) -> list[str]:
    """Give one row for each peer: medians, and medians of the ratios of runs that were neighbours.

    A ratio below 1 says that evalbatch took less.
    """
    ours = usages[OURS]
    return [_line(job, name, ours, usages[name]) for name in job.peers]


def _line(job: Job, name: str, ours: Sequence[Usage], theirs: Sequence[Usage]) -> str:
    def middle(of: Callable[[Usage], float], runs: Sequence[Usage]) -> float:
        return median(map(of, runs))

    def ratio(of: Callable[[Usage], float]) -> str:
        return f"{median(of(a) / of(b) for a, b in zip(ours, theirs, strict=True)):.2f}"

    cells = [
        job.title,
        f"`{name}.py`",
        *(f"{middle(_wall, runs):.2f}" for runs in (ours, theirs)),
        ratio(_wall),
        ratio(lambda usage: usage.processor),
        *(f"{middle(_peak, runs):.0f}" for runs in (ours, theirs)),
        ratio(_peak),
    ]
    return f"| {' | '.join(cells)} |"


def _wall(usage: Usage) -> float:
    return usage.wall


def _peak(usage: Usage) -> float:
    return usage.peak
