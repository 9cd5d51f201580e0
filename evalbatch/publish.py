"""The results folder: published whole or not at all, and never over somebody's work.

Results are written beside their final place, and renamed into it once they are complete. A manifest
of digests tells a folder that evalbatch wrote, and whether anything in it has changed since.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from evalbatch.errors import EvalbatchError, PublishError
from evalbatch.lock import locked
from evalbatch.words import listed, shown

MANIFEST = "manifest.json"


@dataclass(slots=True)
class ResultsFolder:
    """A results folder that this run holds; `say` is told what of an earlier run was put right."""

    path: Path
    overwrite: bool
    say: Callable[[str], None]

    @property
    def _new(self) -> Path:
        return self.path.with_name(f".{self.path.name}.evalbatch-new")

    @property
    def _old(self) -> Path:
        return self.path.with_name(f".{self.path.name}.evalbatch-old")

    @property
    def _discarded(self) -> Path:
        return self.path.with_name(f".{self.path.name}.evalbatch-discarded")

    def publish(self, write: Callable[[Path], None]) -> None:
        """Let `write` fill a new folder, and put it in the place of the old one.

        Raises PublishError where that cannot be done; the old results then stand as they were.
        """
        try:
            self._new.mkdir()
            write(self._new)
            _write_manifest(self._new)
            self._swap()
        except OSError as error:
            raise PublishError(
                f"{self.path}: the results could not be published: "
                f"{error.strerror or error}. Earlier results, if any, stand as they were."
            ) from error
        finally:
            shutil.rmtree(self._new, ignore_errors=True)

    def recover(self) -> None:
        """Put right what a killed run left beside the folder."""
        if self._discarded.exists():
            shutil.rmtree(self._discarded)
        if self._new.exists():
            shutil.rmtree(self._new)
            self.say(f"{self.path}: removed the unfinished results of a run that was stopped")
        if _written(self._old) is not None:
            if self.path.exists():
                self._remove_old()
                self.say(f"{self.path}: finished the exchange that a stopped run had begun")
            else:
                self._old.rename(self.path)
                self.say(f"{self.path}: put back the earlier results that a stopped run had moved")

    def check(self) -> None:
        """Refuse to write over anything but unchanged results, and over those unless told to."""
        if not (self.path.exists() or self.path.is_symlink()):
            return
        if _written(self.path) is None:
            raise EvalbatchError(
                f"{self.path} exists, and evalbatch did not write it; choose another with -o."
            )
        if not self.overwrite:
            raise EvalbatchError(
                f"{self.path} holds earlier results; replace them with --overwrite, or choose "
                "another folder with -o."
            )
        changed = changes(self.path)
        if changed:
            raise EvalbatchError(
                f"{self.path} has changed since evalbatch wrote it ({listed(changed, 5)}), and "
                "is not replaced, for that may be a reviewer's work. Move it away, or choose "
                "another folder with -o."
            )

    def _swap(self) -> None:
        if not self.path.exists():
            self._new.rename(self.path)
            return
        self.path.rename(self._old)
        # Somebody may have saved into the folder while this run was at work.
        changed = changes(self._old)
        if changed:
            self._old.rename(self.path)
            raise PublishError(
                f"{self.path} was changed during the run ({listed(changed, 5)}), and is not "
                "replaced. Move it away and run again."
            )
        try:
            self._new.rename(self.path)
        except OSError:
            self._old.rename(self.path)
            raise
        self._remove_old()

    def _remove_old(self) -> None:
        if changes(self._old):
            raise PublishError(
                f"{self._old} holds earlier results that were changed; move them to where they "
                "belong, and run again."
            )
        # A folder that is half removed must not look like one that somebody has changed.
        self._old.rename(self._discarded)
        shutil.rmtree(self._discarded)


@contextmanager
def hold(path: Path, *, overwrite: bool, say: Callable[[str], None]) -> Iterator[ResultsFolder]:
    """Hold a results folder for one run, before anything is evaluated.

    Raises EvalbatchError for a folder that must not be replaced, FolderBusyError while another run
    holds it, PublishError where nothing can be written beside it.
    """
    # Beside the real folder, not beside a link to it: a rename works on one file system only.
    path = path.resolve()
    if not path.name:
        raise EvalbatchError(f"{path} cannot be a results folder; choose another with -o.")
    for parent in path.parents:
        if _written(parent) is not None:
            raise EvalbatchError(
                f"{parent} is itself a results folder, which has to stay as it was written; "
                "choose a folder outside of it with -o."
            )
    if not path.parent.is_dir():
        raise EvalbatchError(f"{path.parent} is no folder; create it, or choose another with -o.")
    folder = ResultsFolder(path, overwrite, say)
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(path.with_name(f".{path.name}.evalbatch-lock"), str(path)))
            folder.recover()
        except OSError as error:
            raise PublishError(
                f"{path}: nothing can be written beside it: {error.strerror or error}. Make room, "
                "or choose another folder with -o."
            ) from error
        folder.check()
        yield folder


def changes(folder: Path) -> list[str]:
    """Name what was changed, added or removed in a folder since evalbatch wrote it."""
    written = _written(folder)
    if written is None:
        return [f"{MANIFEST} cannot be read"]
    found = set(_files(folder)) - {MANIFEST}
    added = [f"{shown(name)} was added" for name in sorted(found - set(written))]
    removed = [f"{shown(name)} was removed" for name in sorted(set(written) - found)]
    changed = [
        f"{shown(name)} was changed"
        for name in sorted(found & set(written))
        if not (folder / name).is_file() or _digest(folder / name) != written[name]
    ]
    return [*added, *removed, *changed]


def edited(folder: Path) -> list[str]:
    """Name the files of a results folder that are not as evalbatch wrote them.

    The folder of a candidate has its digests in the folder around it. Without digests nothing can
    be told, and nothing is named.
    """
    for owner in (folder, folder.parent):
        written = _written(owner)
        if written is not None:
            names = {path.name: path.relative_to(owner).as_posix() for path in folder.iterdir()}
            return [
                name
                for name, whole in sorted(names.items())
                if whole in written and _digest(owner / whole) != written[whole]
            ]
    return []


def is_results_folder(folder: Path) -> bool:
    """Tell whether evalbatch wrote a folder, whatever has changed in it since."""
    return _written(folder) is not None


def _written(folder: Path) -> dict[str, str] | None:
    """Give the digests of what evalbatch wrote into a folder; None for any other folder."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(manifest, dict) or manifest.get("written_by") != "evalbatch":
        return None
    files = manifest.get("files")
    return files if isinstance(files, dict) else {}


def _files(folder: Path) -> list[str]:
    """Name all files in a folder and in those within it."""
    paths = [path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()]
    return sorted(path.relative_to(folder).as_posix() for path in paths)


def _write_manifest(folder: Path) -> None:
    files = {name: _digest(folder / name) for name in _files(folder)}
    text = json.dumps({"written_by": "evalbatch", "files": files}, indent=2)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
