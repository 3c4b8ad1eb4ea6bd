"""Fetch the pictures of stored items, at the crawl's own pace."""

from __future__ import annotations

import asyncio
import logging
from io import BytesIO
from typing import TYPE_CHECKING, Any, NoReturn, Self

from scrapy import Request
from scrapy.exceptions import DownloadCancelledError, IgnoreRequest, NotConfigured
from scrapy.http.request import NO_CALLBACK
from scrapy.pipelines.files import FilesPipeline
from scrapy.utils.defer import ensure_awaitable

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.errors import ProxyFailed
from n8n_scraper.core.signals import circuit_opened
from n8n_scraper.core.web_address import is_web_address
from n8n_scraper.crawl.pacing import Paces, paces_of
from n8n_scraper.crawl.sourced import domains_of_crawl, source_of_crawl
from n8n_scraper.crawl.stopping import Stopped, is_stopping
from n8n_scraper.crawl.store import CrawlStore, store_of
from n8n_scraper.media.picture_files import NoPicture, can_look, delete_files, look_into, read_text
from n8n_scraper.media.picture_settings import PictureSettings
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.records import pictures
from n8n_scraper.records.indexing import save_pictures

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure

    from n8n_scraper.core.source import Source
    from n8n_scraper.policies.pace.pace import Pace

logger = logging.getLogger(__name__)

_LARGEST = 20 * 1024 * 1024
# From the request until it is stored, each may have as many bytes as the largest.
_MOST_IN_HAND = 8
_UNTIL_A_PLACE_IS_FREE = 0.25
_TOO_LONG = f"not asked: its address has more than {pictures.LONGEST_ADDRESS:,} characters"
# A stop, or a circuit's probe, can end a wait early.
_LONGEST_SLEEP = 1.0
_SPEAKING = (IgnoreRequest, DownloadCancelledError, ProxyFailed)
"""What says in words of its own why there is no picture."""


