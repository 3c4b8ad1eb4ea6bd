"""The spider of Hong Kong's cultural events: three files, and every event is in them."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy import Request
from scrapy.utils.project import get_project_settings

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.errors import BadContent, BadInput
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.crawl.compute.pool import compute_of
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.safety.origin import origin_of
from n8n_scraper.sources.hk_events.source import FILES, PART, SOURCE
from n8n_scraper.spiders.planned import PlannedSpider

if TYPE_CHECKING:
    from scrapy.http import Response


class HkEventsSpider(PlannedSpider):
    """Asks for the three files, and plans each event with its own pieces of them.

    Arguments: `ids`, `limit`, `mode`, `budget`. Settings: `HK_EVENTS_URL`, `ITEMS_UNDER_WAY`,
    `MOST_REMOVED`.
    """

    name = SOURCE.spider
    source = SOURCE

    @classmethod
    def handles_request(cls, request: Request) -> bool:
        """Whether `scrapy parse URL` and `scrapy shell URL` mean this spider."""
        [place] = SOURCE.places(get_project_settings())
        return origin_of(request.url) == origin_of(place)

    @property
    def requests_each(self) -> int:
        """An event comes with the files."""
        return 0

    def discover(self) -> Request:
        """Ask for the first file."""
        return self._file_request(FILES[0], {})

    async def parse(
        self, response: Response, name: str | None = None, files: Mapping[str, bytes] | None = None
    ) -> AsyncIterator[Any]:
        """Ask for the next file; plan the events when all three are there."""
        files = {**(files or {}), name or _name_of(response.url): response.body}
        missing = next((one for one in FILES if one not in files), None)
        if missing:
            yield self._file_request(missing, files)
            return
        try:
            planned = await self._events_in(files, response)
        except BadContent as error:
            await self.inventory_is_not_whole(f"{error}")
            return
        if self.worker.run_id is None:  # `scrapy parse`: no run would give them out again
            for one in planned:
                yield await self.advance(Dossier.opened(one, time.monotonic()))
            return
        await self.plan(planned)
        await self.inventory_is_whole()

    async def next_request(self, dossier: Dossier) -> Request | None:
        """Ask for nothing: what an event is made of came with the files, or is not in them."""
        if PART in dossier.parts:
            return None
        if dossier.planned.listed:
            reason = "what the files had of it is not kept any more; a new run brings it again"
            dossier.settle(PART, PartStatus.FAILED, reason, Category.UNKNOWN)
        else:
            dossier.settle(PART, PartStatus.MISSING, "the files have no such event")
        return None

    async def _events_in(self, files: Mapping[str, bytes], response: Response) -> Iterable[Planned]:
        # Not at the top: Scrapy loads every spider to name them, and this brings all that it needs.
        from n8n_scraper.sources.hk_events.pieces import cut

        bodies = [files[one] for one in FILES]
        found = await compute_of(self.crawler).run(sum(map(len, bodies)), cut, *bodies)
        url, now = self._url_of(FILES[-1]), utc_now()
        return [
            Planned(
                one.event_id,
                listing={"title": one.title} if one.title else {},
                answers=(Answer(PART, url, response.status, one.body, now),),
            )
            for one in found
        ]

    def _file_request(self, name: str, files: Mapping[str, bytes]) -> Request:
        return self.inventory_request(
            self._url_of(name), self.parse, expects="xml", name=name, files=files
        )

    def _url_of(self, name: str) -> str:
        return f"{self.site}/{name}"


def _name_of(url: str) -> str:
    """Name the file at an address that no run has led to."""
    name = PurePosixPath(urlsplit(url).path).name
    if name not in FILES:
        raise BadInput(f"{url} is none of the files {', '.join(FILES)}.")
    return name
