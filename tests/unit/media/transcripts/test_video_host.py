"""The pace towards the video host, and leaving it alone."""

import pytest

from n8n_scraper.media.transcripts.options import VIDEO_DOMAIN
from n8n_scraper.media.transcripts.video_host import HostIsResting, Stopped
from n8n_scraper.policies.pace.pace_store import MemoryPaceStore
from n8n_scraper.testing.clock import MovableClock
from n8n_scraper.testing.video_host import RunningVideoHost
from tests.unit.media.transcripts.making import VIDEO, video_host


def test_every_http_request_costs_a_token(stand_in: RunningVideoHost) -> None:
    # Given a pace of a request every two seconds
    time = MovableClock()
    host = video_host(stand_in, time, rate=0.5)

    # When two videos are asked for
    host.fetch(VIDEO)
    host.fetch(VIDEO)

    # Then their six requests have waited five times
    assert len(stand_in.log) == 6
    assert time.slept == pytest.approx(10)


def test_processes_share_the_hosts_tokens(stand_in: RunningVideoHost) -> None:
    time = MovableClock()
    store = MemoryPaceStore(time)
    video_host(stand_in, time, rate=0.5, store=store).fetch(VIDEO)
    time.slept = 0

    video_host(stand_in, time, rate=0.5, store=store).fetch(VIDEO)

    assert time.slept == pytest.approx(6)


@pytest.mark.parametrize("refusal", ["not_a_bot", "po_token", "captcha", "withheld_captions"])
def test_the_first_refusal_opens_the_circuit(refusal: str, stand_in: RunningVideoHost) -> None:
    stand_in.behaviour = refusal
    host = video_host(stand_in)

    host.fetch(VIDEO)

    assert host.rests_for() == 60
    with pytest.raises(HostIsResting):
        host.fetch(VIDEO)
    assert stand_in.asked_for() == [VIDEO]


def test_no_captions_open_nothing(stand_in: RunningVideoHost) -> None:
    stand_in.behaviour = "disabled"
    host = video_host(stand_in)

    for _ in range(10):
        host.fetch(VIDEO)

    assert host.rests_for() == 0


def test_three_failures_in_a_row_open_the_circuit_and_two_do_not(
    stand_in: RunningVideoHost,
) -> None:
    host = video_host(stand_in)

    for behaviour in ("server_error", "server_error", "ok", "server_error", "unreadable"):
        stand_in.behaviour = behaviour
        host.fetch(VIDEO)
    assert host.rests_for() == 0
    stand_in.behaviour = "hang_up"
    host.fetch(VIDEO)

    assert host.rests_for() == 60


def test_after_the_rest_one_video_is_the_probe_and_its_answer_closes_the_circuit(
    stand_in: RunningVideoHost,
) -> None:
    time = MovableClock()
    host = video_host(stand_in, time, rate=0.5)
    stand_in.behaviour = "captcha"
    host.fetch(VIDEO)

    time.now += 60
    stand_in.behaviour = "ok"

    assert host.fetch(VIDEO).outcome == "ok"
    assert host.fetch(VIDEO).outcome == "ok"


def test_a_probe_that_is_refused_makes_the_rest_longer(stand_in: RunningVideoHost) -> None:
    time = MovableClock()
    host = video_host(stand_in, time)
    stand_in.behaviour = "captcha"
    host.fetch(VIDEO)

    time.now += 60
    host.fetch(VIDEO)

    assert host.rests_for() == 120


def test_a_host_that_has_refused_one_process_is_left_alone_by_all(
    stand_in: RunningVideoHost,
) -> None:
    time = MovableClock()
    store = MemoryPaceStore(time)
    stand_in.behaviour = "captcha"
    one, other = (video_host(stand_in, time, store=store) for _ in range(2))
    one.fetch(VIDEO)
    time.now += 20

    with pytest.raises(HostIsResting):
        other.fetch(VIDEO)

    assert other.rests_for() == 40
    assert other.refuses()


def test_the_hosts_own_word_is_obeyed(stand_in: RunningVideoHost) -> None:
    stand_in.behaviour = "too_many_requests"  # with "Retry-After: 7"
    time = MovableClock()
    store = MemoryPaceStore(time)

    video_host(stand_in, time, store=store).fetch(VIDEO)

    assert store.look(VIDEO_DOMAIN).state.held_until == time() + 7


def test_a_stopped_host_asks_for_nothing_more(stand_in: RunningVideoHost) -> None:
    host = video_host(stand_in)
    host.stop()

    with pytest.raises(Stopped):
        host.fetch(VIDEO)

    assert not stand_in.log
