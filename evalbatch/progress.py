"""How long work tells how far it is."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Takes what is being done, how many rows are done, and how many there are; 0 if nobody knows."""


def silent(doing: str, done: int, total: int) -> None:
    """Tell nobody."""
