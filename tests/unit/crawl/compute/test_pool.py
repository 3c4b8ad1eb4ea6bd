"""Computing beside the event loop, in a thread and in a process."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from math import inf
from pathlib import Path
from typing import TypeVar

import psutil
import pytest

from n8n_scraper.crawl.compute.pool import MOST_AHEAD_BYTES, SMALL_BYTES, Compute, ComputeLost
from tests.crawling import PROJECT, child, wait_until

T = TypeVar("T")


def computed(work: Callable[[Compute], Awaitable[T]], after: float = 0.0, **options: float) -> T:
    """Run a few computations; nothing of the process stays behind."""

    async def crawl() -> T:
        compute = Compute(after, **options)
        try:
            return await work(compute)
        finally:
            await compute.close()

    return asyncio.run(crawl())


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for yet does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


class Unspeakable(Exception):
    """An error that cannot travel."""

    def __init__(self, one: object, other: object) -> None:
        super().__init__("told in words")


def break_unspeakably() -> None:
    raise Unspeakable(1, threading.Lock())


def busy_for(seconds: float) -> None:
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def test_a_small_crawl_starts_no_process() -> None:
    async def a_little(compute: Compute) -> tuple[int, str]:
        name = (await compute.run(10_000, threading.current_thread)).name
        return await compute.run(10_000, os.getpid), name

    pid, thread = computed(a_little, after=0.4)

    assert pid == os.getpid()
    assert thread.startswith("compute")


def test_work_moves_to_a_process_when_that_is_worth_its_start() -> None:
    async def more_and_more(compute: Compute) -> list[int]:
        pids = [await compute.run(0, os.getpid)]
        await compute.run(0, busy_for, 0.1)
        # The thread goes on while the process starts
        while pids[-1] == os.getpid():
            pids.append(await compute.run(0, os.getpid))
            await asyncio.sleep(0.01)
        return [*pids, await compute.run(0, os.getpid)]

    first, second, *_, third, last = computed(more_and_more, after=0.05)

    assert first == second == os.getpid()
    assert third == last != first
    assert not is_alive(last)


def test_a_crawl_that_ends_while_the_process_starts_leaves_none_behind() -> None:
    async def end_early(compute: Compute) -> list[str]:
        await compute.run(0, busy_for, 0.1)
        await compute.run(0, os.getpid)
        await asyncio.sleep(0.05)
        return children()

    def children() -> list[str]:
        me = os.getpid()
        return Path(f"/proc/{me}/task/{me}/children").read_text().split()

    before = children()
    begun = computed(end_early, after=0.05)

    assert len(begun) == len(before) + 1
    assert children() == before


def test_what_is_large_goes_to_a_process_at_once() -> None:
    pid = computed(lambda compute: compute.run(8_000_000, os.getpid), after=0.4)

    assert pid != os.getpid()


def test_no_process_is_ever_started_where_none_is_wanted() -> None:
    assert computed(lambda compute: compute.run(10**9, os.getpid), after=inf) == os.getpid()


def test_what_is_small_is_done_here_and_now() -> None:
    async def small_and_not(compute: Compute) -> list[str]:
        threads = [
            await compute.run_small(size, threading.current_thread)
            for size in (SMALL_BYTES, SMALL_BYTES + 1)
        ]
        return [one.name for one in threads]

    here, elsewhere = computed(small_and_not, after=inf)

    assert here == "MainThread"
    assert elsewhere.startswith("compute")


def test_the_event_loop_goes_on_while_a_process_computes() -> None:
    async def beside(compute: Compute) -> int:
        ticks, busy = 0, asyncio.ensure_future(compute.run(0, time.sleep, 0.3))
        while not busy.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks

    assert computed(beside) >= 10


def test_an_error_comes_back_as_what_it_is_or_in_words() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        computed(lambda compute: compute.run(0, int, "x"))
    with pytest.raises(RuntimeError, match=r"Unspeakable\('told in words'\)"):
        computed(lambda compute: compute.run(0, break_unspeakably))


def test_a_process_that_dies_costs_one_result_and_is_replaced() -> None:
    async def with_a_death(compute: Compute) -> tuple[int, list[object]]:
        before = await compute.run(0, os.getpid)
        # Several wait while it dies
        works = [
            compute.run(0, signal.raise_signal, signal.SIGKILL),
            compute.run(0, os.getpid),
            compute.run(0, os.getpid),
        ]
        return before, await asyncio.gather(*works, return_exceptions=True)

    before, (lost, second, third) = computed(with_a_death)

    assert isinstance(lost, ComputeLost)
    assert str(lost) == "the process that computed it has ended with status -9"
    assert second == third != before


def test_the_next_is_sent_while_a_process_is_busy_and_large_ones_each_alone() -> None:
    def ahead(size: int) -> int:
        """How many of four the process was given before it has finished one."""

        async def four(compute: Compute) -> int:
            await compute.run(0, os.getpid)
            works = [asyncio.ensure_future(compute.run(size, time.sleep, 0.2)) for _ in range(4)]
            await asyncio.sleep(0.1)
            given = len(compute._running._given)  # type: ignore[union-attr]
            await asyncio.gather(*works)
            return given

        return computed(four)

    assert (ahead(1000), ahead(MOST_AHEAD_BYTES)) == (2, 1)


def test_what_was_sent_behind_something_that_never_ends_is_computed_by_the_next() -> None:
    async def behind_it(compute: Compute) -> tuple[int, list[object]]:
        before = await compute.run(0, os.getpid)
        compute.patience_seconds = 0.3
        works = [compute.run(0, time.sleep, 60), compute.run(0, os.getpid)]
        return before, await asyncio.gather(*works, return_exceptions=True)

    before, (lost, after) = computed(behind_it)

    assert str(lost) == "it took more than 0.3 s"
    assert after not in (before, os.getpid())


def test_who_does_not_wait_any_longer_takes_no_result_from_another() -> None:
    async def one_leaves(compute: Compute) -> list[object]:
        await compute.run(0, os.getpid)
        leaving = asyncio.ensure_future(compute.run(0, time.sleep, 60))
        staying = [asyncio.ensure_future(compute.run(0, abs, -number)) for number in range(3)]
        await asyncio.sleep(0.05)
        leaving.cancel()
        return await asyncio.gather(leaving, *staying, return_exceptions=True)

    left, *others = computed(one_leaves)

    assert isinstance(left, asyncio.CancelledError)
    assert others == [0, 1, 2]


def test_what_is_under_way_at_the_end_is_told_and_starts_no_other_process() -> None:
    async def end_in_the_middle(compute: Compute) -> list[object]:
        await compute.run(0, os.getpid)
        works = [asyncio.ensure_future(compute.run(0, time.sleep, 60)) for _ in range(2)]
        await asyncio.sleep(0.05)
        await compute.close()
        return await asyncio.gather(*works, return_exceptions=True)

    assert list(map(str, computed(end_in_the_middle))) == ["the crawl has ended"] * 2


def test_whoever_sees_first_that_a_process_died_blames_what_it_was_busy_with() -> None:
    async def seen_by_the_next(compute: Compute) -> list[object]:
        # Given a process that dies, and an event loop that has not heard of it yet
        pid = await compute.run(0, os.getpid)
        busy = asyncio.ensure_future(compute.run(0, time.sleep, 2))
        await asyncio.sleep(0.05)
        os.kill(pid, signal.SIGKILL)
        compute._running._transport.abort()  # type: ignore[union-attr]  # as a failed write does

        # When something else is to be computed
        compute._forget_a_dead_process()
        return await asyncio.gather(busy, compute.run(0, abs, -7), return_exceptions=True)

    lost, other = computed(seen_by_the_next)

    # Then only that is
    assert str(lost) == "the process that computed it has ended with status -9"
    assert other == 7


def test_what_does_not_come_to_an_end_is_ended() -> None:
    async def endless(compute: Compute) -> tuple[int, int]:
        before = await compute.run(0, os.getpid)
        compute.patience_seconds = 0.2
        with pytest.raises(ComputeLost, match=r"it took more than 0.2 s"):
            await compute.run(0, time.sleep, 60)
        compute.patience_seconds = 60
        return before, await compute.run(0, os.getpid)

    before, after = computed(endless)

    assert after != before
    assert not is_alive(before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_stops_the_crawl_does_not_stop_what_is_in_flight(
    number: signal.Signals,
) -> None:
    async def signalled(compute: Compute) -> tuple[int, int]:
        pid = await compute.run(0, os.getpid)
        os.kill(pid, number)
        return pid, await compute.run(0, os.getpid)

    before, after = computed(signalled)

    assert before == after


def test_it_dies_with_its_parent_however_that_dies() -> None:
    # Given a process that has things computed
    program = (
        "import asyncio, os\n"
        "from n8n_scraper.crawl.compute.pool import Compute\n"
        "async def crawl():\n"
        "    compute = Compute(0.0)\n"
        "    print(await compute.run(0, os.getpid), flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(crawl())\n"
    )
    with child([sys.executable, "-c", program], cwd=PROJECT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        computing = int(parent.stdout.readline())

        # When it is killed, then the other is gone as well
        parent.kill()
        wait_until(lambda: not is_alive(computing))


def test_without_a_process_a_thread_does_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    async def twice(compute: Compute) -> list[int]:
        return [await compute.run(0, os.getpid) for _ in range(2)]

    assert computed(twice) == [os.getpid()] * 2
    assert caplog.text.count("a thread does it") == 1


def test_one_that_died_with_nothing_to_do_costs_nothing() -> None:
    async def before_and_after(compute: Compute) -> tuple[int, int]:
        # Given a process that has ended between two computations
        first = await compute.run(0, os.getpid)
        os.kill(first, signal.SIGKILL)
        await asyncio.to_thread(wait_until, lambda: not is_alive(first))
        await asyncio.sleep(0.05)  # until the event loop has heard of it

        # When there is something to do again
        return first, await compute.run(0, os.getpid)

    first, second = computed(before_and_after)

    # Then another one does it
    assert second not in (first, os.getpid())


def test_who_waits_for_the_start_and_is_cancelled_takes_it_from_no_other() -> None:
    async def cancelled_then_again(compute: Compute) -> int:
        waiting = asyncio.ensure_future(compute.run(0, os.getpid))
        await asyncio.sleep(0.001)  # a process takes longer to start
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return await compute.run(0, os.getpid)

    assert computed(cancelled_then_again) != os.getpid()
