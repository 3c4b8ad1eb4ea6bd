"""Asking for videos while something else goes on."""

import asyncio
import time
from pathlib import Path

import pytest

from n8n_scraper.items import Transcript
from n8n_scraper.storage import transcripts
from n8n_scraper.storage.database import Database
from n8n_scraper.testing.video_host import RunningVideoHost
from n8n_scraper.transcripts.beside import BesideTheCrawl, in_a_thread
from n8n_scraper.transcripts.video_host import VideoHost
from tests.unit.transcripts.making import options

VIDEOS = [f"video-{number:05}" for number in range(4)]


@pytest.fixture
def archive(tmp_path: Path) -> Database:
    """A database with four videos that nobody has asked for."""
    database = Database(f"sqlite:///{tmp_path}/archive.db", patience_seconds=0)
    database.do(lambda session: transcripts.note_pending(session, VIDEOS))
    return database


def run_beside(
    archive: Database, stand_in: RunningVideoHost, seconds: float, most: int = 10
) -> list[Transcript]:
    """Offer the videos twice, and wait for them so long."""
    came: list[Transcript] = []

    async def crawl() -> None:
        beside = BesideTheCrawl(VideoHost(options(stand_in)), archive, came.append, most)
        beside.offer(VIDEOS)
        beside.offer(VIDEOS)
        await beside.finish(seconds)

    asyncio.run(crawl())
    return came


def test_each_video_is_asked_for_once(archive: Database, stand_in: RunningVideoHost) -> None:
    came = run_beside(archive, stand_in, seconds=30)

    assert [transcript.video_id for transcript in came] == VIDEOS
    assert stand_in.asked_for() == VIDEOS
    assert archive.do(transcripts.due) == []


def test_what_is_not_there_in_time_stays_pending(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    stand_in.latency_seconds = 5
    began = time.monotonic()

    came = run_beside(archive, stand_in, seconds=0.05)

    assert came == []
    assert archive.do(transcripts.due) == VIDEOS
    assert time.monotonic() - began < 4


def test_a_refusal_leaves_the_others_pending_and_unasked(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    stand_in.behaviour = "captcha"

    came = run_beside(archive, stand_in, seconds=30)

    assert [transcript.outcome for transcript in came] == ["blocked"]
    assert sorted(archive.do(transcripts.due)) == VIDEOS
    assert len(stand_in.log) == 1


def test_what_does_not_fit_into_the_queue_stays_pending(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    run_beside(archive, stand_in, seconds=30, most=3)

    assert archive.do(transcripts.due) == VIDEOS[3:]


def test_a_database_that_is_lost_ends_the_asking_and_nothing_else(
    archive: Database, stand_in: RunningVideoHost, caplog: pytest.LogCaptureFixture
) -> None:
    archive.engine.dispose()
    Path(str(archive.url.database)).write_bytes(b"this is no database" * 1000)

    came = run_beside(archive, stand_in, seconds=30)

    assert came == []
    assert "No more videos are asked for" in caplog.text


def test_nothing_was_offered_and_nothing_is_waited_for(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    beside = BesideTheCrawl(VideoHost(options(stand_in)), archive)

    asyncio.run(beside.finish(30))

    assert not stand_in.log


def test_an_error_in_the_thread_is_raised_where_it_is_awaited() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(in_a_thread(lambda: 1 // 0))


def test_the_loop_goes_on_while_a_thread_is_busy() -> None:
    # Given work that ends only when the loop has done something meanwhile
    async def both() -> str:
        import threading

        meanwhile = threading.Event()
        work = asyncio.ensure_future(in_a_thread(lambda: meanwhile.wait(10)))
        await asyncio.sleep(0)
        meanwhile.set()
        return "went on" if await work else "was held up"

    assert asyncio.run(both()) == "went on"
