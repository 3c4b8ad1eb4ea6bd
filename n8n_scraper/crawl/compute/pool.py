"""Do pure work where it does not hold up the event loop, and on another core.

Where a crawl can fork one before it begins, a process costs next to nothing and does it all.
Elsewhere one is worth its start only where there is enough to do. So work is done in a thread until
there has been some, and in a process from then on: a small crawl pays nothing. The start takes
longer than that, but on the other core, while the thread's work holds up the event loop.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import subprocess
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from n8n_scraper.core.typed_settings import Given, TypedSettings, seconds
from n8n_scraper.crawl.compute.forked import ForkedProcess, can_fork, fork
from n8n_scraper.crawl.compute.frames import Frames, frame
from n8n_scraper.crawl.compute.process import READY
from n8n_scraper.crawl.compute.starting import start
from n8n_scraper.crawl.per_crawler import PerCrawler

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

T = TypeVar("T")
logger = logging.getLogger(__name__)

SMALL_BYTES = 128 * 1024
"""What can be read in a few milliseconds; sending it elsewhere would take as long."""

MOST_AHEAD_BYTES = 1024 * 1024
"""How much may be sent to a process while it is busy with something else."""

_BYTES_A_SECOND = 2_500_000  # roughly, and rather too few
_PATIENCE_SECONDS = 120.0
_START_PATIENCE_SECONDS = 30.0


class ComputeLost(Exception):
    """The process that computed has ended in the middle of it, or did not come to an end."""


class _NotBegun(Exception):
    """A process has ended with something else before it came to this, which another one can do."""


_NO_PROCESS = (OSError, ComputeLost, TimeoutError)


@dataclass(frozen=True, slots=True)
class ComputeSettings(TypedSettings):
    """From when on a process of its own reads the answers."""

    process_after_seconds: float

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `COMPUTE_PROCESS_AFTER`; `inf` is never."""
        return cls(seconds(settings, "COMPUTE_PROCESS_AFTER", most=inf))


class Compute:
    """Computes in a thread or in a process, one thing at a time.

    The next one is sent while a process is busy, so that it never waits for us. What is computed
    must be a function of a module of ours, so that a process finds it.

    Settings: `COMPUTE_PROCESS_AFTER`.
    """

    def __init__(
        self, process_after_seconds: float, *, patience_seconds: float = _PATIENCE_SECONDS
    ) -> None:
        self.process_after_seconds = process_after_seconds
        self.patience_seconds = patience_seconds
        self._spent = 0.0
        self._forked: tuple[ForkedProcess, socket.socket] | None = None
        self._process: asyncio.Future[ComputeProcess] | None = None
        self._turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="compute")

    def fork(self) -> None:
        """Have a process at hand from the beginning, if one is wanted and can be had so early."""
        if self.process_after_seconds < inf and can_fork():
            with suppress(OSError):  # then one is started when there is enough to do
                self._forked = fork()

    async def run(self, size: int, function: Callable[..., T], *arguments: object) -> T:
        """Compute something out of so many bytes."""
        while True:
            with suppress(_NotBegun):
                async with self._turn:
                    if (process := await self._process_for(size)) is None:
                        return await self._in_thread(function, *arguments)
                    await process.room_for(size)
                    task = process.send(size, function, *arguments)
                return cast("T", await self._answer(process, task))

    async def run_small(self, size: int, function: Callable[..., T], *arguments: object) -> T:
        """Compute something here and now where it is too small to be sent anywhere."""
        if size <= SMALL_BYTES:
            return function(*arguments)
        return await self.run(size, function, *arguments)

    async def close(self) -> None:
        """Let the process end."""
        if self._forked is not None:  # there was nothing to do
            process, channel = self._forked
            channel.close()
            process.kill()
            process.wait()
            self._forked = None
        if self._process is not None:
            self._process.cancel()
            with suppress(*_NO_PROCESS, asyncio.CancelledError):
                (await self._process).end(ComputeLost("the crawl has ended"))
            self._process = None
        self._thread.shutdown(wait=False)

    async def _in_thread(self, function: Callable[..., T], *arguments: object) -> T:
        def timed() -> T:
            began = time.thread_time()
            try:
                return function(*arguments)
            finally:
                self._spent += time.thread_time() - began

        return await asyncio.get_running_loop().run_in_executor(self._thread, timed)

    async def _process_for(self, size: int) -> ComputeProcess | None:
        """Give the process if this is for one; while it starts, the thread goes on."""
        self._forget_a_dead_process()
        if self._forked is not None:
            (process, channel), self._forked = self._forked, None
            self._process = asyncio.ensure_future(ComputeProcess.over(channel, process))
            await asyncio.wait([self._process])
        seconds = size / _BYTES_A_SECOND
        if self._process is None:
            if self._spent + seconds < self.process_after_seconds:
                return None
            self._process = asyncio.ensure_future(ComputeProcess.start())
        if not self._process.done() and seconds < self.process_after_seconds:
            return None
        try:
            return await asyncio.shield(self._process)  # which others may wait for as well
        except _NO_PROCESS as error:
            logger.warning("No process to compute in (%r): a thread does it", error)
            self.process_after_seconds, self._process = inf, None
            return None

    def _forget_a_dead_process(self) -> None:
        """Let one that has ended with nothing to do cost nothing but the start of another."""
        if (running := self._running) is not None and running.has_ended:
            self._give_up(running)

    async def _answer(self, process: ComputeProcess, task: _Task) -> Any:
        try:
            await task.begins()
            async with asyncio.timeout(self.patience_seconds):
                went_well, result = await task.answer
        except TimeoutError:
            self._give_up(process)
            raise ComputeLost(f"it took more than {self.patience_seconds:g} s") from None
        except (ComputeLost, asyncio.CancelledError):
            self._give_up(process)
            raise
        if not went_well:
            raise result
        return result

    def _give_up(self, process: ComputeProcess) -> None:
        """End a process that is of no use any more; the next thing to do starts another one."""
        process.end(_NotBegun())
        if self._running is process:  # and not one that was started since
            self._process = None

    @property
    def _running(self) -> ComputeProcess | None:
        """The process, as soon as it has started."""
        started = self._process
        if started is None or not started.done() or started.cancelled() or started.exception():
            return None
        return started.result()


