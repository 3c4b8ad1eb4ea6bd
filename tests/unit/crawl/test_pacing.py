"""The settings of the pace."""

from scrapy import Request
from scrapy.settings import Settings

from n8n_scraper.crawl.pacing import Paces


def settings(**values: object) -> Settings:
    breaker = {"CIRCUIT_BREAKER_FAILURES": "10", "CIRCUIT_BREAKER_HOLD": "60"}
    return Settings(
        {
            **breaker,
            "RATE_LIMIT_RATE": "2.0",
            "RATE_LIMIT_BURST": "5",
            "RATE_LIMITS": "{}",
            **values,
        }
    )


def test_a_domain_has_its_own_limits_or_the_default_ones() -> None:
    paces = Paces.from_settings(settings(RATE_LIMITS='{"n8n.io": {"rate": 4.0, "burst": 2}}'))

    assert paces.of(Request("https://api.n8n.io/x")).bucket.limits.rate == 4.0
    assert paces.of(Request("https://n8n.io/y")) is paces.of(Request("https://api.n8n.io/x"))
    assert paces.of(Request("https://other.example/")).bucket.limits.rate == 2.0
    assert [pace.domain for pace in paces.all()] == ["n8n.io", "other.example"]
