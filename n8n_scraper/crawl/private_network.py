"""Ask no private network on behalf of content: the guard of a crawl, and where it is heard."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Self

from scrapy.exceptions import IgnoreRequest
from scrapy.resolver import CachingThreadedResolver
from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IResolutionReceiver
from zope.interface import implementer

from n8n_scraper.crawl.per_crawler import PerCrawler
from n8n_scraper.media.transcripts.options import TranscriptSettings
from n8n_scraper.policies.safety.private_network import NetworkGuard
from n8n_scraper.sources import all_sources

if TYPE_CHECKING:
    from scrapy.crawler import Crawler, CrawlerProcess
    from twisted.internet.base import ReactorBase


def _guard(crawler: Crawler) -> NetworkGuard:
    """Whatever a spider of another kind asks for is its author's affair."""
    if not getattr(crawler.spidercls, "keeps_the_archive", False):
        return NetworkGuard(None)
    own = [place for source in all_sources() for place in source.places(crawler.settings)]
    return NetworkGuard([*own, TranscriptSettings.from_settings(crawler.settings).host_url])


guard_of: PerCrawler[NetworkGuard] = PerCrawler(_guard)
"""The guard that resolver, download handler and pictures of a crawl share."""


class PrivateAddress(IgnoreRequest):
    """An address out of content leads to a host of a private network."""

    def __init__(self, url: str, address: str | None = None) -> None:
        resolved = f", which resolves to {address}" if address else ""
        super().__init__(f"not asked: {url[:200]} is a private address{resolved}")


class GuardedResolver(CachingThreadedResolver):
    """Scrapy's resolver, whose addresses pass the guards on their way to the connection.

    What passes is what is connected to: there is no second look-up that could say another thing.
    """

    guards: Callable[[], Collection[NetworkGuard]]

    @classmethod
    def from_crawler(cls, crawler: Crawler, reactor: ReactorBase) -> Self:
        """Hear the guards of all crawls of the process, which is what Scrapy gives here."""
        resolver = super().from_crawler(crawler, reactor)
        process: CrawlerProcess = crawler  # type: ignore[assignment]
        resolver.guards = lambda: [guard_of(one) for one in process.crawlers]
        return resolver

    def install_on_reactor(self) -> None:
        """Stand between the reactor and its look-ups."""
        super().install_on_reactor()
        reactor: Any = self.reactor
        reactor.installNameResolver(GuardedLookups(reactor.nameResolver, self.guards))


@implementer(IHostnameResolver)
class GuardedLookups:
    """Passes on the addresses of a host that every guard admits.

    What has no port is the name of a proxy that Twisted looks up: the operator's own.
    """

    def __init__(self, resolver: Any, guards: Callable[[], Collection[NetworkGuard]]) -> None:
        self._resolver = resolver
        self._guards = guards

    def resolveHostName(  # noqa: N802 - Twisted's name
        self,
        receiver: Any,
        host: str,
        portNumber: int = 0,  # noqa: N803 - and its word
        *more: Any,
    ) -> Any:
        """Look a host up."""
        judging = _Judging(receiver, self._guards() if portNumber else (), host, portNumber)
        return self._resolver.resolveHostName(judging, host, portNumber, *more)


@implementer(IResolutionReceiver)
class _Judging:
    def __init__(
        self, receiver: Any, guards: Collection[NetworkGuard], host: str, port: int
    ) -> None:
        self._receiver = receiver
        self._guards = guards
        self._host = host
        self._port = port
        self.resolutionBegan = receiver.resolutionBegan
        self.resolutionComplete = receiver.resolutionComplete

    def addressResolved(self, address: IPv4Address | IPv6Address) -> None:  # noqa: N802
        if all(guard.admits(self._host, self._port, address.host) for guard in self._guards):
            self._receiver.addressResolved(address)
