"""Pages that need a browser, or only seem to, and a crawl that asks for them with any tool."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.crawl.tools.tool_settings import BROWSERS
from n8n_scraper.testing.hostile_site import HostileSite, Says, hostile_site
from tests.crawling import Ran, scrapy

SPIDERS = ("-s", "SPIDER_MODULES=n8n_scraper.spiders,tests.integration.tools_spider")
HTML = {"Content-Type": "text/html; charset=utf-8"}
JSON = {"Content-Type": "application/json"}

STATIC = "<html><body><h1>It stands here</h1></body></html>"
DRAWN = """<html><body><div id=a></div><script>
document.getElementById("a").innerHTML = "<h1>It was " + "drawn</h1>";</script></body></html>"""
AFTER_CLICK = """<html><body><button id=more>More</button><ul></ul><script>
document.getElementById("more").onclick = async () => {
  for (const one of await (await fetch("/data.json")).json())
    document.querySelector("ul").innerHTML += "<li>" + one.title + "</li>"; };
</script></body></html>"""
SCROLLED = """<html><body><div id=end style="height:10px"></div><script>
let n = 0;
new IntersectionObserver(async (seen) => { if (seen[0].isIntersecting && n < 4) {
  n += 1; const got = await (await fetch("/part.json?" + n)).json();
  const p = document.createElement("p"); p.style.height = "1500px"; p.textContent = got.text + n;
  document.body.insertBefore(p, document.getElementById("end")); } }
).observe(document.getElementById("end"));</script></body></html>"""
CONSENT = """<html><body><div role=dialog class=cookie-box>May we?
<button onclick="show('agreed')">Accept all</button>
<button onclick="show('declined')">Reject all</button></div><main></main><script>
function show(how) { document.querySelector("[role=dialog]").remove();
  document.querySelector("main").innerHTML = "<h1>" + how + "</h1>"; }</script></body></html>"""
RESTLESS = """<html><body><h1>Never done</h1><script>
(async () => { for (;;) await fetch("/slow.json", {cache: "no-store"}); })();
</script></body></html>"""
BUSY = """<html><body><h1>Busy</h1><script>setTimeout(() => { for (;;) {} }, 50);</script>"""
WITH_PICTURES = """<html><body><h1>Seen</h1><img src="/big.png"><video src="/film.mp4"></video>
</body></html>"""

PAGES = {
    "/static": STATIC,
    "/drawn": DRAWN,
    "/after-click": AFTER_CLICK,
    "/scrolled": SCROLLED,
    "/consent": CONSENT,
    "/restless": RESTLESS,
    "/busy": BUSY,
    "/pictures": WITH_PICTURES,
}
DATA = [{"title": "one"}, {"title": "two"}]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser that is installed."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("In CI nothing may be skipped: no Chromium")
        pytest.skip("SKIPPED WITHOUT CHROMIUM: install one (Debian: apt install chromium)")
    return found


@contextmanager
def site_of_pages() -> Iterator[HostileSite]:
    """Serve all of them, and what they ask for."""
    answers = {path: Says(text.encode(), headers=HTML) for path, text in PAGES.items()}
    answers["/data.json"] = Says(json.dumps(DATA).encode(), headers=JSON)
    answers["/slow.json"] = Says(b"[]", headers=JSON, seconds=0.1)
    for number in range(1, 6):
        said = json.dumps({"text": "part "}).encode()
        answers[f"/part.json?{number}"] = Says(said, headers=JSON)
    answers["/gone"] = Says(b"<html>it is gone</html>", 410, HTML)
    answers["/wall"] = Says(b"<html>not for you</html>", 403, HTML)
    with hostile_site(answers) as site:
        yield site


def fetch(
    folder: Path, *requests: dict[str, Any], **settings: str
) -> tuple[list[dict[str, Any]], Ran]:
    """Crawl these requests, each `{"url": …, "meta": …}`; give what came of each, and the crawl."""
    feed = folder / "seen.jsonl"
    ran = scrapy(
        *("crawl", "tools", *SPIDERS, "-O", str(feed), "-a", f"wanted={json.dumps(requests)}"),
        environment={
            "RATE_LIMIT_RATE": "0",
            "ROBOTSTXT_OBEY": "0",
            "LOG_LEVEL": "INFO",
            **settings,
        },
    )
    lines = feed.read_text().splitlines() if feed.exists() else []
    return [json.loads(line) for line in lines], ran


def by_tool(seen: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Give what came, by tool and path."""
    return {f"{one['tool']} {one['path']}": one for one in seen}
