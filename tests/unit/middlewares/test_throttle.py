"""The last step before a request leaves: its token, and the word of its server."""

import asyncio
from types import SimpleNamespace

import pytest
from scrapy import Request, Spider, signals
from scrapy.exceptions import DownloadConnectionRefusedError, IgnoreRequest
from scrapy.http import Response
from scrapy.robotstxt import ProtegoRobotParser
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.crawl.gate import AS_PROBE, PROBE, SENT_AT
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.scheduler import NOT_BEFORE, WAITING_SINCE
from n8n_scraper.crawl.stopping import Stopped
from n8n_scraper.middlewares.throttle import SERVER_WAIT, ThrottleMiddleware
from n8n_scraper.policies.failure.category import Category
from n8n_scraper.policies.pace.circuit import Mode
from n8n_scraper.policies.pace.pace import Pace
from n8n_scraper.testing.clock import MovableClock
from tests.unit.scheduling import hear, heard

URL = "http://api.site.com/workflows/1"
DOMAIN = "site.com"
SETTINGS = {
    "RATE_LIMIT_RATE": "100",
    "RATE_LIMIT_BURST": "1",
    "RETRY_AFTER_CAP": "3600",
    "CIRCUIT_BREAKER_FAILURES": "10",
    "CIRCUIT_BREAKER_HOLD": "60",
    "CIRCUIT_BREAKER_HOLD_CAP": "900",
}


class Door:
    """The middleware with a crawl around it whose clock can be moved."""

    def __init__(self) -> None:
        self.crawler = get_crawler(settings_dict=SETTINGS)
        self.crawler._apply_settings()
        self.slot = SimpleNamespace(closing=None)
        self.crawler.engine = SimpleNamespace(_slot=self.slot, download_async=self.download)
        self.crawler.spider = None
        self.asked: list[str] = []
        self.failure: Category | None = None
        self.middleware = build_from_crawler(ThrottleMiddleware, self.crawler)
        self.clock = paces_of(self.crawler).clock = MovableClock(100.0)
        self.paces = paces_of(self.crawler)

    async def download(self, question: Request) -> Response:
        """Send a question as the engine does, to a site that may be ill."""
        await self.middleware.process_request(question)
        self.asked.append(question.url)
        pace, left_at = self.paces.of(question), question.meta[SENT_AT]
        probe = question.meta[PROBE]
        await heard(
            self.paces, pace, self.failure, sent_at=left_at, host="api.site.com", probe=probe
        )
        if self.failure:
            raise DownloadConnectionRefusedError
        return Response(question.url)

    def doubt(self) -> Pace:
        """Let the site fail so often that it is doubted."""
        pace = self.paces.of_domain(DOMAIN)
        pace.witnesses.note("api.site.com", URL + "/answered")
        for _ in range(10):
            hear(self.paces, pace, Category.SERVER_ERROR, host="api.site.com")
        return pace

    def let_out(self, request: Request) -> float:
        """Give the moment at which it leaves; it must not have to wait."""
        asyncio.run(asyncio.wait_for(self.middleware.process_request(request), 10))
        return request.meta[SENT_AT]

    def waits(self, request: Request, seconds: float) -> bool:
        """Whether it is kept, and leaves when so much time has passed."""

        async def watch() -> bool:
            leaving = asyncio.ensure_future(self.middleware.process_request(request))
            await asyncio.sleep(0.05)  # several of its looks at the clock
            kept = not leaving.done()
            self.clock.move(seconds)
            await asyncio.wait_for(leaving, 10)
            return kept

        return asyncio.run(watch())

    def answered(self, status: int, **headers: str) -> Request:
        request = Request(URL)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        response = Response(URL, status=status, headers=given)
        assert asyncio.run(self.middleware.process_response(request, response)) is response
        return request

    def held_seconds(self) -> float:
        return self.paces.wait(self.paces.of_domain(DOMAIN)) or 0.0


def test_a_request_takes_its_token_and_notes_when_it_left() -> None:
    door, request = Door(), Request(URL)

    left_at = door.let_out(request)

    assert left_at == 100.0
    assert request.meta["download_slot"] == DOMAIN
    assert door.held_seconds() == pytest.approx(0.01)


def test_without_a_token_it_waits_until_there_is_one() -> None:
    door, second = Door(), Request(URL)
    door.let_out(Request(URL))

    assert door.waits(second, 0.01)
    assert second.meta[SENT_AT] == pytest.approx(100.01)


def test_a_repeat_does_not_leave_before_its_time() -> None:
    door, again = Door(), Request(URL, meta={NOT_BEFORE: 100.02})

    assert door.waits(again, 0.02)
    assert again.meta[SENT_AT] == pytest.approx(100.02)


def test_a_crawl_that_is_being_stopped_waits_for_nobody() -> None:
    door = Door()
    door.let_out(Request(URL))
    door.slot.closing = object()

    with pytest.raises(Stopped):
        door.let_out(Request(URL))


