"""Work in several threads: in order, no more ahead than there are cores, and once where asked."""

import threading
from collections.abc import Iterator

import pytest

from evalbatch.threads import CORES, Ahead, in_order, once


@pytest.mark.parametrize("is_long", [True, False])
def test_what_is_made_comes_in_the_order_of_the_parts(is_long: bool) -> None:
    """Whichever is ready first."""
    later = threading.Event()

    def work(part: int) -> int:
        if is_long and part == 0:
            # The first is made last of all that may run beside it.
            assert later.wait(10)
        if part == 1:
            later.set()
        return part * part

    assert list(in_order(work, range(20), is_long=is_long)) == [part * part for part in range(20)]


@pytest.mark.parametrize(("is_long", "most"), [(True, CORES + 1), (False, 1)])
def test_no_more_is_taken_than_is_at_work(is_long: bool, most: int) -> None:
    """Or all of a sheet might wait in memory."""
    taken: list[int] = []

    def parts() -> Iterator[int]:
        for part in range(20):
            taken.append(part)
            yield part

    for done in in_order(lambda part: part, parts(), is_long=is_long):
        assert len(taken) - done <= most


@pytest.mark.parametrize("is_long", [True, False])
def test_what_work_raises_is_raised_where_it_is_taken(is_long: bool) -> None:
    """And what is before it comes first."""
    made = in_order(lambda part: 6 // part, [3, 2, 0, 1], is_long=is_long)
    assert [next(made), next(made)] == [2, 3]
    with pytest.raises(ZeroDivisionError):
        next(made)


def test_work_that_is_not_long_waits_until_it_is_taken() -> None:
    """It needs no thread."""
    waiting = ["work"]
    with Ahead[str]() as ahead:
        ahead.put(waiting.pop, is_long=False)
        assert waiting == ["work"]
        assert ahead.take() == "work"


def test_what_is_wanted_by_several_threads_is_made_once() -> None:
    """The others wait for it."""
    together = threading.Barrier(4)
    made: list[object] = []
    given: list[object] = []

    def work() -> object:
        made.append(object())
        return made[-1]

    wanted = once(work)

    def want() -> None:
        together.wait(10)
        given.append(wanted())

    threads = [threading.Thread(target=want) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(10)
    assert len(made) == 1
    assert given == made * 4
