"""A page is gone on with once, when it is known which of its answers is kept."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from itemadapter import ItemAdapter

from n8n_scraper.crawl.tools.drafts import Afterwards, Draft
from n8n_scraper.middlewares.drafts import DraftsMiddleware


async def passed_on(*given: Any) -> list[Any]:
    async def outputs() -> AsyncIterator[Any]:
        for one in given:
            yield one

    middleware = DraftsMiddleware()
    return [one async for one in middleware.process_spider_output(None, outputs())]


def test_drafts_end_here_and_what_comes_afterwards_takes_their_place() -> None:
    done = []

    async def go_on() -> AsyncIterator[str]:
        done.append("planned")
        yield "the next request"

    passed = asyncio.run(passed_on(Draft(title="A"), Afterwards(go_on), {"title": "an item"}))

    assert passed == ["the next request", {"title": "an item"}]
    assert done == ["planned"]


def test_a_draft_counts_as_an_item_and_what_comes_afterwards_does_not() -> None:
    async def nothing() -> AsyncIterator[None]:
        yield None

    assert ItemAdapter(Draft(title="A")).asdict() == {"title": "A"}
    assert not ItemAdapter.is_item(Afterwards(nothing))
