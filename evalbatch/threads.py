"""Work on many parts of a sheet, on both cores and in order."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Part = TypeVar("Part")
Done = TypeVar("Done")

CORES = 2


def in_order(
    work: Callable[[Part], Done], parts: Iterable[Part], *, many: bool = True
) -> Iterator[Done]:
    """Give what `work` makes of each part; on several cores where there are many.

    No more is made ahead than what is at work, or all of it might wait in memory.
    """
    if not many:
        # Small sheets need no threads, and what is imported for them takes its time.
        yield from map(work, parts)
        return
    from concurrent.futures import ThreadPoolExecutor

    ahead: deque[Future[Done]] = deque()
    with ThreadPoolExecutor(CORES) as pool:
        try:
            for part in parts:
                ahead.append(pool.submit(work, part))
                if len(ahead) > CORES:
                    yield ahead.popleft().result()
            while ahead:
                yield ahead.popleft().result()
        finally:
            for one in ahead:
                one.cancel()


def meanwhile(work: Callable[[], Done], *, is_long: bool) -> Callable[[], Done]:
    """Begin some work beside what follows if it is long; what is returned gives what it made."""
    if not is_long:
        return work
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(1)
    future = pool.submit(work)
    pool.shutdown(wait=False)
    return future.result


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
