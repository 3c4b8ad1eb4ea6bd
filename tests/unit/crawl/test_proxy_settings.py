"""Through which proxies a crawl goes is read, and refused where it would not be safe."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.checks import check_settings
from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.sources import all_sources

SECRET = "s3cret"
ROTATOR = "http://127.0.0.1:8089"


def given(**values: Any) -> Settings:
    settings = Settings()
    settings.setmodule("n8n_scraper.settings")
    settings.update(values)
    return settings


def read(**values: Any) -> ProxySettings:
    return ProxySettings.from_settings(given(**values))


def names(settings: ProxySettings) -> list[str]:
    return [proxy.name for proxy in settings.pool()]


def test_none_are_in_use_as_the_settings_come() -> None:
    assert not read().in_use


@pytest.mark.parametrize("listed", ["a.example:1, b.example:2", ["a.example:1", "b.example:2"]])
def test_a_list_stands_in_the_setting_itself(listed: object) -> None:
    assert names(read(PROXIES=listed)) == ["a.example:1", "b.example:2"]


def test_a_file_is_named_by_its_path(tmp_path: Path) -> None:
    file = tmp_path / "live_proxies.txt"
    file.write_text("a.example:1\n")

    settings = read(PROXIES=str(file))

    assert settings.in_use
    assert names(settings) == ["a.example:1"]


def test_a_rotator_comes_before_the_list_that_it_rotates() -> None:
    (rotator,) = read(PROXIES="a.example:1", PROXY_ROTATOR_URL=ROTATOR).pool()

    assert rotator.name == "127.0.0.1:8089"
    assert rotator.rotates


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"PROXIES": "a.example:1,socks5://b.example:2"}, "PROXIES, entry 2, is a SOCKS proxy"),
        ({"PROXIES": f"me:{SECRET}@a.example"}, "PROXIES, entry 1, is no address"),
        ({"PROXIES": "nowhere.txt"}, "PROXIES names .*nowhere.txt: No such file or directory"),
        ({"PROXY_ROTATOR_URL": f"me:{SECRET}@a"}, "PROXY_ROTATOR_URL is no address"),
        ({"MIN_PROXIES": "-1"}, "MIN_PROXIES is '-1'; write a whole number from 0 on"),
        ({"PROXY_REST_SECONDS": "soon"}, "PROXY_REST_SECONDS is 'soon'; write a number of seconds"),
        ({"PROXY_REST_SECONDS": "0"}, "PROXY_REST_SECONDS .* more than 0"),
        ({"PROXY_HEALTH_FILE": ""}, "PROXY_HEALTH_FILE is ''; write the path of a file"),
        ({"PROXY_REFRESH_SECONDS": "0"}, "PROXY_REFRESH_SECONDS .* more than 0"),
        ({"PROXY_CANARY_URL": "http://me.example/"}, "PROXY_CANARY_URL .* write the https address"),
        ({"PROXY_CANARY_URL": "https://[::1"}, "PROXY_CANARY_URL .* write the https address"),
        ({"PROXY_PLAIN_HTTP": "maybe"}, "PROXY_PLAIN_HTTP is 'maybe'; write True or False"),
    ],
)
def test_what_makes_no_sense_costs_one_line_before_the_start(
    values: dict[str, str], told: str
) -> None:
    with pytest.raises(BadInput, match=told) as refused:
        check_settings(given(**values))

    assert SECRET not in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00"])
def test_a_file_without_a_proxy_costs_one_line_before_the_start(
    content: bytes, tmp_path: Path
) -> None:
    file = tmp_path / "live.txt"
    file.write_bytes(content)

    with pytest.raises(BadInput, match=r"live.txt( holds no proxy|, which is no text)"):
        check_settings(given(PROXIES=str(file)))


def test_certificates_are_verified_where_foreign_proxies_are_used() -> None:
    with pytest.raises(BadInput, match="DOWNLOAD_VERIFY_CERTIFICATES is False: any of the PROXIES"):
        read(PROXIES="a.example:1", DOWNLOAD_VERIFY_CERTIFICATES=False)

    assert not read(DOWNLOAD_VERIFY_CERTIFICATES=False).in_use


def test_a_rotator_that_opens_tls_is_accepted_by_that_setting_alone() -> None:
    assert read(PROXY_ROTATOR_URL=ROTATOR).verified
    assert not read(PROXY_ROTATOR_URL=ROTATOR, DOWNLOAD_VERIFY_CERTIFICATES=False).verified


@pytest.mark.parametrize(
    ("url", "may"),
    [
        ("https://n8n.io/workflows/", True),
        ("http://n8n.io/workflows/", False),
        ("http://127.0.0.1:8808/", True),
        ("http://localhost:8808/", True),
        ("http://[::1]:8808/", True),
        ("http://10.0.0.7/", False),
    ],
)
def test_only_what_cannot_be_forged_goes_through_a_proxy(url: str, may: bool) -> None:
    assert read(PROXIES="a.example:1").may_carry(url) is may
    assert read(PROXIES="a.example:1", PROXY_PLAIN_HTTP="1").may_carry(url)


def test_a_site_of_plain_http_is_refused_before_the_start() -> None:
    site = {all_sources()[0].bases[0]: "http://n8n.example"}

    with pytest.raises(BadInput, match=r"http://n8n.example is plain http, and any of the proxies"):
        check_settings(given(PROXIES="a.example:1", **site))

    check_settings(given(PROXIES="a.example:1", PROXY_PLAIN_HTTP="1", **site))
    check_settings(given(**site))


def test_no_password_is_shown_by_the_settings_as_a_value() -> None:
    settings = read(
        PROXIES=f"me:{SECRET}@a.example:1", PROXY_ROTATOR_URL=f"me:{SECRET}@b.example:2"
    )

    assert SECRET not in repr(settings)