@pytest.mark.parametrize("status", [429, 503])
def test_the_servers_word_holds_for_its_whole_domain(status: int) -> None:
    door = Door()

    request = door.answered(status, Retry_After="7")

    assert request.meta[SERVER_WAIT] == 7
    assert door.held_seconds() == pytest.approx(7)
    assert door.crawler.stats.get_value(f"rate_limit/{DOMAIN}/retry_after") == 1


def test_a_word_that_asks_for_too_much_is_cut() -> None:
    assert Door().answered(429, Retry_After="999999").meta[SERVER_WAIT] == 3600


@pytest.mark.parametrize(("status", "headers"), [(200, {"Retry_After": "7"}), (429, {})])
def test_where_there_is_no_word_nobody_is_held(status: int, headers: dict[str, str]) -> None:
    door = Door()

    request = door.answered(status, **headers)

    assert SERVER_WAIT not in request.meta
    assert door.held_seconds() == 0


def test_an_earlier_word_is_forgotten_with_the_next_answer() -> None:
    door, request = Door(), Request(URL, meta={SERVER_WAIT: 7.0})

    asyncio.run(door.middleware.process_response(request, Response(URL)))

    assert SERVER_WAIT not in request.meta


def test_the_distance_that_robots_asks_for_is_kept() -> None:
    door = Door()
    rules = ProtegoRobotParser(b"User-agent: *\nCrawl-delay: 3", None)

    door.middleware.robots_parsed(rules, Request(URL))
    door.let_out(Request(URL))

    assert door.held_seconds() == pytest.approx(3)


def test_nobody_who_has_left_or_turned_back_is_expected_any_more() -> None:
    door = Door()
    on_their_way = door.paces.on_their_way(door.paces.of_domain(DOMAIN))
    left, answered, turned_back = (Request(URL) for _ in range(3))
    on_their_way.update((left, answered, turned_back))

    door.let_out(left)
    asyncio.run(door.middleware.process_response(answered, Response(URL)))  # from a cache
    door.middleware.process_exception(turned_back, Stopped())

    assert not on_their_way


def test_at_the_end_it_tells_what_the_pace_has_cost() -> None:
    door = Door()
    door.let_out(Request(URL))
    door.clock.move(2.0)
    door.let_out(Request(URL, meta={WAITING_SINCE: 100.0}))

    door.middleware.spider_closed(Spider("any"))

    told = door.crawler.stats.get_stats()
    cost = {name.rpartition("/")[2]: told[name] for name in told if name.startswith("rate_limit/")}
    assert cost == {"requests": 2, "waits": 1, "total_wait": 2.0, "mean_wait": 1.0, "rate": 100.0}


@pytest.mark.parametrize("as_probe", [False, True])
def test_while_a_site_is_in_doubt_only_the_probe_leaves_and_others_go_back(as_probe: bool) -> None:
    # Given one that was let out just before the site failed once too often
    door, request = Door(), Request(URL, meta={AS_PROBE: as_probe})
    pace = door.doubt()
    door.paces.on_their_way(pace).add(request)

    back = asyncio.run(door.middleware.process_request(request))

    assert back is (None if as_probe else request)
    assert (SENT_AT in request.meta) == as_probe
    assert not door.paces.on_their_way(pace)


def test_what_passes_the_scheduler_by_waits_for_the_witness_and_has_it_asked() -> None:
    # Given a site in doubt, and a picture of it that nothing else of the crawl is left beside
    door, picture = Door(), Request("http://site.com/dead.png")
    pace = door.doubt()

    # When the picture is to leave, and the witness answers
    tokens = door.waits(picture, 0.01)

    # Then the circuit has closed before it left
    assert tokens
    assert door.asked == [URL + "/answered"]
    assert (pace.circuit.mode, pace.circuit.hold_seconds) == (Mode.CLOSED, 0)
    assert SENT_AT in picture.meta


def test_several_that_wait_have_one_question_asked_and_a_hold_holds_them_all() -> None:
    door = Door()
    door.failure = Category.NETWORK
    pace = door.doubt()
    pictures = [Request(f"http://site.com/{number}.png") for number in range(3)]

    async def watch() -> list[object]:
        leaving = [asyncio.ensure_future(door.middleware.process_request(one)) for one in pictures]
        await asyncio.sleep(0.05)  # several of their looks at the clock
        door.slot.closing = object()
        return await asyncio.wait_for(asyncio.gather(*leaving, return_exceptions=True), 10)

    # When the witness fails too, and the crawl is stopped during the hold
    ends = asyncio.run(watch())

    # Then none of them has left, and none waits any more
    assert door.asked == [URL + "/answered"]
    assert pace.circuit.leaves_alone
    assert [type(end) for end in ends] == [Stopped] * 3


def test_a_witness_that_a_budget_refuses_keeps_no_picture_waiting() -> None:
    door, picture = Door(), Request("http://site.com/a.png")
    door.doubt()

    def refuse(request: Request) -> None:
        raise IgnoreRequest

    door.crawler.signals.connect(refuse, signals.request_scheduled)

    assert door.let_out(picture) == 100.0
    assert door.asked == []
