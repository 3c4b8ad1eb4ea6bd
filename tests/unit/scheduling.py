"""What both schedulers are asked in their tests."""

from scrapy.core.scheduler import BaseScheduler

from n8n_scraper.crawl.gate import AS_PROBE
from n8n_scraper.crawl.pacing import Paces


def leaving(scheduler: BaseScheduler, paces: Paces) -> list[str]:
    """Let out all that may leave at this moment, each with its token."""
    left = []
    while request := scheduler.next_request():
        pace = paces.of(request)
        assert pace.take(paces.clock(), as_probe=request.meta[AS_PROBE])
        paces.on_their_way(pace).discard(request)
        left.append(request.url)
    return left