class PicturesPipeline(FilesPipeline):
    """Fetch what an item shows, once it is stored: a picture that fails costs it nothing.

    Every request waits for its turn, and passes the throttle. A host of pictures that keeps
    failing is left alone for the rest of the crawl, and its circuit never holds up the site's own.

    Settings: `DOWNLOAD_PICTURES`, `PICTURES_DIR`. Stats: `images/stored`, `images/failed`.
    """

    def __init__(self, folder: str, store: CrawlStore, paces: Paces, crawler: Crawler) -> None:
        super().__init__(folder, crawler=crawler)
        self.folder = folder
        self.crawl_store = store
        self.paces = paces
        self.own_domains = domains_of_crawl(crawler)
        self._found: dict[str, dict[str, Any]] = {}
        self._left_alone: set[str] = set()
        self._in_hand: set[Request] = set()
        crawler.signals.connect(self.circuit_opened, circuit_opened)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Take part only where pictures are wanted."""
        settings = PictureSettings.from_settings(crawler.settings)
        if not settings.wanted:
            raise NotConfigured
        if not can_look():  # `scrapy crawl` has refused this before; other commands do not check
            raise NotConfigured("pictures need Pillow: pip install -r requirements-images.txt")
        return cls(settings.folder, store_of(crawler), paces_of(crawler), crawler)

    async def process_item(self, item: object, spider: object = None) -> object:
        """Fetch the pictures of an item, and note what came of each."""
        source = source_of_crawl(self.crawler)
        kind = source.kind() if source else None
        if source and kind and kind.pictures and isinstance(item, kind.item):
            urls, item_id = kind.pictures(item), str(source.id_of(item))
            if urls:  # the item itself is stored, whatever becomes of these
                await self.crawl_store.unless_lost(self._fetch(source, item_id, urls))
        return item

    async def _fetch(self, source: Source, item_id: str, urls: list[str]) -> None:
        stored = await self.crawl_store.run(lambda session: pictures.known(session, urls))
        wanted = [url for url in urls if url not in stored and self._may_be_asked(url)]
        await super().process_item([url for url in wanted if len(url) <= pictures.LONGEST_ADDRESS])
        too_long = [pictures.key_of(url) for url in wanted if len(url) > pictures.LONGEST_ADDRESS]
        for key in too_long:
            self._note(key, reason=_TOO_LONG)
        rows = [self._found.pop(url) for url in (*wanted, *too_long) if url in self._found]
        if rows:
            unwanted = await self.crawl_store.run(
                lambda session: save_pictures(session, source, item_id, rows)
            )
            if left := delete_files(self.folder, unwanted):
                logger.warning("Taken down, but not deleted here: %s", ", ".join(left))

    def get_media_requests(self, item: Any, info: Any) -> list[Request]:
        """One request a picture; its answer may be large, but not without end."""
        meta = {"download_maxsize": _LARGEST}
        return [Request(url, meta=dict(meta), callback=NO_CALLBACK) for url in item]

    async def media_to_download(  # type: ignore[override]  # Scrapy awaits what it gets
        self, request: Request, info: Any, *, item: Any = None
    ) -> Any:
        """Wait for the picture's turn here, where that holds no place of the crawl's.

        None lets it go, anything else stands for the picture.
        """
        pace = self.paces.of(request)
        leaving = self.paces.on_their_way(pace)
        while (wait := self._wait(pace, ahead=len(leaving))) > 0:
            if is_stopping(self.crawler):
                self._note(request.url, reason=str(Stopped()))
                return {"status": "stopped"}
            await self.paces.news(min(wait, _LONGEST_SLEEP))
        leaving.add(request)
        self._in_hand.add(request)
        return None

    def _wait(self, pace: Pace, ahead: int) -> float:
        if len(self._in_hand) >= _MOST_IN_HAND:
            return _UNTIL_A_PLACE_IS_FREE
        wait = self.paces.wait(pace, ahead=ahead)
        return _LONGEST_SLEEP if wait is None else wait

    async def media_downloaded(
        self, response: Response, request: Request, info: Any, *, item: Any = None
    ) -> Any:
        """Store a picture under its own fingerprint, or note that it was none."""
        try:
            return await self._stored(response, request, info)
        finally:
            self._in_hand.discard(request)

    async def _stored(self, response: Response, request: Request, info: Any) -> Any:
        try:
            if response.status != 200:
                raise NoPicture(f"status {response.status}")
            facts = look_into(response.body)
        except NoPicture as none:
            return self._note(request.url, reason=str(none))
        try:
            await ensure_awaitable(
                self.store.persist_file(facts.path, BytesIO(response.body), info)
            )
        except OSError as error:
            return self._note(request.url, reason=f"not stored: {error.strerror}")
        text, reason = await asyncio.to_thread(read_text, response.body, facts.media_type)
        return self._note(
            request.url,
            sha256=facts.sha256,
            path=facts.path,
            bytes=facts.bytes,
            width=facts.width,
            height=facts.height,
            media_type=facts.media_type,
            text=text,
            reason=reason,
        )

    def media_failed(self, failure: Failure, request: Request, info: Any) -> NoReturn:
        """Note why a picture could not be had; nothing else depends on it."""
        self._in_hand.discard(request)
        kind, error = type(failure.value).__name__, failure.value
        speaks = isinstance(error, _SPEAKING) and str(error)
        reason = str(error) if speaks else kind
        self._note(request.url, reason=reason)
        return None  # type: ignore[misc]  # Scrapy raises here, and would log a traceback

    def item_completed(self, results: Any, item: Any, info: Any) -> Any:
        """Pass on the item as it is."""
        return item

    def circuit_opened(self, domain: str, since: str) -> None:
        """Leave a failing host of pictures alone, without its circuit holding up the crawl."""
        if domain not in self.own_domains:
            self._left_alone.add(domain)
            forgetting = self.paces.tell(self.paces.of_domain(domain), DomainState.closed)
            self.crawl_store.beside(forgetting)

    def _may_be_asked(self, url: str) -> bool:
        return is_web_address(url) and registrable_domain(url) not in self._left_alone

    def _note(self, url: str, **found: Any) -> None:
        self.crawler.stats.inc_value(f"images/{'stored' if 'sha256' in found else 'failed'}")
        nothing = dict.fromkeys(
            ("sha256", "path", "bytes", "width", "height", "media_type", "text")
        )
        self._found[url] = {"url": url, **nothing, "fetched_at": utc_now(), "reason": None} | found
        if "sha256" not in found:
            logger.info("No picture at %s: %s", url, found["reason"])
