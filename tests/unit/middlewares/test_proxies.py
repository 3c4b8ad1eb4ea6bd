"""Each request goes through a proxy, and what the proxy does wrong is its own fault."""

from __future__ import annotations

import json
import traceback
from types import SimpleNamespace

import pytest
from scrapy import Request
from scrapy.core.downloader.handlers.http11 import TunnelError
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    ResponseDataLossError,
)
from scrapy.http import Response, TextResponse
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.core.errors import ProxyFailed
from n8n_scraper.crawl.pacing import paces_of
from n8n_scraper.crawl.scheduler import NOT_BEFORE
from n8n_scraper.middlewares.proxies import (
    PROXY_FAILED_AT,
    PROXY_FAILURES,
    PROXY_NAME,
    ProxiesMiddleware,
)
from n8n_scraper.testing.clock import MovableClock

URL = "https://n8n.io/workflows/1"
LISTED = "http://me:s3cret@a.example:1,http://b.example:2"
AUTHORIZATION = b"Basic bWU6czNjcmV0"
SETTINGS = {
    "PROXIES": LISTED,
    "PROXY_REST_SECONDS": "60",
    "RATE_LIMIT_RATE": "2",
    "RATE_LIMIT_BURST": "5",
    "DOWNLOAD_VERIFY_CERTIFICATES": True,
}


class Way:
    """The middleware with a crawler around it, called directly."""

    def __init__(self, **settings: object) -> None:
        self.crawler = get_crawler(settings_dict={**SETTINGS, **settings})
        self.crawler._apply_settings()
        self.slot = SimpleNamespace(closing=None)
        self.crawler.engine = SimpleNamespace(_slot=self.slot)
        paces_of(self.crawler).clock = self.clock = MovableClock()
        self.middleware = build_from_crawler(ProxiesMiddleware, self.crawler)
        self.pool = self.middleware.shared.pool

    def leaves(self, request: Request | None = None) -> Request:
        request = request or Request(URL)
        assert self.middleware.process_request(request) is None
        return request

    def answered(self, request: Request, status: int = 200, **answer: object) -> object:
        response = TextResponse(request.url, status=status, **{"body": b"{}", **answer})
        return self.middleware.process_response(request, response)

    def fails(self, request: Request, exception: Exception | None = None) -> Request | None:
        return self.middleware.process_exception(request, exception or refused())

    def stat(self, name: str) -> int:
        return self.crawler.stats.get_value(f"proxies/{name}", 0)


def refused() -> Exception:
    return DownloadConnectionRefusedError("Connection was refused by other side")


def no_tunnel(status: int, reason: str = "no") -> Exception:
    told = {"status": status, "reason": reason.encode()}
    return TunnelError(f"Could not open CONNECT tunnel with proxy a.example:1 [{told!r}]")


# --- what goes out ----------------------------------------------------------------------------


def test_proxies_take_turns_and_each_request_says_through_which_it_went() -> None:
    way = Way()

    requests = [way.leaves() for _ in range(3)]

    assert [one.meta["proxy"] for one in requests[:2]] == [
        "http://a.example:1",
        "http://b.example:2",
    ]
    assert [one.meta[PROXY_NAME] for one in requests] == [
        "a.example:1",
        "b.example:2",
        "a.example:1",
    ]
    assert way.stat("requests") == 3


def test_the_credentials_are_with_a_request_only_while_it_is_on_the_wire() -> None:
    way = Way()
    request = way.leaves()
    assert request.headers["Proxy-Authorization"] == AUTHORIZATION

    way.answered(request)

    assert "Proxy-Authorization" not in request.headers
    assert not {"proxy", "_auth_proxy"} & request.meta.keys()
    assert "s3cret" not in json.dumps(request.to_dict(), default=str)


def test_a_repeat_carries_no_credentials_into_a_queue() -> None:
    way = Way()

    again = way.fails(way.leaves())

    assert again is not None
    assert "s3cret" not in repr(again.to_dict())
    assert AUTHORIZATION.decode() not in repr(again.to_dict())


@pytest.mark.parametrize("own", ["http://you:p@own.example:3", None])
def test_a_spider_that_names_a_proxy_of_its_own_or_none_gets_its_way(own: str | None) -> None:
    way = Way()

    request = way.leaves(Request(URL, meta={"proxy": own}))
    way.answered(request)

    assert request.meta["proxy"] == (own and "http://own.example:3")
    assert PROXY_NAME not in request.meta
    assert way.fails(request) is None


