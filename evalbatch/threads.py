"""Work on the parts of a sheet, on both cores and in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Part = TypeVar("Part")
Done = TypeVar("Done")

# More threads were not measured: those of short numpy calls hinder each other.
CORES = 2


class Ahead(Generic[Done]):
    """Work that is begun in threads, and taken in the order in which it was put.

    To be used as a context, at whose end what has not begun is given up.
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        self._waiting: deque[Callable[[], Done]] = deque()

    def __enter__(self) -> "Ahead[Done]":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def is_full(self) -> bool:
        """Whether no core is idle: what is made ahead has to wait in memory."""
        return len(self) > (0 if self._pool is None else CORES)

    def put(self, work: Callable[[], Done], *, is_long: bool = True) -> None:
        """Begin some work; if it is not long, it is done when it is taken."""
        if is_long and self._pool is None:
            # Small sheets need no threads, and what is imported for them takes its time.
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(CORES)
        self._waiting.append(self._pool.submit(work).result if is_long and self._pool else work)

    def take(self) -> Done:
        """Give what the first work made that was not taken yet."""
        return self._waiting.popleft()()


def in_order(
    work: Callable[[Part], Done], parts: Iterable[Part], *, is_long: bool = True
) -> Iterator[Done]:
    """Give what `work` makes of each part, in several threads if that is long."""
    with Ahead[Done]() as ahead:
        for part in parts:
            ahead.put(partial(work, part), is_long=is_long)
            if ahead.is_full:
                yield ahead.take()
        while ahead:
            yield ahead.take()


def once(work: Callable[[], Done]) -> Callable[[], Done]:
    """Give a function that does some work when it is first called, whatever thread calls it."""
    lock = Lock()
    done: list[Done] = []

    def made() -> Done:
        with lock:
            if not done:
                done.append(work())
        return done[0]

    return made
