"""A job run: evalbatch and its peers in turn, so that a busy machine slows all of them alike."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tests.benchmarks.jobs import Job
from tests.benchmarks.measuring import Usage, measure

OURS = "evalbatch"
Usages = Mapping[str, Sequence[Usage]]


def run(
    job: Job, sheet: Path, peers: Path, folder: Path, repeat: int, say: Callable[[str], None]
) -> Usages:
    """Run evalbatch and each peer `repeat` times; give what each run used.

    `peers` is the folder of the scripts, `folder` one for the results, which are compared and then
    removed. Raises RuntimeError where a run fails or the scored cases are not the same.
    """
    usages: dict[str, list[Usage]] = {name: [] for name in (OURS, *job.peers)}
    for turn in range(repeat):
        for name, used in usages.items():
            results = folder / name
            shutil.rmtree(results, ignore_errors=True)
            used.append(measure(_command(name, job, sheet, peers, results)))
            say(f"{job.title}: {name}, run {turn + 1} of {repeat}: {used[-1].wall:.2f} s")
    for name in job.peers:
        _check(job, folder / OURS, folder / name)
    for name in usages:
        shutil.rmtree(folder / name)
    return usages


def _command(name: str, job: Job, sheet: Path, peers: Path, results: Path) -> list[str]:
    if name == OURS:
        own = ["-m", "evalbatch", "run", str(sheet), "-o", str(results), "--to", job.to]
        return [sys.executable, *own]
    return [sys.executable, str(peers / f"{name}.py"), str(sheet), str(results), job.to]


def _check(job: Job, ours: Path, theirs: Path) -> None:
    # In a process of its own, for this one must stay small.
    command = [sys.executable, "-m", "tests.benchmarks.agreement", job.kind]
    done = subprocess.run(
        [*command, str(ours), str(theirs)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{job.title}: {done.stderr.strip()}")