def test_a_proxy_of_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://environment.example:9")

    assert Way().leaves().meta["proxy"] == "http://a.example:1"


def test_plain_http_does_not_go_through_a_proxy_that_could_forge_it() -> None:
    way = Way()

    with pytest.raises(ProxyFailed, match="not asked: only https is safe"):
        way.middleware.process_request(Request("http://n8n.io/"))
    way.leaves(Request("http://127.0.0.1:8808/"))


@pytest.mark.parametrize("url", ["data:,", "file:///etc/hosts"])
def test_what_never_leaves_the_machine_needs_no_proxy(url: str) -> None:
    assert "proxy" not in Way().leaves(Request(url)).meta


def test_a_way_past_the_proxies_is_refused() -> None:
    with pytest.raises(ProxyFailed):
        Way().middleware.process_request(Request("ftp://n8n.io/"))


def test_while_all_rest_a_request_waits_for_the_first_and_does_not_go_past_them() -> None:
    way = Way()
    for _ in range(6):
        way.fails(way.leaves())
    way.clock.move(10)

    waiting = way.middleware.process_request(Request(URL))

    assert isinstance(waiting, Request)
    assert waiting.meta[NOT_BEFORE] == way.clock() + 30  # when the keeper looks again
    assert "proxy" not in waiting.meta
    assert PROXY_FAILURES not in waiting.meta


# --- what comes back --------------------------------------------------------------------------


@pytest.mark.parametrize("status", [200, 403, 404, 429, 503])
def test_an_answer_through_a_tunnel_is_the_sites_whatever_it_says(status: int) -> None:
    way = Way()

    response = way.answered(way.leaves(), status)

    assert isinstance(response, Response)
    assert way.pool.health()[0][1].worked == 1


@pytest.mark.parametrize(
    ("exception", "fault"),
    [
        (refused(), "absent"),
        (CannotResolveHostError("a.example"), "absent"),
        (DownloadTimeoutError("Getting it took longer"), "silent"),
        (no_tunnel(407), "locked"),
        (no_tunnel(401), "locked"),
        (no_tunnel(403), "refused"),
        (no_tunnel(503), "refused"),
    ],
)
def test_a_failure_of_the_way_is_repeated_at_once_through_another_proxy(
    exception: Exception, fault: str
) -> None:
    way = Way()
    request = way.leaves()

    again = way.fails(request, exception)

    assert again is not None
    assert again.dont_filter
    assert again.meta[NOT_BEFORE] == way.clock()
    assert way.leaves(again).meta[PROXY_NAME] == "b.example:2"
    assert way.stat(f"failures/{fault}") == way.stat("repeats") == 1
    assert not way.crawler.stats.get_value("retry/count/network")


def test_what_breaks_off_when_the_site_has_begun_to_answer_is_not_the_proxys_fault() -> None:
    way = Way()
    request = way.leaves()
    request.meta["download_latency"] = 0.2  # Scrapy's word that the headers came

    assert way.fails(request, DownloadTimeoutError()) is None
    assert way.fails(way.leaves(), ResponseDataLossError()) is None
    assert way.pool.health()[0][1].failed == 0


def test_the_headers_of_an_earlier_attempt_say_nothing_of_this_one() -> None:
    way = Way()

    request = way.leaves(Request(URL, meta={"download_latency": 0.2}))

    assert way.fails(request, DownloadTimeoutError()) is not None


def test_three_failures_in_a_row_let_a_proxy_rest_and_that_is_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    way = Way(PROXIES="http://me:s3cret@a.example:1")
    caplog.set_level("INFO")

    for _ in range(3):
        way.fails(way.leaves())

    assert [record.message for record in caplog.records] == [
        "Proxy a.example:1 rests for 60 s: nobody is there"
    ]
    assert way.stat("rests") == 1


def test_a_cached_answer_is_no_word_about_a_proxy() -> None:
    way = Way()

    response = way.answered(Request(URL), flags=["cached"])

    assert isinstance(response, Response)
    assert way.pool.health()[0][1].worked == 0


