"""The spider of Hong Kong's cultural events: three files, and every event is in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from scrapy import Request, Spider
from scrapy.exceptions import CloseSpider
from scrapy.http import Response

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.errors import BadContent
from n8n_scraper.core.source import Provenance
from n8n_scraper.crawl.compute.pool import compute_of
from n8n_scraper.crawl.judgement import EXPECTS

# In the order in which they are asked for: what an event refers to comes before the events.
FILES = ("venues.xml", "eventDates.xml", "events.xml")


class HkEventsSpider(Spider):
    """Gives every event of the open data of Hong Kong's leisure department.

    Settings: `HK_EVENTS_URL`.
    """

    name = "hk_events"

    async def start(self) -> AsyncIterator[Request]:
        """Ask for the first file."""
        yield self._request(())

    async def parse(self, response: Response, files: tuple[bytes, ...]) -> AsyncIterator[Any]:
        """Ask for the next file; give the events when all three are there."""
        # Not at the top: Scrapy loads every spider to name them, and this brings all that it needs.
        from n8n_scraper.sources.hk_events.stock import read_stock

        files = (*files, response.body)
        if len(files) < len(FILES):
            yield self._request(files)
            return
        venues, dates, events = files
        compute = compute_of(self.crawler)
        provenance = Provenance(
            site=self.settings["HK_EVENTS_URL"],
            run_id="none",
            scraped_at=utc_now(),
            processing_time=0.0,
        )
        try:
            found = await compute.run(len(events), read_stock, events, dates, venues, provenance)
        except BadContent as error:
            raise CloseSpider(f"the open data cannot be read: {error}") from None
        for event in found:
            yield event.model_dump(mode="json")

    def _request(self, files: tuple[bytes, ...]) -> Request:
        url = f"{self.settings['HK_EVENTS_URL'].rstrip('/')}/{FILES[len(files)]}"
        return Request(url, cb_kwargs={"files": files}, meta={EXPECTS: "xml"})
