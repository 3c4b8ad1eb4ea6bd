"""What Redis says of a job: by the ledger, under the names that watchers know, for a while."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.reports.runs import RunReport
from n8n_scraper.reports.workers import Presence, WorkerReport
from n8n_scraper.testing.redis import OwnRedis

pytest.importorskip("redis")

from n8n_scraper.workers.jobs import LIFETIME_SECONDS, Job, Jobs, JobStatus, jobs_at, key

WORKER = WorkerReport("h:1:a", Presence.ALIVE, "", None, None, None, 0, {}, 0)
RUN = RunReport(
    run_id="r",
    spider="workflows",
    source="n8n",
    site="http://here",
    arguments={},
    jobdir=None,
    command="scrapy crawl workflows",
    status="running",
    standing=Standing.LIVE,
    owner=None,
    started_at="2026-01-01T00:00:00.000Z",
    ended_at=None,
    end_reason=None,
    exit_status=None,
    counts=Counts({"complete": 40, "partial": 3, "gone": 2}, left=75),
    elapsed_seconds=1.0,
    workers=(WORKER,),
    is_planned=True,
)


@pytest.fixture
def jobs(redis: OwnRedis) -> Iterator[Jobs]:
    with jobs_at(redis.url) as found:
        yield found


def test_the_figures_follow_from_the_ledger() -> None:
    assert Job.of(RUN, 50) == Job(JobStatus.PROCESSING, 3, 0, 43, RUN.started_at)
    assert Job.of(RUN, 10).completed == 4


def test_all_chunks_are_completed_when_no_item_is_left() -> None:
    job = Job.of(replace(RUN, counts=Counts({"complete": 101})), 50)

    assert (job.completed, job.total_chunks) == (3, 3)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"workers": ()}, JobStatus.DISPATCHED),
        ({}, JobStatus.PROCESSING),
        ({"counts": Counts({"complete": 1})}, JobStatus.AGGREGATING),
        ({"counts": Counts(), "is_planned": False}, JobStatus.PROCESSING),
        ({"status": "finished", "exit_status": 3}, JobStatus.COMPLETE),
        ({"status": "stopped", "exit_status": 4}, JobStatus.PROCESSING),
        ({"status": "stopped", "exit_status": 5}, JobStatus.FAILED),
        ({"status": "failed", "exit_status": 7}, JobStatus.FAILED),
    ],
)
def test_a_status_for_every_run(given: dict[str, object], status: JobStatus) -> None:
    assert Job.of(replace(RUN, **given), 50).status is status  # type: ignore[arg-type]


def test_what_was_noted_can_be_read(jobs: Jobs) -> None:
    job = Job.of(RUN, 50)

    jobs.note("r", job)

    assert jobs.read("r") == job


def test_of_a_job_that_is_not_kept_nothing_is_known(jobs: Jobs) -> None:
    assert jobs.read("other") == Job(JobStatus.UNKNOWN)


def test_every_key_has_a_lifetime_and_belongs_to_one_job(jobs: Jobs, redis: OwnRedis) -> None:
    from redis import Redis

    jobs.note("r", Job.of(RUN, 50))
    jobs.note("other", Job())

    with Redis.from_url(redis.url, decode_responses=True) as client:
        assert set(client.scan_iter("scrape:r:*")) == {
            key("r", one)
            for one in ("total_chunks", "completed", "status", "started_at", "result_count")
        }
        assert all(0 < client.ttl(name) <= LIFETIME_SECONDS for name in client.scan_iter("*"))
