"""A run handed to real workers through a real Redis: everything once, whatever is killed."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from n8n_scraper.testing.redis import OwnRedis
from n8n_scraper.testing.stand_in import running_stand_in
from n8n_scraper.workers.handing_out import DISPATCH, SITES
from tests.crawling import PROJECT, Ran, child, rows, scrapy, wait_until
from tests.dispatching import kill, parent_of, works
from tests.killing import judge_what_is_left, repeated

pytest.importorskip("celery")
pytestmark = [pytest.mark.full_speed, pytest.mark.usefixtures("sqlite_url")]
SLOWLY = {"RATE_LIMIT_RATE": "15"}
AS_MANY_AS_ARE_IN_FLIGHT = 8


@pytest.mark.further_on("sqlite")
def test_every_template_of_a_dispatched_run_is_had_once(
    database_url: str, redis: OwnRedis, tmp_path: Path
) -> None:
    with (
        running_stand_in(templates=25) as stand_in,
        works(database_url, redis, stand_in, tmp_path) as here,
    ):
        here.start_worker()

        ran = here.dispatch("workflows", "--wait")

        assert ran.status == 0, ran.err + here.log()
        assert "25 of 25 templates" in ran.out
        judge_what_is_left(stand_in, database_url)
        assert repeated(stand_in.log()) == 0
        wait_until(lambda: here.job()["status"] == "COMPLETE")
        job = here.job()
        assert job.pop("started_at")
        assert job == {
            "status": "COMPLETE",
            "total_chunks": "3",
            "completed": "3",
            "result_count": "25",
        }
        assert len(rows(database_url, "SELECT worker FROM scrape_workers")) >= 3


@pytest.mark.further
def test_a_message_that_comes_twice_doubles_nothing(redis: OwnRedis, tmp_path: Path) -> None:
    from redis import Redis

    url = f"sqlite:///{tmp_path}/archive.db"
    with (
        running_stand_in(templates=20) as stand_in,
        works(url, redis, stand_in, tmp_path) as here,
    ):
        # Given a first chunk, which hands out the others, twice in the queue
        assert here.dispatch("workflows").status == 0
        with Redis.from_url(redis.url) as queue:
            (message,) = queue.lrange("n8n_scraper", 0, -1)
            queue.lpush("n8n_scraper", message)
        here.start_worker()

        ran = here.dispatch("workflows", "-a", "run=last", "--wait")

        assert ran.status == 0, ran.err + here.log()
        judge_what_is_left(stand_in, url)
        assert repeated(stand_in.log()) == 0


def test_the_work_of_a_killed_process_is_done_and_no_crawl_outlives_it(
    redis: OwnRedis, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with (
        running_stand_in(templates=20) as stand_in,
        works(url, redis, stand_in, tmp_path, **SLOWLY) as here,
    ):
        here.start_worker()
        assert here.dispatch("workflows").status == 0
        wait_until(lambda: here.ended(5), 60)

        # When the process of a task is killed in mid-crawl
        crawl = here.crawls()[0]
        kill(parent_of(crawl))

        # Then its crawl ends at once, and the run comes to its end
        wait_until(lambda: crawl not in here.crawls(), 5, every=0.1)
        ran = here.dispatch("workflows", "-a", "run=last", "--wait")
        assert ran.status == 0, ran.err + here.log()
        judge_what_is_left(stand_in, url)
        assert repeated(stand_in.log()) <= AS_MANY_AS_ARE_IN_FLIGHT


@pytest.mark.further
def test_when_a_whole_worker_is_killed_the_next_one_goes_on(
    redis: OwnRedis, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with (
        running_stand_in(templates=20) as stand_in,
        works(url, redis, stand_in, tmp_path, **SLOWLY) as here,
    ):
        worker = here.start_worker()
        assert here.dispatch("workflows", "--workers", "2").status == 0
        wait_until(lambda: here.ended(5), 60)

        worker.send_signal(signal.SIGKILL)
        worker.wait()
        wait_until(lambda: not here.crawls(), 5, every=0.1)
        here.start_worker()

        wait_until(
            lambda: rows(url, "SELECT status FROM scrape_runs") == [("finished",)], 60, every=0.1
        )
        judge_what_is_left(stand_in, url)
        assert repeated(stand_in.log()) <= 2 * AS_MANY_AS_ARE_IN_FLIGHT
        wait_until(lambda: here.job()["status"] == "COMPLETE")


@pytest.mark.further
def test_a_worker_that_is_asked_to_end_gives_its_items_back_at_once(
    redis: OwnRedis, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with (
        running_stand_in(templates=20) as stand_in,
        works(url, redis, stand_in, tmp_path, **SLOWLY) as here,
    ):
        worker = here.start_worker()
        assert here.dispatch("workflows").status == 0
        wait_until(lambda: here.ended(3), 60)

        worker.send_signal(signal.SIGTERM)
        worker.wait(30)

        assert rows(url, "SELECT count(*) FROM scrape_run_items WHERE state = 'claimed'") == [(0,)]
        assert rows(url, "SELECT status FROM scrape_runs") == [("stopped",)]
        assert here.job()["status"] == "PROCESSING"
        # And what it has left is in the queue for the next one
        here.start_worker()
        wait_until(
            lambda: rows(url, "SELECT status FROM scrape_runs") == [("finished",)], 60, every=0.1
        )
        judge_what_is_left(stand_in, url)
        assert repeated(stand_in.log()) == 0


@pytest.mark.further
def test_at_the_soft_limit_a_chunk_ends_and_another_one_goes_on(
    redis: OwnRedis, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    limits = {"SCRAPING_SOFT_TIME_LIMIT": "6", "SCRAPING_HARD_TIME_LIMIT": "60"}
    slowly = {"RATE_LIMIT_RATE": "8", "SCRAPING_CHUNK_SIZE": "80"}
    with (
        running_stand_in(templates=24) as stand_in,
        works(url, redis, stand_in, tmp_path, **limits, **slowly) as here,
    ):
        here.start_worker()

        ran = here.dispatch("workflows", "--wait")

        assert ran.status == 0, ran.err + here.log()
        judge_what_is_left(stand_in, url)
        assert "Soft time limit (6s) exceeded" in here.log()
        reasons = rows(url, "SELECT end_reason FROM scrape_workers")
        assert ("shutdown",) in reasons


@pytest.mark.long
def test_a_crawl_that_does_not_stop_at_the_soft_limit_is_killed_before_the_hard_one(
    redis: OwnRedis, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    limits = {"SCRAPING_SOFT_TIME_LIMIT": "12", "SCRAPING_HARD_TIME_LIMIT": "20"}
    with (
        running_stand_in(templates=20) as stand_in,
        works(url, redis, stand_in, tmp_path, **SLOWLY, **limits, SCRAPING_CHUNK_SIZE="80") as here,
    ):
        here.start_worker()
        assert here.dispatch("workflows").status == 0
        wait_until(lambda: here.ended(1), 60)

        # When a crawl hears no signal any more
        crawl = here.crawls()[0]
        os.kill(crawl.pid, signal.SIGSTOP)

        # Then its task kills it, and another chunk goes on
        wait_until(
            lambda: rows(url, "SELECT status FROM scrape_runs") == [("finished",)], 60, every=0.1
        )
        assert crawl not in here.crawls()
        assert "Hard time limit" not in here.log()
        judge_what_is_left(stand_in, url)
        assert repeated(stand_in.log()) <= AS_MANY_AS_ARE_IN_FLIGHT


@pytest.mark.further
def test_at_the_hard_limit_a_task_that_hears_nothing_is_killed_with_its_crawl(
    redis: OwnRedis, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    limits = {"SCRAPING_SOFT_TIME_LIMIT": "5", "SCRAPING_HARD_TIME_LIMIT": "7"}
    with (
        running_stand_in(templates=24, latency_ms=700) as stand_in,
        works(url, redis, stand_in, tmp_path, **limits, SCRAPING_CHUNK_SIZE="80") as here,
    ):
        here.start_worker()
        command = [sys.executable, "-m", "scrapy", "dispatch", "workflows", "--wait"]
        with child(command, cwd=PROJECT, env=here.whole_environment) as waiting:
            wait_until(lambda: here.crawls(), 60, every=0.1)

            # When the process of a task is frozen, and its crawl goes on for longer than it may
            crawl = here.crawls()[0]
            os.kill(parent_of(crawl).pid, signal.SIGSTOP)
            wait_until(lambda: crawl not in here.crawls(), 60, every=0.1)
            stand_in.control(latency_ms=0)

            # Then Celery kills it, and whoever waits has another one go on
            waiting.communicate(timeout=60)
        assert waiting.returncode == 0, here.log()
        assert "Hard time limit (7s) exceeded" in here.log()
        judge_what_is_left(stand_in, url)
        assert repeated(stand_in.log()) <= AS_MANY_AS_ARE_IN_FLIGHT


@pytest.mark.parametrize(
    ("asked", "more"), [(("workflows",), []), (("--all",), ["hk_events is not handed out."])]
)
def test_ctrl_c_ends_the_waiting_and_nothing_else(
    redis: OwnRedis, tmp_path: Path, asked: tuple[str, ...], more: list[str]
) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with (
        running_stand_in(templates=5) as stand_in,
        works(url, redis, stand_in, tmp_path) as here,
    ):
        command = [sys.executable, "-m", "scrapy", "dispatch", *asked, "--wait"]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with child(command, cwd=PROJECT, env=here.whole_environment, **streams) as waiting:
            handed_out = waiting.stdout.readline()
            assert waiting.stderr.readline().startswith("scrapy: no worker answers")
            waiting.send_signal(signal.SIGINT)
            out, err = waiting.communicate(timeout=20)

        [(run,)] = rows(url, "SELECT run_id FROM scrape_runs")
        assert f"workflows: run {run} is handed out" in handed_out
        [goes_on, *others] = out.splitlines()
        assert goes_on.startswith(f"run {run} goes on; ")
        assert (waiting.returncode, others, err) == (4, more, "")
        assert rows(url, "SELECT status FROM scrape_runs") == [("running",)]
        assert here.job()["status"] == "DISPATCHED"


def test_what_is_lost_with_an_emptied_redis_is_taken_up(redis: OwnRedis, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with (
        running_stand_in(templates=20) as stand_in,
        works(url, redis, stand_in, tmp_path) as here,
    ):
        # Given a run for one worker at once, whose message is lost with Redis
        assert here.dispatch("workflows", "--workers", "1").status == 0
        redis.stop()
        redis.start()
        assert here.job() == {}

        # When a worker comes
        here.start_worker()

        wait_until(
            lambda: rows(url, "SELECT status FROM scrape_runs") == [("finished",)], 60, every=0.1
        )
        judge_what_is_left(stand_in, url)
        wait_until(lambda: here.job()["status"] == "COMPLETE")
        times = rows(url, "SELECT since, ended_at FROM scrape_workers ORDER BY since")
        assert len(times) == 2
        assert str(times[0][1]) <= str(times[1][0])


def test_what_the_schedule_says_is_dispatched_by_a_worker(redis: OwnRedis, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with (
        running_stand_in(templates=20) as stand_in,
        works(url, redis, stand_in, tmp_path) as here,
    ):
        assert scrapy("db", "upgrade", environment=here.environment).status == 0
        here.start_worker()

        here.send(DISPATCH, "workflows -a limit=7")

        wait_until(
            lambda: rows(url, "SELECT status FROM scrape_runs") == [("finished",)], 60, every=0.1
        )
        assert rows(url, "SELECT count(*) FROM workflows") == [(7,)]


def test_a_site_that_is_due_is_dispatched_once_with_what_its_entry_says(
    redis: OwnRedis, tmp_path: Path
) -> None:
    # Given a site in the sources file, at an address that no setting names
    url, file = f"sqlite:///{tmp_path}/archive.db", tmp_path / "sources.toml"
    with (
        running_stand_in(templates=20) as stand_in,
        works(url, redis, stand_in, tmp_path) as here,
    ):
        address = stand_in.url.rstrip("/")
        entry = f'title = "x"\naddress = "{address}"\nkind = "n8n"\nrate = 500\nschedule = "2h"\n'
        file.write_text(f'[sources.city]\n{entry}arguments = {{limit = "3"}}\n')
        here.settings |= {"SOURCES_FILE": str(file), "N8N_SITE_URL": "http://127.0.0.1:1"}
        assert scrapy("db", "upgrade", environment=here.environment).status == 0
        here.start_worker()

        # When it is looked several times which sites are due
        for _ in range(3):
            here.send(SITES)

        # Then it was crawled once, at its own address
        wait_until(
            lambda: rows(url, "SELECT status, site FROM scrape_runs") == [("finished", address)],
            60,
        )
        assert rows(url, "SELECT count(*) FROM workflows") == [(3,)]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name one spider or --all"),
        (("workflows", "--all"), "name one spider or --all"),
        (("nothing",), "there is no spider 'nothing'"),
        (("workflows", "-a", "limit=0"), "-a limit=0: write how many"),
        (("workflows", "-a", "limit"), "write -a NAME=VALUE"),
        (("workflows", "--workers", "0"), "--workers 0: write how many, as in --workers 4."),
        (("workflows", "-s", "JOBDIR=state"), "needs no JOBDIR"),
        (("workflows", "-s", "REDIS_URL="), "REDIS_URL is empty"),
        (("workflows", "-s", "SCRAPING_CHUNK_SIZE=0"), "SCRAPING_CHUNK_SIZE is '0'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    words: tuple[str, ...], said: str, redis: OwnRedis, tmp_path: Path
) -> None:
    told = {"REDIS_URL": redis.url, "DATABASE_URL": f"sqlite:///{tmp_path}/archive.db"}

    ran = scrapy("dispatch", *words, environment={**told, "CELERY_BROKER_URL": ""})

    is_told_in_a_line(ran, 2, said)


def test_a_broker_that_is_away_is_told_in_one_line(tmp_path: Path) -> None:
    told = {"REDIS_URL": "redis://127.0.0.1:9", "DATABASE_URL": f"sqlite:///{tmp_path}/archive.db"}

    ran = scrapy("dispatch", "workflows", environment={**told, "CELERY_BROKER_URL": ""})

    is_told_in_a_line(ran, 10, "The broker fails")


def test_nothing_is_handed_out_beside_a_run_that_is_not_through(
    redis: OwnRedis, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with (
        running_stand_in(templates=5) as stand_in,
        works(url, redis, stand_in, tmp_path) as here,
    ):
        assert here.dispatch("workflows").status == 0

        again = here.dispatch("workflows", "--unless-under-way")

        assert again.status == 0
        assert "is not through; nothing is handed out" in again.out
        assert len(rows(url, "SELECT run_id FROM scrape_runs")) == 1
        told = scrapy("status", "--json", environment=here.environment)
        assert json.loads(told.out)["run"]["status"] == "running"
        assert here.job()["status"] == "DISPATCHED"


def test_a_place_is_handed_out_beside_another_place_of_its_source(
    redis: OwnRedis, tmp_path: Path
) -> None:
    # Given a run of one site that is not through
    url = f"sqlite:///{tmp_path}/archive.db"
    told = {"DATABASE_URL": url, "REDIS_URL": redis.url}
    first = scrapy("dispatch", "events", "-a", "site=mgto", environment=told)
    assert first.status == 0

    # When it is asked for again, and another one
    again, other = (
        scrapy("dispatch", "events", "-a", f"site={one}", "--unless-under-way", environment=told)
        for one in ("mgto", "galaxy")
    )

    # Then only the other is handed out
    assert "is not through; nothing is handed out" in again.out
    assert "is handed out" in other.out
    assert rows(url, "SELECT count(*) FROM scrape_runs") == [(2,)]


def is_told_in_a_line(ran: Ran, status: int, said: str) -> None:
    assert (ran.status, ran.out) == (status, ""), ran.err
    assert said in ran.err
    assert len(ran.err.strip().splitlines()) == 1
