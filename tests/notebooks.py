"""Notebooks run in a clean kernel; `python -m tests.notebooks` writes their outputs anew.

Outputs are kept as text alone: pictures and HTML would bury the changes that a diff should show.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

# It ships types for some of its functions only.
_FORMAT: Any = nbformat
FOLDER = Path(__file__).parent.parent / "notebooks"


def paths() -> list[Path]:
    """Name the notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Any:
    """Read a notebook."""
    return _FORMAT.read(path, as_version=4)


def executed(path: Path, folder: Path) -> Any:
    """Run a notebook from top to bottom in a kernel of its own, at work in a folder."""
    notebook = read(path)
    for cell in _code(notebook):
        cell.outputs, cell.execution_count = [], None
    NotebookClient(
        notebook, kernel_name="python3", timeout=300, resources={"metadata": {"path": str(folder)}}
    ).execute()
    for cell in _code(notebook):
        cell.metadata.pop("execution", None)
        cell.outputs = [_as_text(output) for output in cell.outputs]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook.metadata = _FORMAT.from_dict({"kernelspec": kernel})
    return notebook


def _code(notebook: Any) -> Iterator[Any]:
    return (cell for cell in notebook.cells if cell.cell_type == "code")


def _as_text(output: Any) -> Any:
    if "data" in output:
        output.data = {"text/plain": output.data["text/plain"]}
        output.metadata = {}
    return output


if __name__ == "__main__":
    import tempfile

    for one in paths():
        with tempfile.TemporaryDirectory() as empty:
            _FORMAT.write(executed(one, Path(empty)), one)
