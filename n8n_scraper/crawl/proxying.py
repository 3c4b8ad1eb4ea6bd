"""The proxies of a crawl: one pool, and the list that it comes from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.policies.proxies.pool import ProxyPool

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


class Proxies:
    """What chooses a proxy for a request, and what looks after the pool, share this."""

    def __init__(self, settings: ProxySettings) -> None:
        self.settings = settings
        self._seen = self._signature()
        self.pool = ProxyPool(settings.pool(), settings.limits)

    def reread(self) -> bool:
        """Take the list anew if its file has changed, and tell whether it has.

        BadInput for one that cannot be read, once for each change: the pool stays as it is.
        """
        signature = self._signature()
        if signature == self._seen:
            return False
        self._seen = signature
        self.pool.replace(self.settings.pool())
        return True

    def _signature(self) -> tuple[int, ...]:
        if not self.settings.file or self.settings.rotator:
            return ()
        try:
            found = Path(self.settings.file).stat()
        except OSError:
            return (0,)
        return found.st_mtime_ns, found.st_size, found.st_ino


def _proxies(crawler: Crawler) -> Proxies:
    return Proxies(ProxySettings.from_settings(crawler.settings))


proxies_of: PerCrawler[Proxies] = PerCrawler(_proxies)
"""The proxies that the components of a crawl share."""
