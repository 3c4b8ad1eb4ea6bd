"""A spider for one test: it gives templates that show the pictures of a local server."""

from scrapy import Spider

from n8n_scraper.items import Image
from tests.unit.making import template


class PictureSpider(Spider):
    """Gives one template for each list of addresses, the lists separated by `|`."""

    name = "pictures"

    async def start(self):
        for number, urls in enumerate(self.urls.split("|"), start=1):
            item = template(str(number))
            item.images = [Image(url=url, alt=None, places=["description"]) for url in urls.split()]
            yield item
