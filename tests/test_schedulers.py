"""What the README tells schedulers: each example is run, as far as a machine has its scheduler."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.weekly.jobs import KEY, job

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="schedulers of POSIX")


def blocks(language: str) -> list[str]:
    """Give the README's blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def steps() -> list[str]:
    """Give the commands that the GitHub Actions job runs."""
    [workflow] = blocks("yaml")
    found = re.findall(r"^ +(?:- )?run: (\|\n(?: {10}.*\n)+|.*)$", workflow, re.MULTILINE)
    return [re.sub(r"^\|\n| {10}", "", step, flags=re.MULTILINE) for step in found]


@pytest.fixture
def evaluation(tmp_path: Path) -> Path:
    """Give the folder that the examples speak of: a job, its sheet, and an environment."""
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    command = tmp_path / ".venv" / "bin" / "evalbatch"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m evalbatch "$@"\n')
    command.chmod(0o755)
    job(tmp_path, '[[sheet]]\npath = "key.csv"\n', key=KEY)
    return tmp_path


def test_the_line_of_cron(evaluation: Path) -> None:
    """Five fields, then a command for sh, in which no per cent sign would end it."""
    [line] = blocks("crontab")
    minute, hour, day, month, weekday, command = line.split(maxsplit=5)
    assert (minute, hour, day, month, weekday) == ("0", "6", "*", "*", "1")
    assert "%" not in command
    command = command.replace("/srv/evaluation", shlex.quote(str(evaluation)))
    done = subprocess.run(
        ["/bin/sh", "-c", command],
        env={"PATH": "/usr/bin:/bin", "HOME": "/"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.startswith("1 of 1 sheet evaluated.")
    assert "run 1 recorded" in (evaluation / "weekly.log").read_text()


def test_the_units_of_systemd(evaluation: Path) -> None:
    """The service does what it says; both units are sound, where systemd is there to tell."""
    service, timer = (block.replace("/srv/evaluation", str(evaluation)) for block in blocks("ini"))
    settings = dict(re.findall(r"^(\w+)=(.*)$", service, re.MULTILINE))
    subprocess.run(
        shlex.split(settings["ExecStart"]),
        cwd=settings["WorkingDirectory"],
        env={},
        capture_output=True,
        check=True,
    )
    assert (evaluation / "history.sqlite").is_file()
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("the service was run; systemd is not here to verify the units")
    units = [evaluation / "evalbatch.service", evaluation / "evalbatch.timer"]
    for unit, text in zip(units, (service, timer), strict=True):
        unit.write_text(text)
    verified = subprocess.run(
        [analyze, "verify", *units], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0
    assert "evalbatch" not in verified.stderr
    [when] = re.findall("OnCalendar=(.*)", timer)
    subprocess.run([analyze, "calendar", when], capture_output=True, check=True)


def test_the_job_of_github_actions(evaluation: Path) -> None:
    """Its page is written, and the history is committed and pushed; again in the next week."""
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not here")
    _, evaluate, keep = steps()
    remote = evaluation.parent / "remote"
    clone = evaluation.parent / "clone"
    subprocess.run([git, "init", "-q", "--bare", remote], capture_output=True, check=True)
    subprocess.run([git, "clone", "-q", remote, clone], capture_output=True, check=True)
    for name in ("weekly.toml", "key.csv"):
        shutil.copy(evaluation / name, clone)
    environment = {
        "PATH": f"{evaluation / '.venv' / 'bin'}:{os.environ['PATH']}",
        "HOME": str(evaluation),
        "GITHUB_STEP_SUMMARY": str(evaluation / "page.md"),
    }
    for week in (1, 2):
        for step in (evaluate, keep):
            subprocess.run(
                ["bash", "-e", "-c", step],
                cwd=clone,
                env=environment,
                capture_output=True,
                check=True,
            )
        log = subprocess.run(
            [git, "-C", remote, "log", "--all", "--format=%s"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert log.stdout.split("\n")[:-1] == ["Record the week"] * week
        with (clone / "key.csv").open("a") as file:
            file.write("z,disputed,,\n")
    page = (evaluation / "page.md").read_text(encoding="utf-8")
    assert page.startswith("# weekly.toml\n\n**1 of 1 sheet evaluated.**\n")
    assert "Recorded as run 2" in page
