"""The results folder: whole or not at all, and never over somebody's work."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import evalbatch
from evalbatch.publish import changes
from tests import sheets

OLD = "id,state,expected,answer\na,agreed,true,true\n"
NEW = OLD + "".join(f"b{i},agreed,true,false\n" for i in range(500))

# Ends the process for good at the nth time that it touches the results folder or what is beside it.
KILLED_AT = """
import os, signal, sys
count, nth = 0, int(sys.argv.pop(1))
def hook(event, arguments):
    global count
    touches = ("os.rename", "os.mkdir", "os.rmdir", "os.remove", "open", "shutil.rmtree")
    if event in touches and any("out" in os.path.basename(os.path.dirname(str(a)))
                                or "out" in os.path.basename(str(a)) for a in arguments[:2]):
        count += 1
        if count == nth:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
from evalbatch.cli import main
raise SystemExit(main())
"""
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
from evalbatch.cli import main
raise SystemExit(main())
"""
HOLDING = """
import sys
from pathlib import Path
from evalbatch.publish import hold
with hold(Path(sys.argv[1]), overwrite=True, say=print):
    print("held", flush=True)
    sys.stdin.read()
"""


def command(*arguments: str | int | Path) -> subprocess.CompletedProcess[str]:
    """Run Python on a program and its arguments."""
    return subprocess.run(
        [sys.executable, "-c", *map(str, arguments)], capture_output=True, text=True, check=False
    )


def cli(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    return command("from evalbatch.cli import main; raise SystemExit(main())", *arguments)


def beside(folder: Path) -> set[str]:
    """Name what stands beside a results folder."""
    return {path.name for path in folder.parent.iterdir()} - {folder.name, "old.csv", "new.csv"}


@pytest.fixture
def published(tmp_path: Path) -> Path:
    """Give a results folder of OLD; new.csv beside it holds NEW."""
    (tmp_path / "old.csv").write_text(OLD)
    (tmp_path / "new.csv").write_text(NEW)
    assert cli("run", tmp_path / "old.csv", "-o", tmp_path / "out").returncode == 0
    return tmp_path / "out"


def test_a_folder_holds_the_files_that_its_manifest_names(published: Path) -> None:
    """Nothing else, and nothing is left beside it."""
    assert {path.name for path in published.iterdir()} == {
        "scored.csv", "held.csv", "invalid.csv", "results.json", "coverage.json", "coverage.csv",
        "report.html", "manifest.json",
    }  # fmt: skip
    assert changes(published) == []
    assert beside(published) == set()


def test_a_run_that_is_killed_at_any_point(published: Path) -> None:
    """The old or the new results stand whole, and the next run puts right what is left."""
    new = published.with_name("new.csv")
    recovered = set()
    for nth in range(1, 200):
        killed = command(KILLED_AT, nth, "run", new, "-o", published, "--overwrite", "--to=csv")
        if killed.returncode == 0:
            break
        assert killed.returncode == -signal.SIGKILL
        old = published.with_name(".out.evalbatch-old")
        assert changes(published if published.exists() else old) == []
        again = cli(
            "run", published.with_name("old.csv"), "-o", published, "--overwrite", "--to=csv"
        )
        assert again.returncode == 0, again.stderr
        assert sheets.coverage(published)["total"] == 1
        assert changes(published) == []
        assert beside(published) == set()
        recovered |= {
            line.split(": ")[1] for line in again.stderr.splitlines() if "stopped" in line
        }
    assert nth > 10
    assert recovered == {
        "removed the unfinished results of a run that was stopped",
        "put back the earlier results that a stopped run had moved",
        "finished the exchange that a stopped run had begun",
    }


def test_a_full_disk_leaves_the_old_results(published: Path) -> None:
    """The run says so, exits 4, and leaves nothing behind."""
    limited = command(
        LIMITED, "run", published.with_name("new.csv"), "-o", published, "--overwrite"
    )
    assert limited.returncode == 4
    assert "could not be published: File too large" in limited.stderr
    assert "Traceback" not in limited.stderr
    assert sheets.coverage(published)["total"] == 1
    assert changes(published) == []
    assert beside(published) == set()


def test_two_runs_in_one_folder(published: Path) -> None:
    """The second one exits 3, and works once the first has ended."""
    arguments = ("run", published.with_name("new.csv"), "-o", published, "--overwrite")
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, published], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"held\n"
        second = cli(*arguments)
        first.communicate()
    assert second.returncode == 3
    assert "another run of evalbatch is writing it" in second.stderr
    assert cli(*arguments).returncode == 0


