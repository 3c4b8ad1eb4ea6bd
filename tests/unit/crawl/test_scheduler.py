"""The waiting room: who leaves when."""

from types import SimpleNamespace

from scrapy import Request, signals
from scrapy.exceptions import IgnoreRequest
from scrapy.http import TextResponse
from scrapy.signalmanager import SignalManager

from n8n_scraper.crawl.gate import AS_PROBE, Gate
from n8n_scraper.crawl.judgement import judge
from n8n_scraper.crawl.pacing import Paces
from n8n_scraper.crawl.scheduler import FAILED_AT, NOT_BEFORE, PacedScheduler
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.token_bucket import BucketLimits
from n8n_scraper.testing.clock import MovableClock
from tests.unit.scheduling import hear, leaving


class Room:
    """A scheduler with a clock one can move, and an engine that only counts its wake-ups."""

    def __init__(self, rate: float = 1.0, burst: int = 1, **limits: BucketLimits) -> None:
        self.clock = MovableClock(100.0)
        self.slots: dict[str, SimpleNamespace] = {}
        self.alarms: list[float | None] = []
        engine = SimpleNamespace(downloader=SimpleNamespace(slots=self.slots))
        paces = Paces(BucketLimits(rate, burst), limits, clock=self.clock)
        self.signals = SignalManager()
        crawler = SimpleNamespace(engine=engine, signals=self.signals, spider=None)
        gate = Gate(paces, crawler)
        gate.wake_in = self.alarms.append
        self.scheduler = PacedScheduler(gate)
        self.paces = paces

    def enter(self, url: str, **arguments: object) -> Request:
        request = Request(url, **arguments)
        self.scheduler.enqueue_request(request)
        return request

    def leaving(self) -> list[str]:
        return leaving(self.scheduler, self.paces)


def test_a_request_leaves_when_its_domain_has_a_token_and_not_before() -> None:
    room = Room(rate=2, burst=1)
    for path in "abc":
        room.enter(f"http://site.example/{path}")

    assert room.leaving() == ["http://site.example/a"]
    assert room.alarms == [0.5]
    room.clock.move(0.5)
    assert room.leaving() == ["http://site.example/b"]
    assert room.scheduler.has_pending_requests()


def test_hosts_of_one_domain_share_its_tokens() -> None:
    room = Room(rate=1, burst=1)
    room.enter("http://www.site.com/")
    room.enter("http://api.site.com/")

    assert len(room.leaving()) == 1


def test_a_domain_that_must_wait_keeps_no_other_from_leaving() -> None:
    room = Room(rate=0, **{"slow.example": BucketLimits(0.1, 1)})
    for number in range(5):
        room.enter(f"http://slow.example/{number}")
        room.enter(f"http://quick.example/{number}")

    left = room.leaving()

    assert [url for url in left if "slow" in url] == ["http://slow.example/0"]
    assert len([url for url in left if "quick" in url]) == 5


def test_what_is_nearly_through_goes_first_and_otherwise_who_came_first() -> None:
    room = Room(rate=0)
    room.enter("http://site.example/first")
    room.enter("http://site.example/second")
    room.enter("http://site.example/late-step", priority=2)

    assert room.leaving() == [
        "http://site.example/late-step",
        "http://site.example/first",
        "http://site.example/second",
    ]


def test_a_request_with_a_time_of_its_own_waits_for_it_and_holds_up_nobody() -> None:
    room = Room(rate=0)
    room.enter("http://site.example/again", meta={NOT_BEFORE: 103.0}, priority=9)
    room.enter("http://site.example/now")

    assert room.leaving() == ["http://site.example/now"]
    assert room.alarms == [3.0]
    room.clock.move(3.0)
    assert room.leaving() == ["http://site.example/again"]
    assert not room.scheduler.has_pending_requests()


def test_a_domain_with_all_its_places_taken_waits_without_an_alarm() -> None:
    room = Room(rate=0)
    room.slots["site.example"] = SimpleNamespace(
        active={1, 2}, concurrency=2, lastseen=0.0, delay=0.0
    )
    room.enter("http://site.example/")

    assert room.leaving() == []
    assert room.alarms == [None]  # a finished download wakes the engine


def test_the_delay_that_autothrottle_asks_for_is_kept_before_the_token_is_taken() -> None:
    room = Room(rate=0)
    room.slots["site.example"] = SimpleNamespace(
        active=set(), concurrency=8, lastseen=99.0, delay=3.0
    )
    room.enter("http://site.example/")

    assert room.leaving() == []
    assert room.alarms == [2.0]


def test_nobody_is_let_out_for_a_token_that_another_is_about_to_take() -> None:
    room = Room(rate=1, burst=1)
    room.enter("http://site.example/a")
    room.enter("http://site.example/b")

    first = room.scheduler.next_request()

    assert first is not None
    assert room.scheduler.next_request() is None


def test_who_never_gets_to_the_site_takes_no_token_from_the_next() -> None:
    # Given a request that was let out, and whose answer was in a cache
    room = Room(rate=1, burst=1)
    room.enter("http://site.example/cached")
    room.enter("http://site.example/b")
    assert room.scheduler.next_request() is not None

    # When it is forgotten without having taken its token
    assert room.leaving() == ["http://site.example/b"]


def test_closing_forgets_everybody() -> None:
    room = Room(rate=1)
    room.enter("http://site.example/a")

    room.scheduler.close("shutdown")

    assert not room.scheduler.has_pending_requests()


def doubted(room: Room, *, witness: bool) -> None:
    """Let the site fail so often that it is doubted."""
    pace = room.paces.of_domain("site.example")
    if witness:
        pace.witnesses.note("site.example", "http://site.example/answered")
    for _ in range(10):
        hear(room.paces, pace, Category.SERVER_ERROR, host="site.example")


def test_while_a_site_is_in_doubt_a_witness_is_asked_and_nobody_else_leaves() -> None:
    room = Room(rate=0)
    doubted(room, witness=True)
    room.enter("http://site.example/doomed", meta={FAILED_AT: 99.0})

    assert room.leaving() == ["http://site.example/answered"]
    assert len(room.scheduler) == 1

    pace = room.paces.of_domain("site.example")
    hear(room.paces, pace, None, probe=pace.probe)
    assert room.leaving() == ["http://site.example/doomed"]


def test_without_a_witness_the_probe_is_one_that_has_not_failed() -> None:
    room = Room(rate=0)
    doubted(room, witness=False)
    room.enter("http://site.example/doomed", meta={FAILED_AT: 99.0}, priority=9)
    room.enter("http://site.example/fresh")
    room.clock.now += 60

    probe = room.scheduler.next_request()

    assert probe is not None
    assert (probe.url, probe.meta[AS_PROBE]) == ("http://site.example/fresh", True)


def test_a_witness_is_judged_by_what_its_answer_has_to_be() -> None:
    room = Room(rate=0)
    url = "http://site.example/7"
    room.paces.of_domain("site.example").witnesses.note("site.example", url, "json")
    doubted(room, witness=False)
    room.enter("http://site.example/8")

    question = room.scheduler.next_request()

    # An answer that is cut short is none, whatever its status
    assert question is not None
    cut_short = TextResponse(question.url, body=b'{"id": 7, "na')
    assert judge(question, cut_short) is Category.TRUNCATED


def test_a_witness_that_a_budget_refuses_is_not_asked() -> None:
    room = Room(rate=0)
    doubted(room, witness=True)
    room.enter("http://site.example/promised")

    def refuse(request: Request) -> None:
        raise IgnoreRequest

    room.signals.connect(refuse, signals.request_scheduled)

    assert room.leaving() == ["http://site.example/promised"]
