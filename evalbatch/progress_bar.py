"""How far a long command is, shown where somebody watches."""

import sys
import time
from typing import Any


class ProgressBar:
    """A progress bar on a terminal, once the work has taken more than a second."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._bar: Any = None

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def __call__(self, doing: str, done: int, total: int) -> None:
        """Show how far it is, as `Progress` tells it."""
        if not sys.stderr.isatty() or time.monotonic() - self._begun < 1:
            return
        if self._bar is None or self._bar.desc != f"{doing}: ":
            self._close()
            from tqdm import tqdm

            self._bar = tqdm(
                desc=doing,
                total=total or None,
                unit=" rows",
                unit_scale=True,
                leave=False,
                file=sys.stderr,
            )
        self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None
