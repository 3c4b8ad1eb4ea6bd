"""Asking for videos while something else goes on."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from n8n_scraper.core.transcript import Transcript
from n8n_scraper.ledger.database import Database
from n8n_scraper.media.transcripts.beside import BesideTheCrawl, in_a_thread
from n8n_scraper.media.transcripts.video_host import VideoHost
from n8n_scraper.records import transcripts
from n8n_scraper.testing.video_host import RunningVideoHost
from tests.unit.media.transcripts.making import options

pytestmark = pytest.mark.usefixtures("sqlite_url")

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
    ask_all(
        lambda: BesideTheCrawl(VideoHost(options(stand_in)), archive, came.append, most), seconds
    )
    return came


def ask_all(open_beside: Callable[[], BesideTheCrawl], seconds: float = 30) -> BesideTheCrawl:
    """Offer the videos twice, wait for them so long, and give back who was to ask."""

    async def crawl() -> BesideTheCrawl:
        beside = open_beside()
        beside.offer(VIDEOS)
        beside.offer(VIDEOS)
        await beside.finish(seconds)
        return beside

    return asyncio.run(crawl())


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


class BreakingHost(VideoHost):
    """A video host on which an error of our own comes to light, at the second video."""

    def fetch(self, video_id: str) -> Transcript:
        if video_id == VIDEOS[1]:
            raise ZeroDivisionError("an error of our own")
        return super().fetch(video_id)


def test_an_error_of_our_own_ends_the_asking_and_is_told_once_in_full(
    archive: Database, stand_in: RunningVideoHost, caplog: pytest.LogCaptureFixture
) -> None:
    # Given an error that shows at the second of four videos
    host = BreakingHost(options(stand_in))

    # When they are asked for
    beside = ask_all(lambda: BesideTheCrawl(host, archive))

    # Then the first is stored, the others are left for later, and the error is no secret
    assert beside.broke_off
    assert archive.do(transcripts.due) == VIDEOS[1:]
    [told] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert "they stay pending, and `scrapy transcripts` asks for them later" in told.message
    assert told.exc_info is not None
    assert told.exc_info[0] is ZeroDivisionError


def test_an_error_of_whoever_is_told_ends_the_asking_too(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    def tell(_: Transcript) -> None:
        raise ZeroDivisionError

    beside = ask_all(lambda: BesideTheCrawl(VideoHost(options(stand_in)), archive, tell))

    assert beside.broke_off
    assert archive.do(transcripts.due) == VIDEOS[1:]


def test_what_ends_as_it_should_is_no_breaking_off(
    archive: Database, stand_in: RunningVideoHost
) -> None:
    beside = ask_all(lambda: BesideTheCrawl(VideoHost(options(stand_in)), archive))

    assert not beside.broke_off


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
