"""Send each request through the proxy whose turn it is, and hear what became of it."""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from scrapy import Request
from scrapy.downloadermiddlewares.httpproxy import HttpProxyMiddleware
from scrapy.http import Response
from scrapy.utils.httpobj import urlparse_cached

from n8n_scraper.core.errors import ProxyFailed
from n8n_scraper.crawl.judgement import plain_headers
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.proxying import proxies_of
from n8n_scraper.crawl.scheduler import NOT_BEFORE
from n8n_scraper.crawl.scrapy_internals import hush_tunnel
from n8n_scraper.crawl.stopping import is_stopping
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.failure.retry_settings import RetrySettings
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.proxies.fault import Fault, fault_of, fault_of_page
from n8n_scraper.policies.proxies.mubeng import is_page_of_mubeng
from n8n_scraper.policies.proxies.pool import Blame

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.policies.proxies.proxy import Proxy

logger = logging.getLogger(__name__)

PROXY_NAME = "proxy_name"
"""Key of `Request.meta`: the proxy that it went through last, without its password."""

PROXY_FAILURES = "proxy_failures"
"""Key of `Request.meta`: how often in a row a proxy brought no answer to it, and did to others."""

PROXY_FAILED_AT = "proxy_failed_at"
"""Key of `Request.meta`: when one last brought it none, on the crawl's clock."""

_PUT_OFF_SECONDS = 60.0
_OF_NO_NETWORK = frozenset({"data", "file"})
_HEADERS_CAME = "download_latency"  # Scrapy notes it when they have


class ProxiesMiddleware(HttpProxyMiddleware):
    """Scrapy's, which speaks to a proxy, with a pool that says to which.

    A failure of the way there is the proxy's: the request is repeated at once through another one,
    and neither circuit nor retry nor learned rate hears of it. It costs one of the request's
    attempts only if its site has answered others since. Where the pool says that it is the site's
    fault after all, the others hear of it as if there were no proxies.

    A request with `proxy` in its meta goes as its author wants it. The credentials are with a
    request only while it is on the wire.

    Settings: `PROXIES`, `PROXY_…`. Stats: `proxies/requests`, `proxies/repeats`,
    `proxies/given_up`, `proxies/rests`, `proxies/failures/<fault>`.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler.settings["HTTPPROXY_AUTH_ENCODING"])
        self.crawler = crawler
        self.shared = proxies_of(crawler)
        self.clock = paces_of(crawler).clock
        self.rule = RetrySettings.from_settings(crawler.settings).rules.rules[Category.PROXY]
        self._carriers: WeakKeyDictionary[Request, Proxy] = WeakKeyDictionary()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Share the pool of this crawl."""
        return cls(crawler)

    def process_request(  # type: ignore[override]  # as Scrapy calls it
        self, request: Request
    ) -> Request | None:
        """Choose a proxy; while all rest, send the request back to where it can wait."""
        scheme = urlparse_cached(request).scheme
        if scheme not in _OF_NO_NETWORK and "proxy" not in request.meta:
            if not self.shared.settings.may_carry(request.url):
                raise ProxyFailed("not asked: only https is safe to go through a proxy")
            now = self.clock()
            proxy = self.shared.pool.choose(now, besides=request.meta.get(PROXY_NAME, ""))
            if proxy is None:
                # No longer than until the next look: a rest may end before its time.
                wait = min(self.shared.pool.wait(now), self.shared.settings.refresh_seconds)
                return self._later(request, wait)
            self._count("requests")
            self._carriers[request] = proxy
            request.meta.pop(_HEADERS_CAME, None)
            request.meta[PROXY_NAME] = proxy.name
            request.meta["proxy"] = proxy.url
        super().process_request(request)
        return None

    def process_response(self, request: Request, response: Response) -> Request | Response:
        """Hear that an answer came, and see whether it is the site's."""
        proxy = self._taken_off(request)
        if proxy is None:
            return response
        if fault := _fault_of_answer(proxy, request, response):
            return self._failed(request, proxy, fault) or response
        for key in (PROXY_FAILURES, PROXY_FAILED_AT):
            request.meta.pop(key, None)
        if self.shared.pool.worked(proxy, self.clock(), registrable_domain(request.url)):
            logger.info("Proxy %s works again", proxy)
        return response

    def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Hear that none came; once the site has begun to answer, the way was well."""
        proxy = self._taken_off(request)
        if proxy is None or _HEADERS_CAME in request.meta:
            return None
        fault = fault_of(exception, hush_tunnel(exception))
        return self._failed(request, proxy, fault) if fault else None

    def _taken_off(self, request: Request) -> Proxy | None:
        """Take off a request all that a proxy of the pool needed: nobody is to keep it."""
        proxy = self._carriers.pop(request, None)
        if proxy is not None:
            self.shared.pool.is_back(proxy)
            for key in ("proxy", "_auth_proxy"):
                request.meta.pop(key, None)
            request.headers.pop("Proxy-Authorization", None)
        return proxy

    def _failed(self, request: Request, proxy: Proxy, fault: Fault) -> Request | None:
        """Give the repeat, or None where it is the site's fault; else raise ProxyFailed."""
        now, pool, site = self.clock(), self.shared.pool, registrable_domain(request.url)
        self._count(f"failures/{fault}")
        logger.debug("Proxy %s failed for %s: %s", proxy, request.url, fault.words)
        blame = pool.failed(proxy, fault, site)
        if blame is Blame.SITE:
            return None
        if blame is Blame.PROXY and (rest := pool.blamed(proxy, now, fault)):
            self._count("rests")
            logger.info("Proxy %s rests for %g s: %s", proxy, rest, fault.words)
        failures = request.meta.get(PROXY_FAILURES, 0)
        # While its site answers nobody, a request does not fail by itself.
        failures += not failures or pool.answered_since(site, request.meta[PROXY_FAILED_AT])
        if failures >= self.rule.attempts or request.meta.get("dont_retry"):
            self._count("given_up")
            tries = f"{failures} attempts" if failures > 1 else "one attempt"
            raise ProxyFailed(
                f"no answer through a proxy in {tries}; the last, {proxy}: {fault.words}"
            ) from None
        self._count("repeats")
        again = self._later(request, self.rule.wait_seconds(failures, random.random()))  # noqa: S311 - no secret
        again.meta[PROXY_FAILURES], again.meta[PROXY_FAILED_AT] = failures, now
        return again

    def _later(self, request: Request, seconds: float) -> Request:
        """Give the request that takes its place.

        When the crawl is being stopped it is put off, so that a queue can keep it, and nobody who
        awaits it waits for another attempt.
        """
        put_off = _PUT_OFF_SECONDS if is_stopping(self.crawler) else 0.0
        again = request.copy()
        again.dont_filter = True
        again.meta[NOT_BEFORE] = self.clock() + max(seconds, put_off)
        return again

    def _count(self, what: str) -> None:
        self.crawler.stats.inc_value(f"proxies/{what}")


def _fault_of_answer(proxy: Proxy, request: Request, response: Response) -> Fault | None:
    if proxy.rotates and is_page_of_mubeng(response.status, response.body):
        return Fault.OWN_PAGE
    if urlparse_cached(request).scheme == "https":
        return None
    return fault_of_page(response.status, plain_headers(response.headers))
