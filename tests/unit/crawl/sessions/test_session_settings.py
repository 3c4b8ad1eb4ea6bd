"""Which browser sessions a crawl may have, and who gives them."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.sessions.session_settings import Giver, SessionSettings
from n8n_scraper.policies.sessions.book import Limits
from n8n_scraper.policies.sessions.distributing import Options, Strategy
from n8n_scraper.policies.sessions.session import ProxyStrategy, Site


def test_unset_they_ask_for_nothing() -> None:
    settings = SessionSettings.from_settings({})

    assert (settings.giver, settings.most, settings.options) == (None, 0, Options())
    assert settings.limits == Limits(3, 5)
    assert settings.url == "https://api.browserbase.com"
    settings.check()


def test_what_is_written_is_read() -> None:
    settings = SessionSettings.from_settings(
        {
            "SESSION_PROVIDER": "browserbase",
            "SESSIONS_AT_MOST": "25",
            "SESSIONS_A_MINUTE": "50",
            "SESSION_STRATEGY": "domain-affinity",
            "SESSION_DOMAINS_FIRST": "www.a.example, b.example",
            "SESSION_SITES": '{"www.a.example": {"proxy": "residential-rotating", "geo": "de"}}',
            "BROWSERBASE_API_KEY": "bb-secret",
        }
    )

    assert (settings.giver, settings.limits) == (Giver.BROWSERBASE, Limits(25, 50))
    assert settings.options == Options(
        strategy=Strategy.DOMAIN_AFFINITY,
        prioritize_domains=("a.example", "b.example"),
        sites={"a.example": Site(ProxyStrategy.RESIDENTIAL_ROTATING, "DE", 1)},
    )
    assert "bb-secret" not in repr(settings) + settings.account
    settings.check()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SESSION_PROVIDER", "selenium"),
        ("SESSIONS_AT_MOST", "-1"),
        ("SESSIONS_A_MINUTE", "0"),
        ("SESSION_TIMEOUT", "59"),
        ("SESSION_TIMEOUT", "21601"),
        ("SESSION_STRATEGY", "random"),
        ("ITEMS_PER_SESSION", "some"),
        ("SESSION_SITES", "[1"),
        ("BROWSERBASE_URL", "browserbase.com"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, value: str) -> None:
    with pytest.raises(BadInput, match=f"^{name} is '.*'; write "):
        SessionSettings.from_settings({name: value})


@pytest.mark.parametrize(
    "about",
    [
        '"fast"',
        '{"limit": 1}',
        '{"sessions": 0}',
        '{"sessions": true}',
        '{"proxy": "datacenter"}',
        '{"proxy": ["none"]}',
        '{"geo": "Germany", "proxy": "residential-rotating"}',
        '{"geo": "DE"}',
    ],
)
def test_what_makes_no_sense_of_a_site_is_refused_with_its_name(about: str) -> None:
    with pytest.raises(BadInput, match=r"a\.example"):
        SessionSettings.from_settings({"SESSION_SITES": f'{{"a.example": {about}}}'})


def test_sessions_that_nobody_gives_are_refused() -> None:
    with pytest.raises(BadInput, match="BROWSERBASE_API_KEY is empty"):
        SessionSettings.from_settings({"SESSION_PROVIDER": "browserbase"}).check()
    cdp = SessionSettings.from_settings({"SESSION_PROVIDER": "cdp"})
    cdp.check_place("http://127.0.0.1:9222")
    with pytest.raises(BadInput, match="DEVTOOLS_URL is empty"):
        cdp.check_place("")
    with pytest.raises(BadInput, match="only browserbase has proxies of its own"):
        SessionSettings.from_settings(
            {
                "SESSION_PROVIDER": "local",
                "SESSION_SITES": '{"a.example": {"proxy": "residential-rotating"}}',
            }
        ).check()
