"""A spider for one test: it asks two sites at once for as much as it may."""

from scrapy import Request, Spider


class TwoSitesSpider(Spider):
    """Asks the slow site twelve times, the quick one a hundred times."""

    name = "two_sites"
    custom_settings = {"ROBOTSTXT_OBEY": False}  # noqa: RUF012

    async def start(self):
        for number in range(12):
            yield Request(f"{self.slow}/health?{number}", dont_filter=True)
        for number in range(100):
            yield Request(f"{self.quick}/health?{number}", dont_filter=True)

    def parse(self, response):
        pass
