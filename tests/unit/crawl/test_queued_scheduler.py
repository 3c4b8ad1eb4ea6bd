"""Scrapy's own queues at our pace: who leaves when, and what a stop writes down."""

from pathlib import Path
from types import SimpleNamespace

from scrapy import Request, Spider
from scrapy.utils.test import get_crawler

from n8n_scraper.crawl.queued_scheduler import PacedQueue, QueuedScheduler, gate_of
from n8n_scraper.crawl.scheduler import FAILED_AT, NOT_BEFORE
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.testing.clock import MovableClock
from tests.unit.scheduling import hear, leaving


class Queues:
    """A scheduler with a clock one can move, and an engine that only counts its wake-ups."""

    def __init__(self, jobdir: Path | None = None, rate: float = 1.0) -> None:
        settings = {
            "SCHEDULER_PRIORITY_QUEUE": PacedQueue,
            "JOBDIR": str(jobdir) if jobdir else None,
            "RATE_LIMIT_RATE": rate,
            "RATE_LIMIT_BURST": 1,
            "CIRCUIT_BREAKER_HOLD": 60,
            "CIRCUIT_BREAKER_HOLD_CAP": 900,
            "CIRCUIT_BREAKER_FAILURES": 10,
        }
        self.clock = MovableClock(100.0)
        self.alarms: list[float | None] = []
        crawler = get_crawler(settings_dict=settings)
        slots: dict[str, SimpleNamespace] = {}
        downloader = SimpleNamespace(
            slots=slots, get_slot_key=lambda request: request.meta["download_slot"]
        )
        nextcall = SimpleNamespace(schedule=lambda: None)
        crawler.engine = SimpleNamespace(
            downloader=downloader, _slot=SimpleNamespace(nextcall=nextcall)
        )
        gate = gate_of(crawler)
        gate.paces.clock = self.clock
        gate.paces.wall_clock = lambda: 1_000.0
        gate.wake_in = self.alarms.append
        self.paces = gate.paces
        self.scheduler = QueuedScheduler.from_crawler(crawler)
        self.scheduler.open(Spider.from_crawler(crawler, "any"))

    def enter(self, *urls: str, **arguments: object) -> None:
        for url in urls:
            self.scheduler.enqueue_request(Request(url, **arguments))

    def leaving(self) -> list[str]:
        return leaving(self.scheduler, self.paces)


def test_a_request_leaves_when_its_domain_has_a_token_and_not_before() -> None:
    queues = Queues(rate=2)
    queues.enter("http://site.example/a", "http://site.example/b")

    assert len(queues.leaving()) == 1
    assert queues.alarms == [0.5]
    queues.clock.move(0.5)
    assert len(queues.leaving()) == 1
    assert not queues.scheduler.has_pending_requests()


def test_hosts_of_one_domain_share_its_tokens_and_others_need_not_wait() -> None:
    queues = Queues()
    queues.enter("http://www.site.com/", "http://api.site.com/", "http://other.com/")

    left = queues.leaving()

    assert len(left) == 2
    assert "http://other.com/" in left


def test_an_address_that_was_seen_is_not_asked_again() -> None:
    queues = Queues(rate=0)
    queues.enter("http://site.example/a", "http://site.example/a")

    assert queues.leaving() == ["http://site.example/a"]


def test_a_repeat_with_a_time_of_its_own_waits_for_it() -> None:
    queues = Queues(rate=0)
    queues.enter("http://site.example/again", meta={NOT_BEFORE: 103.0}, dont_filter=True)

    assert queues.leaving() == []
    assert queues.alarms == [3.0]
    assert queues.scheduler.has_pending_requests()
    queues.clock.now = 103.0
    assert queues.leaving() == ["http://site.example/again"]


def test_what_waits_at_a_stop_is_found_by_the_next_process(tmp_path: Path) -> None:
    # Given three that wait at a stop, one of them for a time of its own
    stopped = Queues(tmp_path, rate=2)
    stopped.enter("http://site.example/a", "http://site.example/b")
    stopped.enter("http://site.example/again", meta={NOT_BEFORE: 999.0}, dont_filter=True)
    stopped.scheduler.close("shutdown")

    # When another process opens the same directory
    later = Queues(tmp_path, rate=0)
    left = later.leaving()
    later.scheduler.close("finished")

    # Then it has them all
    assert sorted(left) == [
        "http://site.example/a",
        "http://site.example/again",
        "http://site.example/b",
    ]


def test_a_stop_writes_down_no_time_of_a_clock_that_ends_with_its_process(tmp_path: Path) -> None:
    # Given a repeat that failed ten seconds before the stop, at 90 on the clock of its process
    stopped = Queues(tmp_path)
    departure = {"sent_at": 80.0, "waiting_since": 70.0, "as_probe": False}
    stopped.enter("http://site.example/a", meta={FAILED_AT: 90.0, **departure})
    stopped.scheduler.close("shutdown")

    # When a process with another clock goes on five seconds later
    later = Queues(tmp_path)
    later.clock.now, later.paces.wall_clock = 7.0, lambda: 1_005.0
    request = later.scheduler.next_request()
    later.scheduler.close("finished")

    # Then the failure is fifteen seconds old, and nothing else is left
    assert request is not None
    assert request.meta[FAILED_AT] == 7.0 - 15.0
    assert not {"sent_at", "waiting_since"} & request.meta.keys()


def test_while_a_site_is_in_doubt_a_witness_is_asked_and_nobody_else_leaves() -> None:
    queues = Queues(rate=0)
    pace = queues.paces.of_domain("site.example")
    pace.witnesses.note("site.example", "http://site.example/answered")
    for _ in range(10):
        hear(queues.paces, pace, Category.SERVER_ERROR, host="site.example")
    queues.enter("http://site.example/a")

    assert queues.leaving() == ["http://site.example/answered"]
    hear(queues.paces, pace, None, probe=pace.probe)
    assert queues.leaving() == ["http://site.example/a"]
