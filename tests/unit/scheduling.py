"""What schedulers and middlewares are asked in their tests, and what is told to their paces."""

import asyncio

from scrapy.core.scheduler import BaseScheduler

from n8n_scraper.crawl.gate import AS_PROBE
from n8n_scraper.crawl.pacing import Paces
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.pace import Pace


def leaving(scheduler: BaseScheduler, paces: Paces) -> list[str]:
    """Let out all that may leave at this moment, each with its token."""
    left = []
    while request := scheduler.next_request():
        pace = paces.of(request)
        assert pace.take(paces.clock(), as_probe=request.meta[AS_PROBE])
        paces.on_their_way(pace).discard(request)
        left.append(request.url)
    return left


def hear(paces: Paces, pace: Pace, category: Category | None, **more: object) -> None:
    """Let a pace hear how a request has ended."""
    asyncio.run(heard(paces, pace, category, **more))


async def heard(paces: Paces, pace: Pace, category: Category | None, **more: object) -> None:
    """The same, where a loop is running."""
    if pace.state is None:
        paces.wait(pace, waiting=0)
    step = pace.result(paces.clock(), category, **more)  # type: ignore[arg-type]
    if step is not None:
        await paces.tell(pace, step)
