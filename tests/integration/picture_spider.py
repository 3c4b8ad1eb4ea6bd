"""A spider for one test: it gives templates that show the pictures of a local server."""

import socket

from scrapy import Request, Spider

from n8n_scraper.sources.n8n.item import Image
from n8n_scraper.sources.n8n.source import SOURCE
from tests.unit.making import template

# The world outside has names that resolve to a private network; here it has this one.
_asked_of_the_system = socket.gethostbyname
socket.gethostbyname = lambda name: (
    "127.0.0.1" if name == "rebound.example" else _asked_of_the_system(name)
)


class PictureSpider(Spider):
    """Gives one template for each list of addresses, the lists separated by `|`, then pages."""

    name = "pictures"
    keeps_the_archive = True
    source = SOURCE
    pages = ""

    async def start(self):
        yield Request("data:,", callback=self.give)

    def give(self, response):
        for number, urls in enumerate(self.urls.split("|"), start=1):
            item = template(str(number))
            item.images = [Image(url=url, alt=None, places=["description"]) for url in urls.split()]
            yield item
        for url in self.pages.split():
            yield Request(url, callback=self.ignore)

    def ignore(self, response):
        pass
