"""Look whether something is wrong, and tell the outside, beside the crawl and never in its way."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Self

from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

from n8n_scraper.core.signals import run_left, run_started
from n8n_scraper.core.started import as_started
from n8n_scraper.crawl.outside import Watch, channels_of
from n8n_scraper.crawl.store import store_of
from n8n_scraper.etl.etl_settings import EtlSettings
from n8n_scraper.ledger import workers
from n8n_scraper.outbox import outbox
from n8n_scraper.outbox.message import MESSAGES
from n8n_scraper.outbox.sending import Sender

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from scrapy.crawler import Crawler

    from n8n_scraper.outbox.message import Standings
    from n8n_scraper.outbox.sending import Deliveries, Load

logger = logging.getLogger(__name__)

_LOOK_EVERY = 1.0  # seconds
_LOOK_AT_THE_END_EVERY = 0.25
_SENT_BY = {"etl": "send", "alerts": "check"}
_WORTH_WAITING = 2.0
"""For how many seconds the end of a crawl waits for the next message to be due."""


class Outside:
    """Sends by every channel that there is, also what earlier crawls have left.

    Where there is anybody to tell of it, it looks whether something is wrong. What cannot be sent
    by the end of the crawl stays in the database, and the log says how much.
    Settings: `OUTBOX_LAST_WAIT`, `ALERT_CHECK_SECONDS`, and those of each channel.
    """

    def __init__(self, crawler: Crawler) -> None:
        self.store = store_of(crawler)
        self.senders = [Sender(channel) for channel in channels_of(crawler.settings)]
        if not self.senders:
            raise NotConfigured
        self.watch = Watch(crawler)
        self.last_wait_seconds = EtlSettings.from_settings(crawler.settings).last_wait_seconds
        self._sending: dict[Sender, asyncio.Future[object]] = {}
        self._looking: asyncio.Future[None] | None = None
        self._clockwork = create_looping_call(self._look)
        crawler.signals.connect(self.run_started, run_started)
        crawler.signals.connect(self.run_left, run_left)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Listen to this crawl."""
        return cls(crawler)

    async def run_started(self) -> None:
        """Begin with what is left of earlier crawls."""
        for sender in self.senders:
            await self.store.run(sender.forget_old)
        self._clockwork.start(_LOOK_EVERY)

    async def run_left(self) -> None:
        """Send what the end has brought, for a while, and say what stays behind."""
        if not self._clockwork.running:
            return
        self._clockwork.stop()
        await asyncio.gather(*filter(None, [self._looking]))
        if self.watch.settings.in_use:
            await self._try(self.watch.look(also_coverage=True), "looking for what is wrong")
        deadline = time.monotonic() + self.last_wait_seconds
        await asyncio.gather(*(self._end(sender, deadline) for sender in self.senders))

    def _look(self) -> None:
        is_idle = self._looking is None or self._looking.done()
        if is_idle and self.watch.is_due():
            self._looking = asyncio.ensure_future(
                self._try(self.watch.look(), "looking for what is wrong")
            )
        for sender in self.senders:
            before = self._sending.get(sender)
            if before is None or before.done():
                self._sending[sender] = asyncio.ensure_future(self._try_to_send(sender))

    async def _try_to_send(self, sender: Sender) -> None:
        await self._try(self._send(sender), f"sending by {sender.channel.name}")

    async def _try(self, work: Awaitable[object], what: str) -> None:
        try:
            await self.store.unless_lost(work)
        except Exception:  # the crawl is not to suffer from it
            logger.exception("An error of our own while %s", what)

    async def _send(self, sender: Sender) -> None:
        while (load := await self.store.run(sender.take)) is not None:
            sent = await _beside(load)
            await self.store.run(partial(sender.settle, load=load, deliveries=sent))

    async def _end(self, sender: Sender, deadline: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout_at(_in_the_loop(deadline)):
                await asyncio.gather(*filter(None, [self._sending.get(sender)]))
                await self._send_the_rest(sender, deadline)
        stands = await self.store.unless_lost(self._stands(sender))
        if stands is not None and (stands.waiting or stands.given_up):
            logger.warning("%s", as_started(_words(sender, stands)))

    async def _send_the_rest(self, sender: Sender, deadline: float) -> None:
        while True:
            await self._try_to_send(sender)
            stands = await self.store.unless_lost(self._stands(sender))
            next_in = stands.next_in_seconds if stands is not None else None
            if next_in is None or next_in > min(_WORTH_WAITING, deadline - time.monotonic()):
                return
            await asyncio.sleep(max(_LOOK_AT_THE_END_EVERY, next_in))

    async def _stands(self, sender: Sender) -> Standings:
        return await self.store.run(
            lambda session: outbox.standings(session, sender.channel.name, workers.now(session))
        )


async def _beside(load: Load) -> Deliveries:
    """Carry messages in a thread that the end of the process does not wait for.

    A sending that is broken off so is in doubt, and the next sender asks what became of it.
    """
    loop = asyncio.get_running_loop()
    carried: asyncio.Future[Deliveries] = loop.create_future()

    def carry() -> None:
        try:
            tell = partial(_tell, carried, load.carry())
        except Exception as error:  # noqa: BLE001 - it is for who waits
            tell = partial(_fail, carried, error)
        with suppress(RuntimeError):  # the loop is gone, and with it whoever waits
            loop.call_soon_threadsafe(tell)

    threading.Thread(target=carry, name="outbox", daemon=True).start()
    return await carried


def _tell(carried: asyncio.Future[Deliveries], sent: Deliveries) -> None:
    if not carried.done():
        carried.set_result(sent)


def _fail(carried: asyncio.Future[Deliveries], error: Exception) -> None:
    if not carried.done():
        carried.set_exception(error)


def _in_the_loop(deadline: float) -> float:
    return asyncio.get_running_loop().time() + deadline - time.monotonic()


def _words(sender: Sender, stands: Standings) -> str:
    why = f" ({stands.last_error})" if stands.last_error else ""
    name, _, _ = sender.channel.name.partition("/")
    given_up = f", {stands.given_up} given up" if stands.given_up else ""
    unsent = MESSAGES.so_many(stands.waiting)
    return (
        f"{name}: {unsent} unsent{given_up}{why}; the next crawl sends what waits, and "
        f"so does `scrapy {name} {_SENT_BY[name]}`"
    )
