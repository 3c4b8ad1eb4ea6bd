"""Go on with the answer that is kept of a page, when all tools have been heard that were asked."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from n8n_scraper.crawl.tools.drafts import Afterwards, Draft


class DraftsMiddleware:
    """Pass on what a spider does afterwards, in the place of what it had read by then.

    Whatever else a callback gives passes as it is.
    """

    async def process_spider_output(
        self, response: Any, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Keep drafts back, and go on."""
        async for one in result:
            if isinstance(one, Afterwards):
                async for further in one.go_on():
                    yield further
            elif not isinstance(one, Draft):
                yield one
