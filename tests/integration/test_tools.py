"""Pages fetched by every tool, and what happens when a tool fails."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from n8n_scraper.testing.firecrawl import Fails, OwnFirecrawl, own_firecrawl
from n8n_scraper.testing.hostile_site import HostileSite
from tests.browsing import PAGES, SPIDERS, by_tool, chromium, fetch, site_of_pages
from tests.crawling import PROJECT, child, wait_until
from tests.real_proxies import running

__all__ = ["chromium"]

KEY = "fc-never-to-be-told"
AT_ONCE = '{"tool": {"attempts": 3, "base_seconds": 0}}'


@pytest.fixture(scope="module")
def site() -> Iterator[HostileSite]:
    with site_of_pages() as running:
        yield running


@pytest.fixture
def firecrawl() -> Iterator[OwnFirecrawl]:
    with own_firecrawl() as running:
        yield running


def asked(site: HostileSite, path: str, tool: str, **meta: Any) -> dict[str, Any]:
    return {"url": site.url + path, "meta": {"tool": tool, **meta}}


@pytest.mark.usefixtures("chromium")
def test_one_crawl_uses_all_tools_at_once(
    site: HostileSite, firecrawl: OwnFirecrawl, tmp_path: Path
) -> None:
    site.asked.clear()

    seen, ran = fetch(
        tmp_path,
        asked(site, "/static", "http"),
        asked(site, "/static", "firecrawl"),
        asked(site, "/wall", "firecrawl"),
        asked(site, "/drawn", "devtools"),
        asked(site, "/after-click", "devtools", steps=[{"click": "#more"}]),
        asked(site, "/scrolled", "devtools", steps=[{"scroll": 10}]),
        asked(site, "/data.json", "devtools"),
        asked(site, "/consent", "playwright"),
        asked(site, "/pictures", "playwright"),
        asked(site, "/gone", "playwright"),
        FIRECRAWL_URL=firecrawl.url,
        FIRECRAWL_KEY=KEY,
    )

    # Then each page is there as a person would see it, under its own status
    assert ran.status == 0, ran.err
    found = by_tool(seen)
    assert len(found) == 10
    assert found["http /static"]["h1"] == found["firecrawl /static"]["h1"] == "It stands here"
    assert found["firecrawl /wall"]["status"] == 403
    assert found["devtools /drawn"]["h1"] == "It was drawn"
    assert found["devtools /after-click"]["lines"] == ["one", "two"]
    assert found["devtools /scrolled"]["lines"] == ["part 1", "part 2", "part 3", "part 4"]
    assert found["devtools /data.json"]["status"] == 200
    assert found["playwright /consent"]["h1"] == "declined"
    assert found["playwright /pictures"]["h1"] == "Seen"
    assert found["playwright /gone"]["status"] == 410
    # and what a page asked for by itself is data
    (data,) = found["devtools /after-click"]["xhr"]
    assert (data["status"], json.loads(data["body"])[0]) == (200, {"title": "one"})
    # and pictures and films were not asked for
    assert not {"/big.png", "/film.mp4"} & set(site.paths)
    # and each took a token, one browser a tool was started, and the key was told to nobody
    assert "'rate_limit/127.0.0.1/requests': 10" in ran.err
    assert firecrawl.keys == [f"Bearer {KEY}"] * 2
    assert KEY not in ran.err


@pytest.mark.long
@pytest.mark.usefixtures("chromium")
def test_a_page_that_hangs_its_browser_ends_by_the_deadline_and_the_next_is_well(
    site: HostileSite, tmp_path: Path
) -> None:
    seen, _ = fetch(
        tmp_path,
        asked(site, "/busy", "devtools", dont_retry=True),
        asked(site, "/drawn", "devtools"),
        DEVTOOLS_TIMEOUT="5",
        PLAYWRIGHT_PAGES="1",
    )

    busy, drawn = (by_tool(seen)[f"devtools /{name}"] for name in ("busy", "drawn"))
    assert busy["error"] == "ToolFailed: devtools was not ready after 5 s"
    assert drawn["h1"] == "It was drawn"


def test_a_browser_that_is_not_there_is_the_tools_own_failure_and_the_site_s_circuit_stays_closed(
    site: HostileSite, tmp_path: Path
) -> None:
    seen, ran = fetch(
        tmp_path,
        *(asked(site, "/drawn", "devtools") for _ in range(4)),
        asked(site, "/static", "http"),
        DEVTOOLS_URL="http://127.0.0.1:9",
        CIRCUIT_BREAKER_FAILURES="2",
        CONCURRENT_REQUESTS="1",
        RETRY_RULES='{"tool": {"attempts": 1}}',
    )

    failed = [one["error"] for one in seen if "error" in one]
    assert len(failed) == 4
    assert all(words.startswith("ToolFailed: ") for words in failed)
    assert "ToolFailed: not asked: devtools rests for every site" in failed
    assert [one["h1"] for one in seen if "h1" in one] == ["It stands here"]
    assert "circuit_breaker" not in ran.err


@pytest.mark.further
@pytest.mark.usefixtures("chromium")
def test_a_killed_browser_and_a_killed_driver_are_replaced_and_a_page_that_never_settles_is_taken(
    site: HostileSite, tmp_path: Path
) -> None:
    with crawling(site, tmp_path, "/restless", DEVTOOLS_TIMEOUT="6", RETRY_RULES=AT_ONCE) as crawl:
        (browser,) = browsers_of(crawl)

        browser.kill()
        wait_until(lambda: site.paths.count("/restless") == 2, every=0.05)
        (driver,) = drivers_of(crawl)
        driver.kill()
        said = crawl.communicate(timeout=60)[1]

    # Then nothing is lost: the third visit takes the page as it is, before the deadline
    seen = seen_once(tmp_path)
    assert (seen["h1"], seen["unsettled"]) == ("Never done", True), said
    assert seen["seconds"] < 6
    assert site.paths.count("/restless") == 3
    assert "'tools/devtools/failures': 2" in said
    assert not lives(browser)


@pytest.mark.long
@pytest.mark.usefixtures("chromium")
def test_a_browser_that_hangs_is_replaced_and_nothing_is_lost(
    site: HostileSite, tmp_path: Path
) -> None:
    with crawling(site, tmp_path, "/restless", DEVTOOLS_TIMEOUT="8") as crawl:
        (browser,) = browsers_of(crawl)

        browser.suspend()
        said = crawl.communicate(timeout=60)[1]

    assert seen_once(tmp_path)["h1"] == "Never done", said
    assert "'tools/devtools/failures'" in said
    assert not lives(browser)


@pytest.mark.usefixtures("chromium")
def test_a_crawl_that_is_killed_leaves_no_browser(site: HostileSite, tmp_path: Path) -> None:
    with crawling(site, tmp_path, "/restless") as crawl:
        all_of_it = psutil.Process(crawl.pid).children(recursive=True)
        assert len(all_of_it) > 3

        crawl.kill()
        crawl.communicate(timeout=10)

        wait_until(lambda: not any(map(lives, all_of_it)), every=0.2)


@pytest.mark.further
@pytest.mark.usefixtures("chromium")
def test_a_browser_goes_through_the_proxies_of_the_crawl(site: HostileSite, tmp_path: Path) -> None:
    with running("tinyproxy", "me", "s3cret") as proxy:
        seen, ran = fetch(
            tmp_path,
            asked(site, "/drawn", "devtools"),
            PROXIES=proxy.with_password("me", "s3cret"),
            MIN_PROXIES="1",
            PROXY_HEALTH_FILE=f"{tmp_path}/proxies.json",
        )
        carried = proxy.asked

    assert [one.get("h1") for one in seen] == ["It was drawn"], ran.err
    assert any("/drawn" in one for one in carried)
    assert "s3cret" not in ran.err


def test_what_firecrawl_says_of_itself_is_not_taken_for_the_sites_word(
    site: HostileSite, firecrawl: OwnFirecrawl, tmp_path: Path
) -> None:
    # Given one that works on a page for longer, and one that is at its limit
    working = {"success": False, "code": "SCRAPE_TIMEOUT", "error": "still at it"}
    details = {"details": {"state": "processing_continues", "retryAfterSeconds": 0.1}}
    limit = {"success": False, "error": "Rate limit exceeded, retry after 1s, resets at noon"}
    broken = {"success": False, "code": "SCRAPE_ALL_ENGINES_FAILED", "error": "no engine"}
    firecrawl.faults = {
        f"{site.url}/static": [Fails(408, {**working, **details}), Fails(429, limit)],
        f"{site.url}/drawn": [Fails(500, broken)],
    }

    seen, ran = fetch(
        tmp_path,
        asked(site, "/static", "firecrawl"),
        asked(site, "/drawn", "firecrawl"),
        FIRECRAWL_URL=firecrawl.url,
        CONCURRENT_REQUESTS="1",
    )

    assert {one["path"] for one in seen if one.get("status") == 200} == {"/static", "/drawn"}
    assert "firecrawl rests 1 s for every site" in ran.err
    assert "circuit_breaker" not in ran.err


def test_firecrawl_without_credits_is_left_alone(
    site: HostileSite, firecrawl: OwnFirecrawl, tmp_path: Path
) -> None:
    none_left = {"success": False, "error": "Insufficient credits"}
    firecrawl.faults = {f"{site.url}/static": [Fails(402, none_left)]}

    seen, _ = fetch(
        tmp_path,
        asked(site, "/static", "firecrawl"),
        asked(site, "/drawn", "firecrawl"),
        FIRECRAWL_URL=firecrawl.url,
        CONCURRENT_REQUESTS="1",
        RETRY_RULES='{"tool": {"attempts": 1}}',
    )

    errors = {one["path"]: one["error"] for one in seen}
    assert "its credits are used up" in errors["/static"]
    assert errors["/drawn"] == "ToolFailed: not asked: firecrawl rests for every site"
    assert len(firecrawl.asked) == 1


def test_a_tool_that_nobody_knows_is_refused_in_words(site: HostileSite, tmp_path: Path) -> None:
    seen, _ = fetch(tmp_path, asked(site, "/static", "magic"), asked(site, "/static", "firecrawl"))

    errors = sorted(one["error"] for one in seen)
    assert errors[0].startswith("BadInput: A request asks for Firecrawl, and FIRECRAWL_URL is")
    assert "'magic'; write http, firecrawl, devtools, playwright, auto (and which in" in errors[1]


@pytest.mark.further
@pytest.mark.usefixtures("chromium")
def test_the_tool_that_brings_what_is_required_is_found_and_goes_first_from_then_on(
    site: HostileSite, tmp_path: Path
) -> None:
    site.asked.clear()

    seen, ran = fetch(
        tmp_path,
        *(asked(site, "/drawn", "auto") for _ in range(5)),
        asked(site, "/wall", "auto"),
        TOOLS="http,devtools",
        REQUIRED_FIELDS="h1,path",
        CONCURRENT_REQUESTS="1",
    )

    # Then each page has come once, by the tool that brought most of it
    drawn = [(one["h1"], one["tool"]) for one in seen if one["path"] == "/drawn"]
    assert drawn == [("It was drawn", "devtools")] * 5, ran.err
    # and after three successes the cheaper one was not asked any more, but where it had begun
    assert site.paths.count("/drawn") in (3 * 2 + 2, 4 * 2 + 1)
    # and a refusal is no reason to ask again
    assert site.paths.count("/wall") == 1


def test_what_was_had_stays_where_the_next_tool_brings_no_answer(
    site: HostileSite, tmp_path: Path
) -> None:
    seen, ran = fetch(
        tmp_path,
        asked(site, "/drawn", "auto"),
        TOOLS="http,devtools",
        REQUIRED_FIELDS="h1",
        DEVTOOLS_URL="http://127.0.0.1:9",
        RETRY_RULES='{"tool": {"attempts": 1}}',
    )

    assert [(one["h1"], one["tool"]) for one in seen] == [(None, "http")], ran.err


def test_tools_without_what_they_are_tried_for_are_refused(tmp_path: Path) -> None:
    _, none_required = fetch(tmp_path, TOOLS="http,devtools")
    _, nowhere = fetch(tmp_path, TOOLS="http,firecrawl", REQUIRED_FIELDS="h1")

    assert (none_required.status, nowhere.status) == (2, 2)
    assert "REQUIRED_FIELDS is empty" in none_required.err
    assert "FIRECRAWL_URL is empty" in nowhere.err


def test_a_crawl_that_asks_for_no_tool_imports_none() -> None:
    code = (
        "import sys; from scrapy.utils.reactor import install_reactor;"
        "install_reactor('twisted.internet.asyncioreactor.AsyncioSelectorReactor');"
        "from scrapy import Spider; from scrapy.crawler import Crawler;"
        "from scrapy.utils.misc import build_from_crawler, load_object;"
        "from scrapy.utils.project import get_project_settings;"
        "crawler = Crawler(type('S', (Spider,), {'name': 's'}), get_project_settings());"
        "crawler._apply_settings();"
        "build_from_crawler(load_object(crawler.settings['DOWNLOAD_HANDLERS']['http']), crawler);"
        "tools = 'n8n_scraper.crawl.tools.toolbox';"
        "print([name for name in sys.modules if name.startswith(('playwright', tools))])"
    )

    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )

    assert ran.stdout.strip() == "[]"


def crawling(site: HostileSite, folder: Path, path: str, **settings: str) -> Any:
    """Start a crawl of one page by DevTools, and wait until its browser looks at it."""
    return _Crawling(site, folder, path, settings)


class _Crawling:
    def __init__(
        self, site: HostileSite, folder: Path, path: str, settings: dict[str, str]
    ) -> None:
        wanted = json.dumps([asked(site, path, "devtools")])
        self._site, self._path = site, path
        self._child = child(
            [
                *(sys.executable, "-m", "scrapy", "crawl", "tools", *SPIDERS),
                *("-O", folder / "seen.jsonl", "-a", f"wanted={wanted}"),
            ],
            cwd=PROJECT,
            env={**os.environ, "RATE_LIMIT_RATE": "0", **settings},
            stderr=subprocess.PIPE,
        )

    def __enter__(self) -> subprocess.Popen[str]:
        self._site.asked.clear()
        process = self._child.__enter__()
        wait_until(lambda: self._path in self._site.paths, every=0.05)
        return process

    def __exit__(self, *error: Any) -> None:
        self._child.__exit__(*error)


def browsers_of(crawl: subprocess.Popen[str]) -> list[psutil.Process]:
    """The browsers that a crawl has started itself."""
    own = psutil.Process(crawl.pid).children()
    return [one for one in own if "--headless" in one.cmdline()]


def drivers_of(crawl: subprocess.Popen[str]) -> list[psutil.Process]:
    """The processes through which it speaks to them."""
    own = psutil.Process(crawl.pid).children()
    return [one for one in own if "run-driver" in one.cmdline()]


def seen_once(folder: Path) -> dict[str, Any]:
    """What came of the one page of a crawl."""
    (line,) = (folder / "seen.jsonl").read_text().splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def lives(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


def test_every_page_of_the_site_is_tried() -> None:
    told = Path(__file__).read_text()

    assert [path for path in PAGES if f'"{path}"' not in told] == []
