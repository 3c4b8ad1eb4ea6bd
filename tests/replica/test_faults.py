import socket
import time
from urllib.parse import urlsplit

import pytest

from n8n_scraper.testing.replica.faults import FaultPlan
from n8n_scraper.testing.replica.switches import FAULT_KINDS, FaultRule
from tests.replica.client import detail, get, raw


def fail(replica, kind, **more):
    replica.control(faults=[{"kind": kind, **more}])


@pytest.mark.parametrize("status", [kind for kind in FAULT_KINDS if kind.isdecimal()])
def test_a_status_can_be_answered_instead(replica, status):
    fail(replica, status)

    got = get(replica.url, detail(13))

    assert got.status == int(status)
    assert replica.log()[-1]["fault"] == status


def test_a_429_tells_when_to_come_back_word_for_word(replica):
    replica.control(retry_after="Wed, 21 Oct 2026 07:28:00 GMT", faults=[{"kind": "429"}])

    assert get(replica.url, detail(1)).headers["Retry-After"] == "Wed, 21 Oct 2026 07:28:00 GMT"


def test_a_reset_comes_before_or_amid_the_answer(replica):
    fail(replica, "reset")
    began = []

    for number in replica.ids[:20]:
        with pytest.raises(ConnectionResetError):
            raw(replica.url, detail(number))
        began.append(replica.log()[-1]["bytes"] > 0)

    assert set(began) == {True, False}


def test_a_timeout_never_answers_within_its_time(replica):
    replica.control(hang_s=0.2, faults=[{"kind": "timeout"}])
    started = time.monotonic()

    assert raw(replica.url, detail(13)) == b""
    assert time.monotonic() - started >= 0.2
    assert replica.log()[-1]["status"] is None


def test_a_hanging_answer_ends_when_its_client_leaves(replica):
    fail(replica, "timeout")

    with pytest.raises(TimeoutError):
        raw(replica.url, detail(13), timeout=0.1)

    wait_until(lambda: replica.stats()["open"] == 0)


def test_a_truncated_answer_promises_more_than_it_sends(replica):
    fail(replica, "truncated")

    head, _, body = raw(replica.url, detail(13)).partition(b"\r\n\r\n")

    promised = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
    assert 0 < len(body) < promised
    assert replica.log()[-1]["bytes"] == len(body)


def test_an_empty_answer_is_a_200_without_a_body(replica):
    fail(replica, "empty")

    got = get(replica.url, detail(13))

    assert (got.status, got.body) == (200, b"")


def test_garbage_says_json_and_is_not(replica):
    fail(replica, "garbage")

    got = get(replica.url, detail(13))

    assert got.status == 200
    assert got.headers["Content-Type"].startswith("application/json")
    with pytest.raises(ValueError, match=r"delimiter|string|value"):
        _ = got.json


def test_a_bad_gzip_cannot_be_unpacked(replica):
    fail(replica, "bad_gzip")

    got = get(replica.url, detail(13))

    assert got.headers["Content-Encoding"] == "gzip"
    assert not got.body.startswith(b"\x1f\x8b")


def test_a_drip_sends_byte_by_byte_and_never_ends_in_time(replica):
    replica.control(drip_s=0.01, faults=[{"kind": "drip"}])
    received = bytearray()

    with pytest.raises(TimeoutError):
        read_for(replica.url, detail(13), seconds=0.3, into=received)

    body = received.partition(b"\r\n\r\n")[2]
    assert 3 <= len(body) <= 60


def test_a_captcha_takes_the_place_of_the_page(replica):
    fail(replica, "captcha")

    got = get(replica.url, replica.truth(13).path)

    assert got.status == 200
    assert "Just a moment..." in got.text


def test_a_good_answer_may_speak_of_a_captcha(replica):
    fail(replica, "captcha_word")
    truth = replica.truth(13)

    told = get(replica.url, detail(13)).json["workflow"]
    page = get(replica.url, truth.path)

    assert told["workflow"] == truth.workflow
    assert told["description"].endswith(truth.description)
    assert "captcha" in told["description"]
    assert "captcha" in page.text
    assert truth.slug in page.text


@pytest.mark.parametrize("path", ["/api/templates/workflows/13", "/api/workflows/templates/13"])
def test_a_wrong_id_answers_for_another_template(replica, path):
    fail(replica, "wrong_id")

    told = get(replica.url, path).json

    assert told.get("id", told.get("workflow", {}).get("id")) != 13


def test_a_wrong_id_brings_another_page(replica):
    path = replica.truth(13).path
    fail(replica, "wrong_id")

    got = get(replica.url, path)

    assert got.status == 200
    assert f'rel="canonical" href="{replica.url}{path}"' not in got.text


def test_a_soft_404_is_the_404_page_with_status_200(replica):
    fail(replica, "soft_404")

    got = get(replica.url, replica.truth(13).path)

    assert got.status == 200
    assert "Page not found" in got.text


def test_a_path_heals_after_so_many_failures(replica):
    fail(replica, "503", times=2)

    assert [get(replica.url, detail(13)).status for _ in range(4)] == [503, 503, 200, 200]
    assert get(replica.url, detail(15)).status == 503

    replica.reset()
    assert get(replica.url, detail(13)).status == 503


def test_only_paths_that_match_fail(replica):
    fail(replica, "500", path="^/api/workflows/templates/")

    assert get(replica.url, "/api/workflows/templates/13").status == 500
    assert get(replica.url, detail(13)).status == 200


def test_a_share_hits_the_same_paths_every_time():
    rule = FaultRule(kinds=("500", "timeout"), share=0.3)
    paths = [detail(number) for number in range(1000)]

    first = [FaultPlan((rule,), 7).fault_for(path) for path in paths]
    again = [FaultPlan((rule,), 7).fault_for(path) for path in reversed(paths)]

    assert first == again[::-1]
    assert 250 < sum(kind is not None for kind in first) < 350
    assert {"500", "timeout"} <= set(first)


def test_the_first_rule_that_hits_wins():
    plan = FaultPlan((FaultRule(kinds=("500",), path="/13"), FaultRule(kinds=("404",))), 7)

    assert (plan.fault_for("/13"), plan.fault_for("/14")) == ("500", "404")


@pytest.mark.parametrize(("outage", "complaint"), [("reset", "reset"), ("refuse", "refused")])
def test_an_outage_takes_the_connection_away_until_it_ends(replica, outage, complaint):
    replica.control(outage=outage)
    with pytest.raises(ConnectionError, match=complaint):
        get(replica.url, detail(13))

    replica.control(outage=None)
    assert get(replica.url, detail(13)).status == 200


def test_an_outage_may_answer_503(replica):
    replica.control(outage="503")

    assert get(replica.url, detail(13)).status == 503
    assert replica.log()[-1]["fault"] == "outage"


def read_for(url, path, seconds, into):
    parts = urlsplit(url)
    deadline = time.monotonic() + seconds
    with socket.create_connection((parts.hostname, parts.port)) as wire:
        wire.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nUser-Agent: t\r\n\r\n".encode())
        while (left := deadline - time.monotonic()) > 0:
            wire.settimeout(left)
            into += wire.recv(1000)
        raise TimeoutError


def wait_until(condition, seconds=3):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_an_outage_begins_and_ends_by_what_the_site_sees(replica):
    fail(replica, "503", after=2, in_all=3)

    met = [get(replica.url, detail(number)).status for number in replica.ids[:7]]

    assert met == [200, 200, 503, 503, 503, 200, 200]
