"""What a host resolves to is judged on its way to the connection."""

# ruff: noqa: N802 - the names are Twisted's
from typing import Any

from scrapy.utils.test import get_crawler
from twisted.internet.address import IPv4Address, IPv6Address

from n8n_scraper.crawl.private_network import GuardedLookups, PrivateAddress, guard_of
from n8n_scraper.policies.failure.category import Category, classify, speaks_of_health
from n8n_scraper.policies.safety.private_network import NetworkGuard
from n8n_scraper.sources.n8n.spider import WorkflowsSpider


class Names:
    """Resolves every host to a list of addresses, one of each kind."""

    def resolveHostName(self, receiver: Any, host: str, port: int, *_: Any) -> None:
        receiver.resolutionBegan(self)
        receiver.addressResolved(IPv4Address("TCP", "127.0.0.1", port))
        receiver.addressResolved(IPv6Address("TCP", "::1", port))
        receiver.addressResolved(IPv4Address("TCP", "1.1.1.1", port))
        receiver.resolutionComplete()


class Receiver:
    """Notes what arrives, as a connection that is about to be made does."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self.complete = False

    def resolutionBegan(self, _: Any) -> None:
        pass

    def addressResolved(self, address: Any) -> None:
        self.addresses.append(address.host)

    def resolutionComplete(self) -> None:
        self.complete = True


def resolved(guards: list[NetworkGuard], port: int = 80) -> Receiver:
    receiver = Receiver()
    GuardedLookups(Names(), lambda: guards).resolveHostName(
        receiver, "rebound.example", portNumber=port
    )
    assert receiver.complete
    return receiver


def test_only_public_addresses_of_a_host_reach_the_connection() -> None:
    assert resolved([NetworkGuard([])]).addresses == ["1.1.1.1"]


def test_the_operators_own_host_may_be_anywhere() -> None:
    own = NetworkGuard(["http://rebound.example"])

    assert resolved([own]).addresses == ["127.0.0.1", "::1", "1.1.1.1"]


def test_one_guard_that_refuses_is_enough() -> None:
    assert resolved([NetworkGuard(None), NetworkGuard([])]).addresses == ["1.1.1.1"]


def test_the_name_of_a_proxy_is_no_contents_affair() -> None:
    assert "127.0.0.1" in resolved([NetworkGuard([])], port=0).addresses


def test_a_crawl_of_templates_is_guarded_and_knows_its_own_hosts() -> None:
    settings = dict.fromkeys(("N8N_SITE_URL", "N8N_API_URL"), "http://127.0.0.1:8808")
    settings["VIDEO_HOST_URL"] = "http://127.0.0.1:8809"

    guard = guard_of(get_crawler(WorkflowsSpider, settings))

    assert not guard.refuses("http://127.0.0.1:8808/robots.txt")
    assert not guard.refuses("http://127.0.0.1:8809/watch")
    assert guard.refuses("http://127.0.0.1:22/")


def test_what_a_spider_of_another_kind_asks_is_its_authors_affair() -> None:
    assert not guard_of(get_crawler()).refuses("http://localhost:8000/")


def test_a_refused_address_says_nothing_of_anybodys_health() -> None:
    category = classify(exception=PrivateAddress("http://localhost/a.png"))

    assert category is Category.PRIVATE_ADDRESS
    assert not speaks_of_health(category)