def test_an_existing_folder_is_kept_without_overwrite(published: Path) -> None:
    """And that is told before the sheet is read at all."""
    refused = cli("run", published.with_name("missing.csv"), "-o", published)
    assert refused.returncode == 2
    assert "--overwrite" in refused.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [("held.csv", "'held.csv' was changed"), ("notes.txt", "'notes.txt' was added")],
)
def test_a_reviewers_work_is_never_replaced(published: Path, name: str, message: str) -> None:
    """A changed or added file refuses --overwrite."""
    with (published / name).open("a") as file:
        file.write("typed by hand")
    refused = cli("run", published.with_name("new.csv"), "-o", published, "--overwrite")
    assert refused.returncode == 2
    assert message in refused.stderr
    assert (published / name).read_text().endswith("typed by hand")


def test_a_removed_file_is_told(published: Path) -> None:
    """It may have been moved away to be filled in."""
    (published / "held.csv").unlink()
    assert changes(published) == ["'held.csv' was removed"]


def test_a_folder_of_somebody_else_is_never_replaced(tmp_path: Path) -> None:
    """Not even an empty one."""
    (tmp_path / "new.csv").write_text(NEW)
    (tmp_path / "out").mkdir()
    refused = cli("run", tmp_path / "new.csv", "-o", tmp_path / "out", "--overwrite")
    assert refused.returncode == 2
    assert "evalbatch did not write it" in refused.stderr


def test_a_folder_that_cannot_be_written_beside(tmp_path: Path) -> None:
    """A missing parent is a slip of the hand; the run says so before it begins."""
    (tmp_path / "new.csv").write_text(NEW)
    refused = cli("run", tmp_path / "new.csv", "-o", tmp_path / "no" / "out")
    assert refused.returncode == 2
    assert "is no folder" in refused.stderr


def test_nothing_is_published_into_a_results_folder(published: Path) -> None:
    """Its own manifest would not know of it."""
    refused = cli("run", published / "scored.csv")
    assert refused.returncode == 2
    assert "is itself a results folder" in refused.stderr


def test_a_link_to_a_results_folder_stays_one(published: Path) -> None:
    """What it points to is replaced."""
    link = published.with_name("latest")
    link.symlink_to(published)
    done = cli("run", published.with_name("new.csv"), "-o", link, "--overwrite")
    assert done.returncode == 0, done.stderr
    assert link.is_symlink()
    assert sheets.coverage(published)["total"] == 501


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupted_run_leaves_the_old_results(published: Path) -> None:
    """Ctrl-C is no reason for a traceback."""
    program = KILLED_AT.replace("SIGKILL", "SIGINT")
    # Where the tests run in the background, the signal is ignored unless somebody heeds it.
    program = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)" + program
    stopped = command(
        program, 8, "run", published.with_name("new.csv"), "-o", published, "--overwrite"
    )
    assert stopped.returncode == 130
    assert "Traceback" not in stopped.stderr
    assert sheets.coverage(published)["total"] == 1
    assert beside(published) == set()


@pytest.mark.skipif(os.name == "nt", reason="names of POSIX")
def test_a_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    """It is written, read again and counted like any other."""
    (tmp_path / "old.csv").write_text(OLD)
    out = Path(os.fsdecode(os.fsencode(tmp_path) + b"/out\xff"))
    result = evalbatch.run(tmp_path / "old.csv", out, to=["csv", "json", "xlsx", "html"])
    assert result.coverage.scored == 1
    assert changes(out) == []
