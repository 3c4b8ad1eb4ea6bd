"""A spider that asks for the same answers and does nothing with them, on Scrapy's own settings."""

from pathlib import Path

from scrapy import Request, Spider


class BareSpider(Spider):
    """Reads a list of addresses and follows each."""

    name = "bare"

    def __init__(self, addresses, **kwargs):
        super().__init__(**kwargs)
        self.addresses = Path(addresses).read_text().splitlines()

    async def start(self):
        for address in self.addresses:
            yield Request(address, dont_filter=True)

    def parse(self, response):
        pass
