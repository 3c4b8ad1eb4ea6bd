"""Fetching what is missing, call by call."""

import json
from pathlib import Path

import pytest

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.transcript import Transcript
from n8n_scraper.ledger import domains
from n8n_scraper.ledger.database import Database
from n8n_scraper.media.transcripts.catching_up import CatchingUp
from n8n_scraper.records import transcripts
from n8n_scraper.testing.video_host import RunningVideoHost
from tests.unit.media.transcripts.making import options

pytestmark = pytest.mark.usefixtures("sqlite_url")

VIDEOS = [f"video-{number:05}" for number in range(5)]


@pytest.fixture
def archive(tmp_path: Path) -> Database:
    """A database with five videos that nobody has asked for."""
    database = Database(f"sqlite:///{tmp_path}/archive.db", patience_seconds=0)
    database.do(lambda session: transcripts.note_pending(session, VIDEOS))
    return database


def caught_up(
    archive: Database, stand_in: RunningVideoHost, limit: int | None = None, **changed: bool
) -> CatchingUp:
    work = CatchingUp(archive, options(stand_in), limit, **changed)
    work.fetch(lambda _: None)
    return work


def test_all_that_is_missing_is_fetched_once(archive: Database, stand_in: RunningVideoHost) -> None:
    first = caught_up(archive, stand_in)
    second = caught_up(archive, stand_in)

    assert (first.status, first.left) == (ExitStatus.DONE, 0)
    assert first.summary() == "5 videos asked for: 5 ok; 0 left."
    assert second.summary() == "0 videos asked for: none; 0 left."
    assert stand_in.asked_for() == VIDEOS


def test_a_limit_leaves_the_rest_for_the_next_call(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    first = caught_up(archive, stand_in, limit=2)
    second = caught_up(archive, stand_in)

    assert (first.status, first.left) == (ExitStatus.DONE, 3)
    assert second.left == 0
    assert stand_in.asked_for() == VIDEOS


def test_a_refusal_stops_it_politely_and_nothing_is_lost(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    stand_in.videos = {VIDEOS[2]: "captcha"}

    work = caught_up(archive, stand_in)

    assert (work.status, work.left) == (ExitStatus.SITE_DOWN, 3)
    assert work.advice().startswith("blocked by the host; 3 left; run again")
    assert stand_in.asked_for() == VIDEOS[:3]
    assert archive.do(domains.load)["youtube.com"].circuit.opened_at is not None


def test_a_host_that_rests_is_not_asked_by_the_next_call(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    stand_in.behaviour = "captcha"
    caught_up(archive, stand_in)
    stand_in.behaviour = "ok"

    work = caught_up(archive, stand_in)

    assert (work.status, work.left, len(stand_in.log)) == (ExitStatus.SITE_DOWN, 5, 1)


def test_a_reset_by_hand_ends_the_rest_and_who_was_refused_comes_last(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    stand_in.videos = {VIDEOS[0]: "po_token"}
    caught_up(archive, stand_in)

    archive.do(lambda session: domains.reset_circuit(session, "youtube.com"))
    work = caught_up(archive, stand_in)

    assert stand_in.asked_for() == [VIDEOS[0], *VIDEOS[1:], VIDEOS[0]]
    assert (work.status, work.left) == (ExitStatus.SITE_DOWN, 1)


def test_failures_are_told_and_tried_again(archive: Database, stand_in: RunningVideoHost) -> None:
    stand_in.videos = {VIDEOS[1]: "unreadable"}
    first = caught_up(archive, stand_in)
    stand_in.videos = {}

    second = caught_up(archive, stand_in)

    assert (first.status, first.left) == (ExitStatus.FAILURES, 1)
    assert (second.status, second.left) == (ExitStatus.DONE, 0)


def test_ctrl_c_keeps_what_came_and_the_next_call_goes_on(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    # Given a person who loses patience at the second video
    def tell(transcript: Transcript) -> None:
        if transcript.video_id == VIDEOS[1]:
            raise KeyboardInterrupt

    work = CatchingUp(archive, options(stand_in))

    # When the command runs, and then runs again
    work.fetch(tell)
    again = caught_up(archive, stand_in)

    # Then every video was asked for once
    assert (work.status, work.left) == (ExitStatus.WORK_LEFT, 3)
    assert again.left == 0
    assert stand_in.asked_for() == VIDEOS


def test_a_program_is_told_the_same(archive: Database, stand_in: RunningVideoHost) -> None:
    stand_in.videos = {VIDEOS[1]: "not_a_bot"}

    told = json.loads(caught_up(archive, stand_in).as_json())

    assert [video["outcome"] for video in told["videos"]] == ["ok", "blocked"]
    assert told["videos"][0]["segments"] == 2
    assert (told["left"], told["blocked"], told["status"]) == (4, True, 5)


def test_a_host_that_does_not_answer_is_told_apart_from_one_that_refuses(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    stand_in.behaviour = "hang_up"

    work = caught_up(archive, stand_in)

    for told in (work, caught_up(archive, stand_in)):
        assert (told.status, told.left) == (ExitStatus.SITE_DOWN, 5)
        assert told.advice().startswith("the host does not answer; 5 left")
    assert stand_in.asked_for() == VIDEOS[:3]
