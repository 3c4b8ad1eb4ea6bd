"""Hear what a page asks for by itself: whether it rests, and which data came."""

from __future__ import annotations

import asyncio
from typing import Any

from playwright.async_api import Error, Page, Request, Response

QUIET_SECONDS = 0.3
"""A page that has asked for nothing for so long rests."""
MOST_BYTES = 2 * 1024 * 1024
"""The body of a larger answer is not kept."""
MOST_ANSWERS = 50

_DATA = ("xhr", "fetch")
_ENDLESS = ("websocket", "eventsource", "ping")


class Traffic:
    """Counts what is under way, and keeps the answers that a page has its data from."""

    def __init__(self, page: Page) -> None:
        self.page: Response | None = None
        """The last answer that was a page of its own, and no redirect."""
        self._tab = page
        self._under_way: set[Request] = set()
        self._changed = asyncio.Event()
        self._reading: list[asyncio.Future[dict[str, Any] | None]] = []
        self._listeners = {
            "request": self._begun,
            "response": self._answered,
            "requestfinished": self._finished,
            "requestfailed": self._failed,
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)  # type: ignore[call-overload]  # one of many words

    def stop(self) -> None:
        """Hear no more."""
        for event, listener in self._listeners.items():
            self._tab.remove_listener(event, listener)
        for reading in self._reading:
            reading.cancel()

    async def rests(self, seconds: float) -> bool:
        """Wait until nothing has been under way for a while; False when it never came to that."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while (left := end - loop.time()) > 0:
            self._changed.clear()
            quiet = QUIET_SECONDS if not self._under_way else left
            try:
                await asyncio.wait_for(self._changed.wait(), min(quiet, left))
            except TimeoutError:
                if not self._under_way:
                    return True
        return False

    async def data(self, seconds: float) -> list[dict[str, Any]]:
        """Give the answers that were data, in their order, as far as they are there in time."""
        if not self._reading:
            return []
        done, _ = await asyncio.wait(self._reading, timeout=seconds)
        return [found for one in self._reading if one in done and (found := one.result())]

    def _begun(self, request: Request) -> None:
        if request.resource_type not in _ENDLESS:
            self._under_way.add(request)
            self._changed.set()

    def _answered(self, response: Response) -> None:
        request = response.request
        is_redirect = 300 <= response.status < 400
        if is_redirect or not request.is_navigation_request():
            return
        if request.frame == self._tab.main_frame:
            self.page = response

    def _finished(self, request: Request) -> None:
        self._over(request)
        if request.resource_type in _DATA and len(self._reading) < MOST_ANSWERS:
            self._reading.append(asyncio.ensure_future(_read(request)))

    def _failed(self, request: Request) -> None:
        self._over(request)

    def _over(self, request: Request) -> None:
        self._under_way.discard(request)
        self._changed.set()


async def _read(request: Request) -> dict[str, Any] | None:
    """Read an answer; None where the browser has it no more."""
    try:
        response = await request.response()
        if response is None:
            return None
        size = (await request.sizes())["responseBodySize"]
        body = await response.body() if size <= MOST_BYTES else None
    except Error:
        return None
    kept = body if body is not None and len(body) <= MOST_BYTES else None
    return {
        "url": response.url,
        "method": request.method,
        "status": response.status,
        "content_type": response.headers.get("content-type", ""),
        "body": kept,
    }