@dataclass(frozen=True, slots=True)
class _Task:
    """Something that a process was given to compute."""

    size: int
    answer: asyncio.Future[Any]
    before: asyncio.Future[Any] | None = None
    """The answer to what it computes first."""

    async def begins(self) -> None:
        """Wait until the process has come to it."""
        if self.before is not None:
            await asyncio.wait([self.before])


class ComputeProcess(asyncio.Protocol):
    """A process that computes, at the other end of a socket."""

    def __init__(self, process: subprocess.Popen[bytes] | ForkedProcess) -> None:
        self.process = process
        self._frames = Frames()
        self._transport: asyncio.Transport | None = None
        self._given: deque[_Task] = deque()

    @classmethod
    async def start(cls) -> ComputeProcess:
        """Start an interpreter for one and wait until it is ready."""
        process, ours = start()
        return await cls.over(ours, process)

    @classmethod
    async def over(
        cls, channel: socket.socket, process: subprocess.Popen[bytes] | ForkedProcess
    ) -> ComputeProcess:
        """Connect to one and wait until it is ready."""
        started = cls(process)
        ready = started._give(0)
        channel.setblocking(False)
        await asyncio.get_running_loop().create_connection(lambda: started, sock=channel)
        try:
            async with asyncio.timeout(_START_PATIENCE_SECONDS):
                if await ready.answer != READY:
                    raise ComputeLost("it speaks another language")
        except BaseException:
            started.end(_NotBegun())
            raise
        return started

    @property
    def has_ended(self) -> bool:
        """Whether nothing can be sent to it any more."""
        return self._transport is None or self._transport.is_closing()

    async def room_for(self, size: int) -> None:
        """Wait until it may be sent so much: next to something small, or for itself."""
        while self._given and not self._has_room(size):
            await asyncio.wait([self._given[0].answer])

    def send(self, size: int, function: object, *arguments: object) -> _Task:
        """Give it something to compute, behind what it has already."""
        if self._transport is None or self.has_ended:
            raise _NotBegun
        self._transport.write(frame((function, arguments)))
        return self._give(size)

    def end(self, error: Exception) -> None:
        """End it at once, whatever it does; who waits for an answer gets the error instead."""
        if self.has_ended:
            self._blame()
        while self._given:
            self._fail(error)
        if self._transport is not None:
            self._transport.abort()
        self.process.kill()
        self.process.wait()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember the way to it."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Hear what it has computed."""
        for answer in self._frames.feed(data):
            task = self._given.popleft()
            if not task.answer.done():  # or nobody waits for it any more
                task.answer.set_result(answer)

    def connection_lost(self, error: Exception | None) -> None:
        """Hear that it is no more."""
        self._blame()

    def _blame(self) -> None:
        """Say of what it was busy with that it has ended the process; of the rest that it did not.

        It may be seen by what cannot be sent any more before the event loop tells of it.
        """
        if self._given:
            self._fail(ComputeLost(self._how_it_ended()))
        while self._given:
            self._fail(_NotBegun())

    def _has_room(self, size: int) -> bool:
        return len(self._given) == 1 and self._given[0].size + size <= MOST_AHEAD_BYTES

    def _give(self, size: int) -> _Task:
        before = self._given[-1].answer if self._given else None
        task = _Task(size, asyncio.get_running_loop().create_future(), before)
        self._given.append(task)
        return task

    def _fail(self, error: Exception) -> None:
        answer = self._given.popleft().answer
        if not answer.done():
            answer.set_exception(error)
            answer.exception()  # perhaps nobody waits for it

    def _how_it_ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(1)
        return f"the process that computed it has ended with status {self.process.returncode}"


def _of_crawl(crawler: Crawler) -> Compute:
    from scrapy import signals

    compute = Compute(ComputeSettings.from_settings(crawler.settings).process_after_seconds)
    crawler.signals.connect(compute.close, signals.engine_stopped, weak=False)
    return compute


compute_of: PerCrawler[Compute] = PerCrawler(_of_crawl)
"""Where the parts of a crawl have things computed."""
