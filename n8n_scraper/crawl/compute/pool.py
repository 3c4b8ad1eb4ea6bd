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

_BYTES_A_SECOND = 2_500_000  # roughly, and rather too few
_PATIENCE_SECONDS = 120.0
_START_PATIENCE_SECONDS = 30.0


class ComputeLost(Exception):
    """The process that computed has ended in the middle of it, or did not come to an end."""


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

    What is computed must be a function of a module of ours, so that a process finds it.

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
        async with self._turn:
            if (process := await self._process_for(size)) is None:
                return await self._in_thread(function, *arguments)
            return cast("T", await self._in(process, function, *arguments))

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
                (await self._process).end()
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
        started = self._process
        if started is None or not started.done() or started.cancelled() or started.exception():
            return
        if started.result().has_ended:
            self._give_up(started.result())

    async def _in(self, process: ComputeProcess, *task: object) -> Any:
        try:
            async with asyncio.timeout(self.patience_seconds):
                return await process.do(*task)
        except TimeoutError:
            self._give_up(process)
            raise ComputeLost(f"it took more than {self.patience_seconds:g} s") from None
        except (ComputeLost, asyncio.CancelledError):
            self._give_up(process)
            raise

    def _give_up(self, process: ComputeProcess) -> None:
        """End a process that is of no use any more; the next thing to do starts another one."""
        process.end()
        self._process = None


class ComputeProcess(asyncio.Protocol):
    """A process that computes, at the other end of a socket."""

    def __init__(self, process: subprocess.Popen[bytes] | ForkedProcess) -> None:
        self.process = process
        self._frames = Frames()
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

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
        channel.setblocking(False)
        await asyncio.get_running_loop().create_connection(lambda: started, sock=channel)
        try:
            async with asyncio.timeout(_START_PATIENCE_SECONDS):
                if await started._answer != READY:
                    raise ComputeLost("it speaks another language")
        except BaseException:
            started.end()
            raise
        return started

    @property
    def has_ended(self) -> bool:
        """Whether nothing can be sent to it any more."""
        return self._transport is None or self._transport.is_closing()

    async def do(self, function: object, *arguments: object) -> Any:
        """Have something computed; raises what that raises, or ComputeLost."""
        assert self._transport is not None
        if self.has_ended:
            raise ComputeLost(self._how_it_ended())
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(frame((function, arguments)))
        went_well, result = await self._answer
        if not went_well:
            raise result
        return result

    def end(self) -> None:
        """End it at once, whatever it does."""
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
            if not self._answer.done():
                self._answer.set_result(answer)

    def connection_lost(self, error: Exception | None) -> None:
        """Hear that it is no more."""
        if not self._answer.done():
            self._answer.set_exception(ComputeLost(self._how_it_ended()))
            self._answer.exception()  # perhaps nobody waits for it

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
