"""A whole crawl beside a spider that does nothing, on the same stand-in: `make bench`."""

import os
import re
import subprocess
import threading
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import median
from types import TracebackType
from urllib.request import urlopen

import psutil
import pytest

from n8n_scraper.core.packing import pack
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import Ran, rows, scrapy, site
from tests.politeness import warm_up

TURNS = 5

Crawl = Callable[[RunningStandIn, Path], Ran]

Crawl = Callable[[RunningStandIn, Path], Ran]

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]


def addresses(stand_in: RunningStandIn) -> list[str]:
    """The three answers of every template, as a full chain asks for them."""
    base = stand_in.url.rstrip("/")
    return [
        base + path
        for number in stand_in.ids
        for path in (
            f"/api/templates/workflows/{number}",
            f"/api/workflows/templates/{number}",
            stand_in.truth(number).path,
        )
    ]


def rate(stand_in: RunningStandIn) -> float:
    """Answers a second by the site's own log, between the first and the last for a template."""
    log = [record for record in stand_in.log() if "/workflows/" in record["path"]]
    return len(log) / (log[-1]["ended"] - log[0]["t"])


def bare(stand_in: RunningStandIn, folder: Path) -> Ran:
    (folder / "addresses").write_text("\n".join(addresses(stand_in)))
    spider = str(Path(__file__).with_name("bare_spider.py"))
    environment = {"SCRAPY_SETTINGS_MODULE": "", "PYTHONPATH": "", "HOME": str(folder)}
    return scrapy(
        *("runspider", spider, "-a", f"addresses={folder}/addresses"),
        environment=environment,
        tell_memory=True,
        folder=folder,
    )


class PeakOfAll:
    """Watches what a crawl takes at its peak with all its processes, in MB.

    What processes share is counted once in `shared_once`, and for each of them in `each`.
    """

    def __init__(self) -> None:
        self.shared_once = self.each = 0
        self._others = set(psutil.Process().children(recursive=True))
        self._over = threading.Event()
        self._watching = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "PeakOfAll":
        self._watching.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._watching.join()

    def _watch(self) -> None:
        while not self._over.wait(0.25):
            crawl = set(psutil.Process().children(recursive=True)) - self._others
            taken = [one for process in crawl if (one := _megabytes(process.pid))]
            self.shared_once = max(self.shared_once, sum(pss for pss, _ in taken))
            self.each = max(self.each, sum(rss for _, rss in taken))


def _megabytes(pid: int) -> tuple[int, int] | None:
    """Give the fair share of a process and all that it sees; None when it is gone."""
    with suppress(OSError, TypeError):
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        pss, rss = (
            int(re.search(rf"^{name}:\s+(\d+)", text, re.MULTILINE)[1])  # type: ignore[index]
            for name in ("Pss", "Rss")
        )
        return pss // 1024, rss // 1024
    return None


def ours(stand_in: RunningStandIn, folder: Path) -> Ran:
    environment = {**site(stand_in), "DATABASE_URL": f"sqlite:///{folder}/a.db"}
    return scrapy("crawl", "workflows", environment=environment, tell_memory=True)


CRAWLEE = """
import asyncio, re, sys
from crawlee.crawlers import HttpCrawler
from crawlee import ConcurrencySettings
from crawlee.storage_clients import MemoryStorageClient

async def main():
    crawler = HttpCrawler(
        storage_client=MemoryStorageClient(), configure_logging=False,
        concurrency_settings=ConcurrencySettings(desired_concurrency=16, max_concurrency=16),
    )
    @crawler.router.default_handler
    async def nothing(context): pass
    await crawler.run(open(sys.argv[1]).read().split())

asyncio.run(main())
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


def test_everything_on_is_measured_beside_a_bare_spider(tmp_path: Path) -> None:
    crawls = {"bare Scrapy": bare, "n8n-scraper": ours}
    rates: dict[str, list[float]] = {name: [] for name in crawls}
    peaks = {}
    with running_stand_in(templates=400) as stand_in:
        warm_up(stand_in)
        # One after the other in turn, because the machine may be busy elsewhere for a while.
        for turn in range(TURNS):
            for name, crawl in crawls.items():
                run_in(tmp_path / f"{turn}", crawl, stand_in)
                rates[name].append(rate(stand_in))
                stand_in.reset()
        # To watch the memory takes time that a crawl with two cores would need itself.
        for name, crawl in crawls.items():
            with PeakOfAll() as peaks[name]:
                run_in(tmp_path / "watched", crawl, stand_in)
        stored = rows(f"sqlite:///{tmp_path}/watched/a.db", "SELECT count(*) FROM workflows")
        assert stored == [(400,)]
        if python := os.environ.get("CRAWLEE_PYTHON"):  # an environment that has crawlee
            command = [python, "-c", CRAWLEE, f"{tmp_path}/0/addresses"]
            stand_in.reset()
            done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
            megabytes = int(done.stdout.split()[-1]) // 1024
            print(f"\ncrawlee, doing nothing: {rate(stand_in):.0f} answers/s, {megabytes} MB")

    for name, peak in peaks.items():
        print(f"\n{name}: {median(rates[name]):.0f} answers/s")
        print(f"all processes at the peak {peak.shared_once} MB", end=" ")
        print(f"(with what they share counted for each of them {peak.each} MB)")
    both = zip(rates["n8n-scraper"], rates["bare Scrapy"], strict=True)
    shares = [mine / theirs for mine, theirs in both]
    print(f"share of a bare spider's answers a second: {median(shares):.2f}", end=" ")
    print(f"({min(shares):.2f} to {max(shares):.2f} in {TURNS} turns)")
    assert peaks["n8n-scraper"].shared_once < 200
    assert median(shares) >= 0.5


def run_in(folder: Path, crawl: Crawl, stand_in: RunningStandIn) -> None:
    folder.mkdir(exist_ok=True)
    ran = crawl(stand_in, folder)
    assert ran.status == 0, ran.err


def test_zstd_takes_hardly_more_room_than_zlib_and_half_its_time() -> None:
    with running_stand_in(templates=100) as stand_in:
        bodies = [urlopen(address).read() for address in addresses(stand_in)]

    taken, sizes = {}, {}
    for name, squeeze in (("zlib", zlib.compress), ("zstd", pack)):
        began = time.process_time()
        sizes[name] = sum(len(squeeze(body)) for body in bodies)
        taken[name] = time.process_time() - began
        print(f"\n{name}: {sizes[name]:,} of {sum(map(len, bodies)):,} bytes, {taken[name]:.2f} s")

    assert sizes["zstd"] < 1.1 * sizes["zlib"]
    assert taken["zstd"] < taken["zlib"] / 2


def test_memory_does_not_grow_with_the_catalogue(tmp_path: Path) -> None:
    peaks = {}
    for templates in (500, 13_000):
        folder = tmp_path / str(templates)
        folder.mkdir()
        with running_stand_in(templates=templates) as stand_in:
            ran = scrapy(
                *("crawl", "workflows", "-a", "chain=lean"),
                environment={**site(stand_in), "DATABASE_URL": f"sqlite:///{folder}/a.db"},
                tell_memory=True,
                seconds=900,
            )
        assert ran.status == 0, ran.err[-500:]
        peaks[templates] = int(ran.out.split()[-1]) // 1024
        print(f"\n{templates:,} templates: {peaks[templates]} MB at the peak")

    assert peaks[13_000] < 250
    assert peaks[13_000] < 1.25 * peaks[500]