@pytest.mark.parametrize(
    ("status", "headers"),
    [(407, {}), (401, {"Server": "tinyproxy/1.11"}), (503, {"X-Squid-Error": "ERR_DNS_FAIL 0"})],
)
def test_over_plain_http_a_page_of_the_proxys_own_is_not_the_sites_answer(
    status: int, headers: dict[str, str]
) -> None:
    way = Way()
    request = way.leaves(Request("http://127.0.0.1:8808/"))

    again = way.answered(request, status, headers=headers)

    assert isinstance(again, Request)
    assert way.stat("repeats") == 1


def test_what_mubeng_says_when_it_failed_is_not_the_sites_answer() -> None:
    way = Way(PROXY_ROTATOR_URL="http://127.0.0.1:8089", DOWNLOAD_VERIFY_CERTIFICATES=False)

    again = way.answered(way.leaves(), 502, body=b"Proxy server error")
    passed_on = way.answered(way.leaves(), 502, body=b"<html>Bad gateway</html>")

    assert isinstance(again, Request)
    assert isinstance(passed_on, Response)


# --- when to give up --------------------------------------------------------------------------


def test_a_request_that_no_proxy_serves_ends_by_its_attempts_while_others_are_served() -> None:
    way = Way()
    request = Request(URL)

    for _ in range(4):
        again = way.fails(way.leaves(request), DownloadTimeoutError())
        assert again is not None
        request = again
        way.clock.move(1)
        way.answered(way.leaves(Request("https://n8n.io/workflows/2")))
    way.leaves(request)

    with pytest.raises(ProxyFailed, match=r"in 5 attempts; the last, \S+: no answer came in time"):
        way.fails(request, DownloadTimeoutError())
    assert way.stat("given_up") == 1


def test_while_no_proxy_works_for_anybody_a_request_is_not_given_up() -> None:
    way = Way()
    request = Request(URL)

    for _ in range(50):
        again = way.fails(way.leaves(request))
        assert again is not None
        request = again
        way.clock.move(3600)  # the longest rest

    assert request.meta[PROXY_FAILURES] == 1


def test_how_often_is_a_rule_like_that_of_any_other_failure() -> None:
    way = Way(RETRY_RULES='{"proxy": {"attempts": 2, "base_seconds": 7, "jitter": 0}}')
    again = way.fails(way.leaves())
    assert again is not None
    assert again.meta[NOT_BEFORE] == way.clock() + 7
    way.clock.move(7)
    way.answered(way.leaves())

    with pytest.raises(ProxyFailed, match="in 2 attempts"):
        way.fails(way.leaves(again))


def test_one_that_is_not_to_be_repeated_is_not() -> None:
    way = Way()

    with pytest.raises(ProxyFailed, match="in one attempt"):
        way.fails(way.leaves(Request(URL, meta={"dont_retry": True})))


def test_what_is_the_sites_fault_after_all_is_heard_by_the_others() -> None:
    # Given proxies that carry another site, and a host that never answers
    way = Way()
    for _ in range(2):
        way.answered(way.leaves())
    request = Request("https://pictures.example/a.png")

    for _ in range(9):
        again = way.fails(way.leaves(request), no_tunnel(503))
        assert again is not None
        request = again
    exception = no_tunnel(503, "me:s3cret")

    # Then the circuit of that host hears of the tenth failure, without what a proxy says
    assert way.fails(way.leaves(request), exception) is None
    assert str(exception) == "a proxy opened no tunnel (status 503)"
    assert [health.failed for _, health in way.pool.health()] == [0, 0]


def test_an_answer_ends_the_count() -> None:
    way = Way()
    again = way.fails(way.leaves())
    assert again is not None

    way.answered(way.leaves(again))

    assert not {PROXY_FAILURES, PROXY_FAILED_AT} & again.meta.keys()


def test_while_the_crawl_is_stopped_a_repeat_is_put_off_and_not_lost() -> None:
    way = Way()
    request = way.leaves()
    way.slot.closing = object()

    again = way.fails(request)

    assert again is not None
    assert again.meta[NOT_BEFORE] > way.clock()


def test_what_a_proxy_says_aloud_is_not_repeated(caplog: pytest.LogCaptureFixture) -> None:
    way = Way()
    caplog.set_level("DEBUG")
    request = way.leaves(Request(URL, meta={"dont_retry": True}))

    try:  # as Scrapy calls it
        raise no_tunnel(407, "me:s3cret")
    except TunnelError as error:
        with pytest.raises(ProxyFailed) as failed:
            way.fails(request, error)

    told = "".join(traceback.format_exception(failed.value))
    assert "s3cret" not in told + caplog.text
