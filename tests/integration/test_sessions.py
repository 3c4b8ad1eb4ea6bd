"""Browser sessions of a crawl: who gives them, that they are used again, and that they end."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.crawl.tools.chromium import Chromium
from n8n_scraper.testing.browserbase import Fault, OwnBrowserbase, own_browserbase
from n8n_scraper.testing.hostile_site import HostileSite
from tests.browsing import SPIDERS, chromium, fetch, site_of_pages
from tests.crawling import PROJECT, Ran, child, wait_until

pytestmark = pytest.mark.usefixtures("sqlite_url")

__all__ = ["chromium"]

KEY = "bb-never-to-be-told"


@pytest.fixture(scope="module")
def site() -> Iterator[HostileSite]:
    with site_of_pages() as running:
        yield running


@contextmanager
def running_browser(program: str) -> Iterator[str]:
    """Start a browser, and give its address."""
    running = Chromium(program)
    try:
        yield asyncio.run(running.address())
    finally:
        running.close()


@pytest.fixture(scope="module")
def browser_there(chromium: str) -> Iterator[str]:
    """The address of the browser in which the provider has its sessions, one at a time."""
    with running_browser(chromium) as address:
        yield address


@pytest.fixture
def provider(browser_there: str) -> Iterator[OwnBrowserbase]:
    with own_browserbase(browser_there, key=KEY) as running:
        yield running


def asked(site: HostileSite, path: str, provider: str = "browserbase", **meta: Any) -> Any:
    more = {"session_provider": provider} if provider else {}
    return {"url": site.url + path, "meta": {"tool": "devtools", **more, **meta}}


def settings(provider: OwnBrowserbase, folder: Path, **more: str) -> dict[str, str]:
    return {
        "BROWSERBASE_URL": provider.url,
        "BROWSERBASE_API_KEY": KEY,
        "DATABASE_URL": f"sqlite:///{folder}/archive.db",
        **more,
    }


def count(ran: Ran, stat: str) -> int:
    found = [line for line in ran.err.splitlines() if f"'sessions/{stat}'" in line]
    return int(found[0].rpartition(": ")[2].rstrip(",}")) if found else 0


@pytest.mark.further
def test_one_crawl_has_sessions_of_all_givers_and_plain_requests_at_once(
    site: HostileSite, chromium: str, provider: OwnBrowserbase, tmp_path: Path
) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{held.getsockname()[1]}/nobody"
    # Given a browser that is not the provider's: whoever speaks to one sees all pages in it
    with running_browser(chromium) as browser:
        seen, ran = fetch(
            tmp_path,
            {"url": f"{site.url}/static", "meta": {}},
            asked(site, "/drawn", "local"),
            asked(site, "/drawn", "cdp"),
            asked(site, "/drawn", "browserbase"),
            asked(site, "/after-click", "browserbase", steps=[{"click": "#more"}]),
            {**asked(site, "", "browserbase", dont_retry=True), "url": nobody},
            asked(site, "/gone", "browserbase"),
            **settings(provider, tmp_path, DEVTOOLS_URL=browser, SESSIONS_AT_MOST="1"),
        )

    # Then each has its page, by the session that it asked for
    assert ran.status == 0, ran.err
    drawn = [one["session"] for one in seen if one.get("h1") == "It was drawn"]
    assert len(drawn) == 3
    assert {one.partition("-")[0] for one in drawn} == {"local", "cdp", "session"}, drawn
    assert [one.get("h1") for one in seen if one["session"] is None] == ["It stands here"]
    (clicked,) = [one for one in seen if one["path"] == "/after-click"]
    assert clicked["lines"] == ["one", "two"]
    assert {one["status"] for one in seen if one["path"] == "/gone"} == {410}
    (failed,) = [one["error"] for one in seen if "error" in one]
    assert failed.startswith("DownloadConnectionRefusedError"), failed
    # and one remote session has done for all its pages, the site's failure included, and has ended
    assert [one.status for one in provider.sessions.values()] == ["COMPLETED"]
    assert (count(ran, "browserbase/opened"), count(ran, "browserbase/items")) == (1, 4)
    assert [bool(one["cost"]) for one in seen if one["path"] == "/gone"] == [True]
    assert provider.keys == {KEY}
    assert KEY not in ran.err


def test_a_session_is_exchanged_after_its_pages_and_never_too_many_run(
    site: HostileSite, provider: OwnBrowserbase, tmp_path: Path
) -> None:
    # Given a provider that has created one without saying so, and one that it could not start
    provider.faults = [None, Fault.CREATED_AND_500, Fault.ERROR]

    seen, ran = fetch(
        tmp_path,
        *(asked(site, "/drawn") for _ in range(4)),
        **settings(
            provider, tmp_path, SESSIONS_AT_MOST="1", SESSIONS_A_MINUTE="50", ITEMS_PER_SESSION="2"
        ),
        CONCURRENT_REQUESTS="1",
        RETRY_RULES='{"tool": {"attempts": 5}}',
    )

    assert [one.get("h1") for one in seen] == ["It was drawn"] * 4, ran.err
    assert len(provider.sessions) == 4
    assert (provider.running, provider.most_at_once, provider.refused) == ([], 1, 0)


def test_a_remote_session_that_is_gone_is_the_tools_own_failure(
    site: HostileSite, provider: OwnBrowserbase, tmp_path: Path
) -> None:
    provider.is_gone = True

    seen, ran = fetch(
        tmp_path,
        asked(site, "/drawn"),
        **settings(provider, tmp_path),
        RETRY_RULES='{"tool": {"attempts": 1}}',
    )

    (one,) = seen
    assert one["error"].startswith("ToolFailed: the browser at Browserbase cannot be spoken to")
    assert provider.running == []
    assert "circuit_breaker" not in ran.err
    assert KEY not in ran.err + json.dumps(seen)


def test_without_a_key_or_a_place_a_request_is_told_what_to_write(
    site: HostileSite, tmp_path: Path
) -> None:
    seen, _ = fetch(
        tmp_path,
        asked(site, "/drawn", "browserbase"),
        asked(site, "/drawn", "cdp"),
        asked(site, "/drawn", "selenium"),
    )

    errors = sorted(one["error"] for one in seen)
    assert errors[0].startswith("BadInput: A request asks for a session of cdp, and DEVTOOLS_URL")
    assert errors[1].startswith("BadInput: BROWSERBASE_API_KEY is empty")
    assert "'selenium'; write one of local, cdp, browserbase." in errors[2]


def test_what_a_killed_crawl_has_left_is_released_by_the_next(
    site: HostileSite, provider: OwnBrowserbase, tmp_path: Path
) -> None:
    told = settings(provider, tmp_path)
    end_in_the_middle(site, told, signal.SIGKILL)
    assert len(provider.running) == 1

    # When the next begins
    seen, ran = fetch(tmp_path, asked(site, "/drawn"), **told)

    assert [one.get("h1") for one in seen] == ["It was drawn"], ran.err
    assert "released the browser session session-0, which nobody had" in ran.err
    assert provider.running == []


@pytest.mark.long
def test_two_crawls_at_once_keep_the_limits_together(
    site: HostileSite, provider: OwnBrowserbase, tmp_path: Path
) -> None:
    # Given an account with one session at once, and two crawls that exchange theirs at each page
    provider.at_once = 1
    provider.a_minute = 50
    told = settings(
        provider,
        tmp_path,
        SESSIONS_AT_MOST="1",
        SESSIONS_A_MINUTE="50",
        ITEMS_PER_SESSION="1",
    )
    folders = [tmp_path / name for name in ("one", "other")]
    for folder in folders:
        folder.mkdir()

    with ThreadPoolExecutor(2) as both:
        ran = both.map(
            lambda folder: fetch(folder, *(asked(site, "/drawn") for _ in range(3)), **told),
            folders,
        )
        pages = [one.get("h1") for seen, _ in ran for one in seen]

    assert pages == ["It was drawn"] * 6
    assert (provider.most_at_once, provider.refused, provider.running) == (1, 0, [])
    assert len(provider.sessions) == 6


@pytest.mark.long
def test_a_crawl_that_is_stopped_releases_its_sessions_itself(
    site: HostileSite, provider: OwnBrowserbase, tmp_path: Path
) -> None:
    end_in_the_middle(site, settings(provider, tmp_path), signal.SIGTERM)

    assert len(provider.sessions) == 1
    assert provider.running == []


def end_in_the_middle(site: HostileSite, told: dict[str, str], how: signal.Signals) -> None:
    """Begin a crawl, end it while it looks at a page, and wait until it is gone."""
    wanted = json.dumps([asked(site, "/restless")])
    site.asked.clear()
    with child(
        [sys.executable, "-m", "scrapy", "crawl", "tools", *SPIDERS, "-a", f"wanted={wanted}"],
        cwd=PROJECT,
        env={**os.environ, "RATE_LIMIT_RATE": "0", **told},
        stderr=subprocess.PIPE,
    ) as crawl:
        wait_until(lambda: "/restless" in site.paths, every=0.05)
        crawl.send_signal(how)
        crawl.communicate(timeout=60)
