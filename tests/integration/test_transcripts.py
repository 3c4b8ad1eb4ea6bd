"""Transcripts as a person gets them: from a crawl, and from the command after it."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from n8n_scraper.testing.video_host import RunningVideoHost, running_video_host
from tests.crawling import PROJECT, Ran, child, rows, scrapy, site, stored, wait_until
from tests.politeness import crawl_judged, warm_up
from tests.server_side import overdraft, usual_gap


@pytest.fixture(scope="module")
def catalogue() -> Iterator[RunningStandIn]:
    """Templates of which seven name a video."""
    with running_stand_in(templates=120) as server:
        yield server


@pytest.fixture
def host() -> Iterator[RunningVideoHost]:
    """A video host that answers as it should."""
    with running_video_host() as server:
        yield server


class Archive:
    """A database, and the commands that a person runs on it."""

    def __init__(self, catalogue: RunningStandIn, host: RunningVideoHost, url: str) -> None:
        self.url = url
        self.ids = [str(number) for number in catalogue.ids if catalogue.truth(number).videos]
        self.videos = sorted({one for n in self.ids for one in catalogue.truth(int(n)).videos})
        self.environment = {
            **site(catalogue),
            "DATABASE_URL": self.url,
            "VIDEO_HOST_URL": host.url,
            "TRANSCRIPT_RATE": "0",
        }

    def crawl(self, *arguments: str, **settings: str) -> Ran:
        ids = f"ids={','.join(self.ids)}"
        environment = self.environment | settings
        return scrapy("crawl", "workflows", "-a", ids, *arguments, environment=environment)

    def transcripts(self, *arguments: str, **settings: str) -> Ran:
        return scrapy("transcripts", *arguments, environment=self.environment | settings)

    def outcomes(self) -> dict[object, object]:
        query = "SELECT outcome, count(*) FROM video_transcripts GROUP BY outcome"
        return dict(rows(self.url, query))  # type: ignore[arg-type]

    def whole(self) -> dict[str, Template]:
        return stored(self.url)


@pytest.fixture
def archive(catalogue: RunningStandIn, host: RunningVideoHost, sqlite_url: str) -> Archive:
    """A new archive of the templates that name videos."""
    return Archive(catalogue, host, sqlite_url)


@pytest.fixture(scope="module")
def crawled(catalogue: RunningStandIn, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What a crawl leaves that notes the videos, as it does by default."""
    url = f"sqlite:///{tmp_path_factory.mktemp('crawled')}/archive.db"
    with running_video_host() as host:
        ran = Archive(catalogue, host, url).crawl()
    assert ran.status == 0, ran.err
    return url


@pytest.fixture
def noted(
    catalogue: RunningStandIn,
    host: RunningVideoHost,
    crawled: str,
    copy_of: Callable[[str], str],
) -> Archive:
    """A copy of it that a test may change."""
    return Archive(catalogue, host, copy_of(crawled))


def test_a_crawl_notes_the_videos_and_the_command_fetches_them(
    archive: Archive, host: RunningVideoHost
) -> None:
    # Given a crawl as it is by default
    crawled = archive.crawl()
    assert crawled.status == 0, crawled.err
    assert not host.log
    assert archive.outcomes() == {"pending": len(archive.videos)}

    # When the command is run
    ran = archive.transcripts()

    # Then it says what came, and every template has got its words
    assert ran.status == 0, ran.err
    assert (
        ran.out.splitlines()[-1]
        == f"{len(archive.videos)} videos asked for: {len(archive.videos)} ok; 0 left."
    )
    assert f"{archive.videos[0]}  ok           en, manual, 2 segments" in ran.out
    for template in archive.whole().values():
        assert template.transcripts is not None
        assert template.transcripts[0].text == "Hello & welcome to this workflow"
        assert "transcripts" not in template.unobserved


def test_a_crawl_can_fetch_them_beside_itself(archive: Archive, host: RunningVideoHost) -> None:
    host.videos = {archive.videos[0]: "private"}

    crawled = archive.crawl(TRANSCRIPTS="crawl")

    assert crawled.status == 0, crawled.err
    assert archive.outcomes() == {"ok": len(archive.videos) - 1, "private": 1}
    assert all(template.transcripts for template in archive.whole().values())


def test_with_off_nothing_is_noted_and_the_command_still_finds_them(archive: Archive) -> None:
    archive.crawl(TRANSCRIPTS="off")
    assert archive.outcomes() == {}

    ran = archive.transcripts("--limit", "2")

    assert ran.status == 0, ran.err
    assert archive.outcomes() == {"ok": 2, "pending": len(archive.videos) - 2}


def test_a_second_crawl_keeps_what_is_known_and_asks_nobody(
    archive: Archive, host: RunningVideoHost, tmp_path: Path
) -> None:
    archive.crawl(TRANSCRIPTS="crawl")
    asked = len(host.log)

    again = archive.crawl("-O", f"{tmp_path}/feed.jsonl", TRANSCRIPTS="crawl")

    assert again.status == 0, again.err
    assert len(host.log) == asked
    assert all(template.transcripts for template in archive.whole().values())
    lines = (tmp_path / "feed.jsonl").read_text().splitlines()
    assert all(json.loads(line)["transcripts"][0]["outcome"] == "ok" for line in lines)


