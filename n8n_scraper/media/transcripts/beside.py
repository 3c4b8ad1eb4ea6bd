"""Ask for videos while a crawl goes on, without it ever waiting for them."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from n8n_scraper.core.errors import StoreError
from n8n_scraper.core.transcript import Transcript, TranscriptOutcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.media.transcripts.video_host import HostIsResting, Stopped, VideoHost
from n8n_scraper.records import transcripts

T = TypeVar("T")
logger = logging.getLogger(__name__)

_WAITING_AT_MOST = 1000
"""Videos that wait in memory; what is beyond stays pending in the database."""


class BesideTheCrawl:
    """Asks for one video after the other in a thread of its own, and stores what comes.

    The database is the queue that counts: whatever is not asked for before the crawl ends, because
    the host rests or time is out, stays pending there.
    """

    def __init__(
        self,
        host: VideoHost,
        database: Database,
        ended: Callable[[Transcript], None] = lambda _: None,
        most: int = _WAITING_AT_MOST,
    ) -> None:
        self._host = host
        self._database = database
        self._ended = ended
        self._queue: asyncio.Queue[str] = asyncio.Queue(most)
        self._offered: set[str] = set()
        self._work: asyncio.Future[None] | None = None
        self.broke_off = False
        """Whether an error of our own has ended the asking."""

    def offer(self, video_ids: Iterable[str]) -> None:
        """Line up videos, each once."""
        if self._work is None:
            self._work = asyncio.ensure_future(self._ask_on())
        for video_id in video_ids:
            if video_id not in self._offered and not self._queue.full():
                self._offered.add(video_id)
                self._queue.put_nowait(video_id)

    async def finish(self, seconds: float) -> None:
        """Let what is lined up come, for so long; then leave."""
        if self._work is None:
            return
        all_done = asyncio.ensure_future(self._queue.join())
        await asyncio.wait(
            {all_done, self._work}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
        )
        self._host.stop()
        for one in (all_done, self._work):
            one.cancel()
        await asyncio.gather(all_done, self._work, return_exceptions=True)
        await asyncio.to_thread(self._host.close)

    async def _ask_on(self) -> None:
        try:
            while True:
                video_id = await self._queue.get()
                await self._ask(video_id)
                self._queue.task_done()
        except Stopped:
            return
        except StoreError as error:
            logger.warning("No more videos are asked for: %s", error)
        except Exception:
            self.broke_off = True
            logger.exception(
                "No more videos are asked for, because of an error of our own; they stay pending, "
                "and `scrapy transcripts` asks for them later."
            )

    async def _ask(self, video_id: str) -> None:
        try:
            transcript = await in_a_thread(lambda: self._host.fetch(video_id))
        except HostIsResting:
            return
        await self._database.run(lambda session: transcripts.store_noted(session, transcript))
        self._tell(transcript)

    def _tell(self, transcript: Transcript) -> None:
        self._ended(transcript)
        logger.debug("Video %s: %s", transcript.video_id, transcript.outcome)
        if transcript.outcome is TranscriptOutcome.BLOCKED:
            logger.warning(
                "The video host refuses to answer us (%s); it is left alone for %.0f s, and the "
                "videos stay pending. `scrapy transcripts` asks for them later.",
                *(transcript.reason, self._host.rests_for()),
            )


async def in_a_thread(work: Callable[[], T]) -> T:
    """Await work in a thread that nobody has to wait for when the process ends."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if answer.done():
            return  # nobody waits for it any more
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(result)  # type: ignore[arg-type] # work's own result

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as raised:  # noqa: BLE001 - it is raised where it is awaited
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=run, name="video host", daemon=True).start()
    return await answer
