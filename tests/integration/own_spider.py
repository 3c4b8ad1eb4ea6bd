"""A spider as a person adds one to the project: it knows nothing of the archive."""

from scrapy import Request, Spider


class TitlesSpider(Spider):
    """Gives the title of every template's page that the sitemap lists."""

    name = "titles"
    broken = ""

    async def start(self):
        yield Request(f"{self.settings['N8N_SITE_URL']}/sitemap-workflows.xml")

    def parse(self, response):
        response.selector.remove_namespaces()
        for url in response.xpath("//url/loc/text()").getall():
            yield response.follow(url, self.parse_page)

    def parse_page(self, response):
        if self.broken and self.broken in response.url:
            raise ValueError("this page is unlike the others")
        yield {"url": response.url, "title": response.css("h1::text").get()}
