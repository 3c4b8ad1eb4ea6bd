"""The way of every request to the video host."""

import pytest
from requests.exceptions import InvalidSchema, InvalidURL

from n8n_scraper.media.transcripts.session import Conversation, open_session
from n8n_scraper.testing.video_host import RunningVideoHost, running_video_host
from tests.unit.media.transcripts.making import VIDEO, video_host


def test_every_request_asks_for_leave_and_goes_to_the_stand_in(stand_in: RunningVideoHost) -> None:
    leaves: list[bool] = []
    session = open_session(lambda: leaves.append(True), Conversation(), stand_in.url)

    session.get(f"https://www.youtube.com/watch?v={VIDEO}")
    session.get("https://consent.youtube.com/elsewhere")

    assert len(leaves) == 2
    assert [asked.path for asked in stand_in.log] == ["/watch", "/elsewhere"]


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1/x", "https://www.youtube.com.evil.example/", "file:///etc/passwd"]
)
def test_an_address_of_another_site_is_not_asked(stand_in: RunningVideoHost, address: str) -> None:
    session = open_session(lambda: None, Conversation(), stand_in.url)

    with pytest.raises((InvalidURL, InvalidSchema)):
        session.get(address)

    assert stand_in.log == []


def test_the_consent_cookie_is_carried_to_the_second_request(stand_in: RunningVideoHost) -> None:
    stand_in.behaviour = "consent"

    video_host(stand_in).fetch(VIDEO)

    assert "CONSENT=YES" not in stand_in.log[0].cookie
    assert "CONSENT=YES" in stand_in.log[1].cookie


def test_a_proxy_by_setting_gets_every_request(stand_in: RunningVideoHost) -> None:
    # Given another server in the role of the proxy
    with running_video_host() as proxy:
        # When a video is asked for through it
        video_host(stand_in, proxy=proxy.url).fetch(VIDEO)

    # Then the host itself has seen nobody
    assert proxy.log
    assert not stand_in.log


def test_what_was_heard_of_one_video_is_not_said_of_the_next(stand_in: RunningVideoHost) -> None:
    stand_in.videos = {"privatevid1": "private", "unreadable1": "unreadable"}
    host = video_host(stand_in)

    outcomes = [host.fetch(video_id).outcome for video_id in ("privatevid1", "unreadable1")]

    assert outcomes == ["private", "failed"]


def test_an_answer_of_the_player_that_is_no_object_is_a_failure(stand_in: RunningVideoHost) -> None:
    stand_in.behaviour = "garbled_player"

    assert video_host(stand_in).fetch(VIDEO).outcome == "failed"
