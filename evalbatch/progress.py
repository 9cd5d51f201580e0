"""How long work tells how far it is."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Takes what is being done, how much of it is done, and how much there is."""


def silent(doing: str, done: int, total: int) -> None:
    """Tell nobody."""
