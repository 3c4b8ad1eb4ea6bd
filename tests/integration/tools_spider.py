"""A spider for tests of tools: it asks for what it is told to, and tells what came."""

import json
from urllib.parse import urlsplit

from scrapy import Request, Spider
from scrapy.http import HtmlResponse


class ToolsSpider(Spider):
    """Gives an item for every answer, and one for every failure."""

    name = "tools"
    wanted = "[]"
    custom_settings = {"ROBOTSTXT_OBEY": False}  # noqa: RUF012

    async def start(self):
        for number, one in enumerate(json.loads(self.wanted)):
            meta = {"handle_httpstatus_all": True, **one.get("meta", {})}
            yield Request(
                one["url"], meta=meta, dont_filter=True, errback=self.failed, priority=-number
            )

    def parse(self, response):
        is_page = isinstance(response, HtmlResponse)
        yield {
            **of(response.request),
            "status": response.status,
            "h1": response.css("h1::text").get() if is_page else None,
            "lines": response.css("li::text, p::text").getall() if is_page else [],
            "xhr": [
                {**one, "body": one["body"] and one["body"].decode()}
                for one in response.meta.get("xhr", [])
            ],
            "flags": response.flags,
        }

    def failed(self, failure):
        yield {
            **of(failure.request),
            "error": f"{type(failure.value).__name__}: {failure.value}",
            "tried": failure.request.meta.get("retry_times", 0) + 1,
        }


def of(request):
    parts = urlsplit(request.url)
    return {
        "path": parts.path,
        "tool": request.meta.get("tool", "http"),
        "seconds": request.meta.get("tool_seconds"),
        "session": request.meta.get("session_id"),
        "cost": request.meta.get("tool_cost"),
        "unsettled": request.meta.get("unsettled", False),
    }
