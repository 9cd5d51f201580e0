"""The notebooks: they run from top to bottom in a clean kernel, and show what they show."""

import ast
from pathlib import Path

import pytest

from tests import notebooks

_LARGEST = 20_000


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_a_notebook_shows_what_comes_out(path: Path, tmp_path: Path) -> None:
    """Its outputs are those of today; python -m tests.notebooks writes them anew."""
    assert notebooks.executed(path, tmp_path) == notebooks.read(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_a_notebook_can_be_read_in_a_diff(path: Path) -> None:
    """No pictures, no HTML, and not much of it."""
    assert path.stat().st_size < _LARGEST
    cells = notebooks.read(path).cells
    kinds = {
        kind
        for cell in cells
        for output in cell.get("outputs", ())
        for kind in output.get("data", ())
    }
    assert kinds <= {"text/plain"}


@pytest.mark.parametrize("path", notebooks.paths(), ids=lambda path: path.stem)
def test_a_notebook_holds_no_logic(path: Path) -> None:
    """What others would want to reuse belongs into the package, where it is tested."""
    source = "\n".join(
        cell.source for cell in notebooks.read(path).cells if cell.cell_type == "code"
    )
    kinds = {type(node) for node in ast.walk(ast.parse(source))}
    assert not kinds & {ast.FunctionDef, ast.ClassDef, ast.While, ast.Try}


def test_there_are_two() -> None:
    """One on a results folder, one on the history."""
    assert [path.name for path in notebooks.paths()] == ["history.ipynb", "results.ipynb"]
