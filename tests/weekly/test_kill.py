"""A batch that is killed, and two at once: nothing is lost, and nothing counted twice."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from evalbatch.errors import FolderBusyError
from evalbatch.publish import changes
from evalbatch.weekly.runner import run
from tests.weekly.jobs import BROKEN, COMPLETE, KEY, MONDAY, SPANS, WEEK, job

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

# At how many points a batch is killed, spread evenly; more for a longer look.
POINTS = int(os.environ.get("EVALBATCH_KILLS", "8"))
# Runs a job, and ends its own process for good at the nth time that it touches a file of the job's
# folder or speaks to the database. Prints how often it does, if n is 0.
KILLED_AT = """
import datetime, os, signal, sqlite3, sys
from pathlib import Path
from evalbatch.weekly.runner import run
path, now, nth = Path(sys.argv[1]), datetime.datetime.fromisoformat(sys.argv[2]), int(sys.argv[3])
count = 0
def step():
    global count
    count += 1
    if count == nth:
        os.kill(os.getpid(), signal.SIGKILL)
def hook(event, arguments):
    touches = ("os.rename", "os.mkdir", "os.rmdir", "os.remove", "open", "shutil.rmtree")
    if event in touches and str(path.parent) in str(arguments[0]):
        step()
def traced(*arguments, **options):
    connection = connect(*arguments, **options)
    connection.set_trace_callback(lambda statement: step())
    return connection
connect, sqlite3.connect = sqlite3.connect, traced
sys.addaudithook(hook)
run(path, now=now)
print(count)
"""
# Holds a job until it is told to go on.
HOLDING = """
import sys
from evalbatch.weekly.runner import run
def wait(batch):
    print("held", flush=True)
    sys.stdin.read()
run(sys.argv[1], finish=wait)
"""
JOB = """
    [results]
    folder = "{folder}"
    overwrite = {overwrite}
    [[sheet]]
    path = "*.csv"
"""


def killed_at(path: Path, nth: int) -> subprocess.CompletedProcess[str]:
    """Run a job in a process of its own, and kill it at a point."""
    now = (MONDAY + WEEK).isoformat()
    arguments = [sys.executable, "-c", KILLED_AT, str(path), now, str(nth)]
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def state(path: Path) -> tuple[list[str], dict[str, bytes]]:
    """Give all of a history but when runs were run over again, and every file of the results."""
    connection = sqlite3.connect(path.with_name("history.sqlite"))
    history = [line for line in connection.iterdump() if 'INTO "repeats"' not in line]
    connection.close()
    results = path.with_name("results")
    files = {
        str(file.relative_to(results)): file.read_bytes()
        for file in results.rglob("*")
        if file.is_file()
    }
    return history, files


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Give a folder for the job that is never killed, and one for those that are."""
    for name in ("never", "killed"):
        (tmp_path / name).mkdir()
    return tmp_path / "never", tmp_path / "killed"


@pytest.mark.parametrize(
    ("folder", "overwrite", "earlier"),
    [
        pytest.param("results/{week}/{stem}", "true", True, id="a-folder-each-week"),
        pytest.param("results/{stem}", "true", True, id="replacing"),
        pytest.param("results/{stem}", "false", False, id="never-replacing"),
    ],
)
def test_a_batch_that_is_killed_and_run_again(
    folders: tuple[Path, Path], folder: str, overwrite: str, earlier: bool
) -> None:
    """History and results are as if it had run once, wherever it was killed."""
    text = JOB.replace("{folder}", folder).replace("{overwrite}", overwrite)
    paths = [job(one, text, key=KEY, spans=SPANS, broken=BROKEN) for one in folders]
    if earlier:
        for path in paths:
            run(path, now=MONDAY)
            path.with_name("key.csv").write_text(COMPLETE)
    never, killed = paths
    before = folders[1].with_name("before")
    shutil.copytree(folders[1], before)
    done = killed_at(never, 0)
    assert done.returncode == 0, done.stderr
    steps = int(done.stdout)
    expected = state(never)
    recorded = set()
    for nth in sorted({*range(1, steps + 1, max(1, steps // POINTS)), steps}):
        shutil.rmtree(folders[1])
        shutil.copytree(before, folders[1])
        assert killed_at(killed, nth).returncode == -signal.SIGKILL
        batch = run(killed, now=MONDAY + WEEK)
        assert len(batch.failed) == 1
        recorded.add(batch.recorded.repeated)
        assert state(killed) == expected
        folder_of_key = folders[1] / str(batch.sheets[1].folder)
        assert changes(folder_of_key) == []
    assert steps > 60
    # Killed before and after it was recorded.
    assert recorded == {False, True}


def test_two_batches_at_once(tmp_path: Path) -> None:
    """The second one is told, and nothing of it is recorded; afterwards it can be run."""
    path = job(tmp_path, '[[sheet]]\npath = "*.csv"\n', key=KEY)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"held\n"
        with pytest.raises(FolderBusyError, match="another batch of this job is running") as busy:
            run(path)
        first.communicate()
    assert busy.value.exit_code == 3
    assert run(path).recorded.run == 1
    assert {one.name for one in tmp_path.iterdir()} == {
        "key.csv", "weekly.toml", "results", "history.sqlite",
    }  # fmt: skip


def test_two_jobs_at_once_share_a_history(tmp_path: Path) -> None:
    """Each has runs of its own, whichever records first."""
    paths = [tmp_path / "one.toml", tmp_path / "two.toml"]
    for path in paths:
        (tmp_path / f"{path.stem}.csv").write_text(KEY)
        path.write_text(f'[[sheet]]\npath = "{path.stem}.csv"\n')
    program = "import sys; from evalbatch.weekly.runner import run; run(sys.argv[1])"
    for _ in range(3):
        batches = [subprocess.Popen([sys.executable, "-c", program, path]) for path in paths]
        assert [batch.wait() for batch in batches] == [0, 0]
        for path in paths:
            with path.with_suffix(".csv").open("a") as file:
                file.write(f"x{len(file.name)}{os.fstat(file.fileno()).st_size},disputed,,\n")
    connection = sqlite3.connect(tmp_path / "history.sqlite")
    rows = connection.execute("SELECT job, count(*) FROM runs GROUP BY job ORDER BY job").fetchall()
    connection.close()
    assert rows == [("one.toml", 3), ("two.toml", 3)]
