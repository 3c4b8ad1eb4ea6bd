"""Judge an answer once, for everybody who asks: healthy, or which category of failure."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Headers, Response

from n8n_scraper.policies.failure.body import body_facts
from n8n_scraper.policies.failure.category import Category, classify

EXPECTS = "expects"
"""Key of `Request.meta`: what the answer must be, one of `policies.body.Expects`."""

LED_TO = "led_to"
"""Key of `Request.meta`: the address on another site to which the answer wanted to lead."""

_judged: WeakKeyDictionary[Response, Category | None] = WeakKeyDictionary()


def judge(request: Request, response: Response) -> Category | None:
    """Give the category of a failure, also of one that hides behind status 200; None if healthy."""
    if LED_TO in request.meta:
        return Category.OFF_SITE
    if response not in _judged:
        expects = request.meta.get(EXPECTS, "any")
        facts = body_facts(response.body, plain_headers(response.headers), expects=expects)
        _judged[response] = classify(status=response.status, body=facts)
    return _judged[response]


def plain_headers(headers: Headers) -> dict[str, str]:
    """Give headers under their names in lower case, past all that Scrapy minds with each look."""
    return {
        name.decode("latin-1").lower(): b",".join(values).decode("latin-1")
        for name, values in dict.items(headers)
    }


class UnusableAnswer(IgnoreRequest):
    """A middleware gives up an answer that looks well by its status and is not."""

    def __init__(self, category: Category, request: Request, response: Response) -> None:
        led_to = request.meta.get(LED_TO)
        words = (
            f"it leads to another site, {led_to[:200]}" if led_to else category.replace("_", " ")
        )
        super().__init__(f"status {response.status}, but {words}")
        self.category = category
        self.status = response.status
        self.response = response
