"""The spider of the quotations: a list of all ids, then each."""

import json

from n8n_scraper.sources.quotes.source import SOURCE

from n8n_scraper.core.dossier import Planned
from n8n_scraper.spiders.planned import PlannedSpider


class QuotesSpider(PlannedSpider):
    """Asks for the list, and for every quotation in it.

    Settings: `QUOTES_URL`.
    """

    name = SOURCE.spider
    source = SOURCE

    def discover(self):
        """Ask for the list."""
        return self.inventory_request(f"{self.site}/quotes.json", self.parse_list, expects="json")

    async def parse_list(self, response):
        """Plan what it lists."""
        await self.plan([Planned(one) for one in json.loads(response.body)])
        await self.inventory_is_whole()

    async def next_request(self, dossier):
        """Ask for the words, if nobody has yet."""
        if "text" in dossier.parts:
            return None
        url = f"{self.site}/quotes/{dossier.item_id}.json"
        return self.part_request("text", dossier, url, self.parse_text, expects="json")

    async def parse_text(self, response, dossier):
        """Keep the words."""
        self.take("text", response, dossier)
        yield await self.advance(dossier)
