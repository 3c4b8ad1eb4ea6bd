"""Crawls that the site judges by its own log: small ones for the suite, long ones for the bench."""

import re
import time
import urllib.request
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from tests.crawling import Ran, rows, scrapy, site
from tests.server_side import Log, inside_windows, statuses

ARCHIVE = "judged.db"
"""Where in its folder a crawl that is judged keeps what it finds."""
TRANSIENT = ["429", "500", "502", "503", "504"]
TRANSIENT += ["reset", "timeout", "truncated", "empty", "garbage", "drip"]
WITH_MOMENTS = ("-s", "LOG_FORMAT=%(created)f %(levelname)s %(message)s")
"""Lets a crawl say when it has heard what."""
_HEARD = re.compile(r"^([\d.]+) INFO \S+ asks to be left alone", re.MULTILINE)
CATEGORY_OF_FAULT = {
    "429": "rate_limited",
    "500": "server_error",
    "502": "server_error",
    "503": "server_error",
    "504": "server_error",
    "reset": "network",
    "timeout": "timeout",
    "truncated": "truncated",
    "empty": "bad_content",
    "garbage": "bad_content",
    "drip": "timeout",
}


def category_is_right(record: dict, text: str) -> bool:
    """Whether a log names this faulty answer in a category that is true of it."""
    right = [category_of(record)]
    if record["fault"] == "garbage":  # half of an answer under a good length
        right.append("truncated")
    return any(f"{record['path']} ({category})" in text for category in right)


def category_of(record: dict) -> str:
    """The category that a faulty answer must be given."""
    if record["fault"] == "reset" and record["status"] is not None:
        return "truncated"  # it broke off in the middle of the body
    return CATEGORY_OF_FAULT[record["fault"]]


@dataclass(frozen=True)
class Judged:
    """A crawl, and what the site saw of it."""

    ran: Ran
    log: Log
    url: str

    def outcomes(self) -> dict[str, int]:
        """How many templates ended how."""
        query = "SELECT outcome, count(*) FROM scrape_run_items GROUP BY outcome"
        return dict(rows(self.url, query))

    def inside_windows(self, seconds: float) -> int:
        """How many requests came though the crawl had heard that the site wants to be left alone.

        It was told `WITH_MOMENTS`, and every refusal was for so many seconds.
        """
        began = time.time() - time.monotonic()
        heard = [float(moment) - began for moment in _HEARD.findall(self.ran.err)]
        assert len(heard) == statuses(self.log).get(429, 0)
        return inside_windows(self.log, seconds, heard)

    def asked(self) -> dict[str, list[dict]]:
        """The requests for each path, in their order."""
        by_path = defaultdict(list)
        for record in self.log:
            by_path[record["path"]].append(record)
        return by_path


def templates_with_faults(judged: Judged) -> set[str]:
    """The ids of the templates of which some answer was spoilt."""
    paths = (record["path"] for record in judged.log if record["fault"])
    return {re.search(r"/(\d+)(?=-|/|$)", path)[1] for path in paths}


def crawl_judged(
    stand_in: RunningStandIn,
    folder: Path,
    *arguments: str,
    seconds: float = 110,
    **settings: object,
) -> Judged:
    """Crawl, and give the site's log of it."""
    url = f"sqlite:///{folder}/{ARCHIVE}"
    environment = {**site(stand_in), "DATABASE_URL": url}
    environment |= {name: str(value) for name, value in settings.items()}
    ran = scrapy("crawl", "workflows", *arguments, environment=environment, seconds=seconds)
    return Judged(ran, stand_in.log(), url)


def warm_up(stand_in: RunningStandIn) -> None:
    """Let the stand-in make up its answers before it is measured."""
    for number in stand_in.ids:
        truth = stand_in.truth(number)
        for path in (f"/api/templates/workflows/{number}", truth.path, "/sitemap-workflows.xml"):
            request = urllib.request.Request(
                stand_in.url.rstrip("/") + path, headers={"User-Agent": "warm-up"}
            )
            urllib.request.urlopen(request).read()
    stand_in.reset()