def test_a_refusal_in_a_crawl_leaves_the_work_for_later(
    archive: Archive, host: RunningVideoHost
) -> None:
    # Given a host that refuses us
    host.behaviour = "captcha"
    crawled = archive.crawl(TRANSCRIPTS="crawl")
    assert crawled.status == 0, crawled.err
    assert "refuses to answer us" in crawled.err
    assert archive.outcomes() == {"blocked": 1, "pending": len(archive.videos) - 1}
    assert len(host.log) == 1

    # When the command comes at once, and again after a word by hand
    host.behaviour = "ok"
    early = archive.transcripts()
    reset = scrapy("breaker", "reset", "youtube.com", environment=archive.environment)
    late = archive.transcripts()

    # Then the first has left the host alone, and the second has everything
    left = len(archive.videos)
    assert early.status == 5
    assert f"blocked by the host; {left} left" in early.err
    assert reset.status == 0, reset.err
    assert late.status == 0, late.err
    assert archive.outcomes() == {"ok": left}


def test_the_command_tells_a_program_too(noted: Archive, host: RunningVideoHost) -> None:
    host.videos = {noted.videos[1]: "too_many_requests"}

    ran = noted.transcripts("--json")

    told = json.loads(ran.out)
    assert ran.status == told["status"] == 5
    assert told["outcomes"] == {"ok": 1, "blocked": 1}
    assert told["left"] == len(noted.videos) - 1


def test_ctrl_c_leaves_everything_consistent(noted: Archive, host: RunningVideoHost) -> None:
    # Given a command whose second video takes long
    command = [sys.executable, "-m", "scrapy", "transcripts"]
    environment = {**os.environ, **noted.environment, "TRANSCRIPT_RATE": "0.1"}
    with child(command, cwd=PROJECT, env=environment, stderr=subprocess.PIPE) as process:
        wait_until(lambda: host.log)
        # When a person stops it
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)

    # Then it says so, and the same command goes on
    assert process.returncode == 4, said
    assert f"stopped; {len(noted.videos)} left" in said
    assert noted.transcripts(TRANSCRIPT_RATE="0").status == 0
    assert noted.outcomes() == {"ok": len(noted.videos)}


@pytest.mark.timed
@pytest.mark.full_speed
def test_the_pace_of_the_crawl_is_the_same_beside_a_slow_video_host(
    host: RunningVideoHost, tmp_path: Path
) -> None:
    # Given a video host that takes a second for each of its answers
    host.latency_seconds = 1.0
    with running_stand_in(templates=60) as stand_in:
        warm_up(stand_in)

        # When a crawl asks it while it goes on
        judged = crawl_judged(
            stand_in,
            tmp_path,
            RATE_LIMIT_RATE=25,
            TRANSCRIPTS="crawl",
            TRANSCRIPT_RATE=0,
            VIDEO_HOST_URL=host.url,
        )

    # Then the templates' host has seen the pace that is allowed, no less and no more
    assert judged.ran.status == 0, judged.ran.err
    assert len(host.log) == 6
    assert len(judged.log) == 3 + 3 * 60
    assert overdraft(judged.log, 25, 5) < 1
    assert usual_gap(judged.log) == pytest.approx(1 / 25, rel=0.05)


def test_a_proxys_password_is_in_no_log(archive: Archive) -> None:
    proxy = {"TRANSCRIPT_PROXY": "http://user:s3cret@127.0.0.1:9"}

    crawled = archive.crawl(TRANSCRIPTS="crawl", LOG_LEVEL="DEBUG", **proxy)
    fetched = archive.transcripts(**proxy)

    assert fetched.status in (3, 5)
    for said in (crawled.out, crawled.err, fetched.out, fetched.err):
        assert "s3cret" not in said


@pytest.mark.parametrize(
    ("arguments", "what_to_write"),
    [
        (("--limit", "0"), "--limit 0: write how many, as in --limit 100."),
        (("--limit", "ten"), "--limit ten: write how many, as in --limit 100."),
        (("all",), "write: scrapy transcripts [--limit N] [--retry-failed] [--json]"),
    ],
)
def test_an_argument_that_makes_no_sense_is_refused_in_one_line(
    arguments: tuple[str, ...], what_to_write: str, archive: Archive
) -> None:
    ran = archive.transcripts(*arguments)

    assert ran.status == 2
    assert ran.err.replace(".venv/bin/", "") == f"scrapy: {what_to_write}\n"


def test_a_setting_that_makes_no_sense_is_refused_by_crawl_and_command(archive: Archive) -> None:
    for ran in (
        archive.crawl(TRANSCRIPTS="always"),
        archive.transcripts(TRANSCRIPTS="always"),
    ):
        assert ran.status == 2
        assert "write off, crawl or later" in ran.err


BROKEN = """
import scrapy.cmdline
from n8n_scraper.media.transcripts.video_host import VideoHost

def fetch(self, video_id):
    raise ZeroDivisionError("an error of our own")

VideoHost.fetch = fetch
scrapy.cmdline.execute()
"""


@pytest.mark.further
def test_an_error_of_our_own_while_asking_is_no_success_and_leaves_the_work_for_later(
    archive: Archive,
) -> None:
    # Given a crawl in which the asking for videos has an error
    ids = f"ids={','.join(archive.ids)}"
    crawled = subprocess.run(
        [sys.executable, "-c", BROKEN, "crawl", "workflows", "-a", ids],
        cwd=PROJECT,
        env={**os.environ, **archive.environment, "TRANSCRIPTS": "crawl"},
        capture_output=True,
        text=True,
        timeout=60,
    )

    # Then the error is told once, the last line says what to do, and all templates are stored
    assert crawled.returncode == 1, crawled.stderr
    assert crawled.stderr.count("Traceback") == 1
    assert "To go on with the transcripts: scrapy transcripts" in crawled.stderr.splitlines()[-1]
    assert set(archive.whole()) == set(archive.ids)
    assert archive.outcomes() == {"pending": len(archive.videos)}

    # And the command, where it works, has them all
    assert archive.transcripts().status == 0
    assert archive.outcomes() == {"ok": len(archive.videos)}
