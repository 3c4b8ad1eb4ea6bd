"""One reader for all who watch the same page, and what each of them is sent (server-sent events).

A watcher holds no queue: it knows the number of the last change that it was sent, and is sent what
is newer. So one that is slow, or comes back, is sent the newest state only, and memory stays flat.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from http import HTTPStatus
from itertools import count

from aiohttp import web

from n8n_scraper.core.errors import BadInput, StoreError
from n8n_scraper.serve.numbers import whole_number
from n8n_scraper.serve.problems import Problem

_log = logging.getLogger(__name__)

Make = Callable[[], Awaitable[Mapping[str, str]]]
"""Makes the live parts of a page anew."""

EVERY_SECONDS = 1.0
SHARE_OF_TIME = 10
"""A page whose making takes long is made less often: so many times as long lies in between."""
BEAT_SECONDS = 15.0
"""After so long without news a word is sent all the same, which finds out who has left."""
MOST_WATCHERS = 2_000
MOST_PAGES = 100
"""How many different pages are watched at once, at most."""
_COME_BACK_MS = 3_000


class Topic:
    """A page that is watched."""

    def __init__(self, make: Make, every_seconds: float, numbers: Iterator[int]) -> None:
        self.make = make
        self._numbers = numbers
        self.every_seconds = every_seconds
        self.watchers = 0
        self.number = 0
        """Rises with every change."""
        self.is_over = False
        self._parts: dict[str, tuple[int, str]] = {}
        self._told: asyncio.Event = asyncio.Event()

    def since(self, number: int) -> dict[str, str]:
        """Give the parts that have changed since a number."""
        return {name: text for name, (at, text) in self._parts.items() if at > number}

    def hear(self, parts: Mapping[str, str]) -> None:
        """Take in what the page shows now."""
        changed = {name: text for name, text in parts.items() if self._text(name) != text}
        if changed:
            self.number = next(self._numbers)
            self._parts |= {name: (self.number, text) for name, text in changed.items()}
            self._wake()

    def end(self) -> None:
        """Let all who watch go."""
        self.is_over = True
        self._wake()

    async def news(self) -> None:
        """Wait for a change, or for some time."""
        try:
            async with asyncio.timeout(BEAT_SECONDS):
                await self._told.wait()
        except TimeoutError:
            return

    async def read(self) -> None:
        """Make the page anew, again and again, for as long as it is watched."""
        loop = asyncio.get_running_loop()
        while self.watchers and not self.is_over:
            begun = loop.time()
            try:
                self.hear(await self.make())
            except (StoreError, BadInput, Problem) as error:
                _log.info("a page that is watched could not be made: %s", error)
            took = loop.time() - begun
            await asyncio.sleep(max(self.every_seconds, SHARE_OF_TIME * took))

    def _text(self, name: str) -> str | None:
        return self._parts[name][1] if name in self._parts else None

    def _wake(self) -> None:
        self._told.set()
        self._told = asyncio.Event()


class Streams:
    """All pages that are watched."""

    def __init__(self, every_seconds: float = EVERY_SECONDS) -> None:
        self.epoch = secrets.token_hex(4)
        """Tells the numbers of this process from those of another."""
        self.every_seconds = every_seconds
        self._numbers = count(1)
        self._topics: dict[str, Topic] = {}
        self._readers: dict[str, asyncio.Task[None]] = {}

    @property
    def watchers(self) -> int:
        """How many watch just now."""
        return sum(topic.watchers for topic in self._topics.values())

    def of(self, name: str, make: Make) -> Topic:
        """Give the page of this name, and begin to read it where nobody has watched it."""
        if self.watchers >= MOST_WATCHERS or (
            name not in self._topics and len(self._topics) >= MOST_PAGES
        ):
            raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "Too many watch already.")
        topic = self._topics.get(name)
        if topic is None:
            topic = self._topics[name] = Topic(make, self.every_seconds, self._numbers)
        topic.watchers += 1
        if name not in self._readers:
            self._readers[name] = asyncio.create_task(self._read(name, topic))
        return topic

    async def close(self) -> None:
        """Let all who watch go."""
        for topic in self._topics.values():
            topic.end()
        readers = list(self._readers.values())
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)

    async def _read(self, name: str, topic: Topic) -> None:
        try:
            await topic.read()
        except Exception:  # noqa: BLE001 - who watches is let go, and the log has it
            _log.exception("a page that is watched broke")
        finally:
            del self._topics[name], self._readers[name]
            topic.end()


STREAMS: web.AppKey[Streams] = web.AppKey("STREAMS", Streams)


async def keep_streams(app: web.Application) -> AsyncIterator[None]:
    """Have them for as long as the application runs."""
    app[STREAMS] = Streams()
    yield


async def end_streams(app: web.Application) -> None:
    """Let all who watch go, so that the application can stop at once."""
    await app[STREAMS].close()


async def stream(request: web.Request, topic: Topic) -> web.StreamResponse:
    """Send a watcher what is new, until it leaves or the application stops."""
    epoch = request.app[STREAMS].epoch
    seen = _last_seen(request, epoch)
    answer = web.StreamResponse(
        headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
    )
    try:
        await answer.prepare(request)
        await answer.write(f"retry: {_COME_BACK_MS}\n\n".encode())
        while not topic.is_over:
            parts, number = topic.since(seen), topic.number
            if parts:
                data = json.dumps(parts, ensure_ascii=False)
                await answer.write(f"id: {epoch}-{number}\ndata: {data}\n\n".encode())
                seen = number
            if topic.number <= seen:
                await topic.news()
            if topic.number <= seen:
                await answer.write(b": here\n\n")
    except ConnectionResetError:
        return answer  # it has left
    finally:
        topic.watchers -= 1
    return answer


def _last_seen(request: web.Request, epoch: str) -> int:
    of, _, number = request.headers.get("Last-Event-ID", "").partition("-")
    return (whole_number(number) or 0) if of == epoch else 0
