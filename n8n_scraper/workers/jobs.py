"""How far each job is, in Redis: for whoever watches there; the truth is the ledger.

A job is a run that was dispatched, and has its id. Every key has a lifetime, from each time that
it is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Self

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.reports.runs import RunReport
from n8n_scraper.workers.away import told_if_away
from n8n_scraper.workers.state import state_of

LIFETIME_SECONDS = 7 * 24 * 3600
_PATIENCE_SECONDS = 2.0
"""How long a word about progress may take; the work does not wait for it any longer."""

_WITH_DATA = (Outcome.COMPLETE, Outcome.PARTIAL)


class JobStatus(StrEnum):
    """Where a job is."""

    UNKNOWN = "UNKNOWN"  # only for readers: nothing is kept of it
    DISPATCHED = "DISPATCHED"  # handed out, and no worker has begun
    PROCESSING = "PROCESSING"
    AGGREGATING = "AGGREGATING"  # the last item has ended, the run is being closed
    COMPLETE = "COMPLETE"
    FAILED = "FAILED"


def key(job_id: str, field: str) -> str:
    """Name the place of a field of a job."""
    return f"scrape:{job_id}:{field}"


@dataclass(frozen=True, slots=True)
class Job:
    """How far a job is; its fields are the last words of the keys."""

    status: JobStatus = JobStatus.UNKNOWN
    total_chunks: int = 0
    completed: int = 0
    """In chunks: as many as the items that have ended would fill."""
    result_count: int = 0
    """How many items have brought data."""
    started_at: str = ""

    @classmethod
    def of(cls, run: RunReport, chunk_size: int) -> Self:
        """Say by its ledger how far a run is."""
        counts = run.counts
        status = _status(run)
        total = -(-counts.total // chunk_size)
        return cls(
            status=status,
            total_chunks=total,
            completed=total if not counts.left else counts.done // chunk_size,
            result_count=sum(counts.outcomes.get(one, 0) for one in _WITH_DATA),
            started_at=run.started_at,
        )

    def failed(self) -> Job:
        """Say that nobody goes on with it."""
        return replace(self, status=JobStatus.FAILED)


def _status(run: RunReport) -> JobStatus:
    if run.status == "finished":
        return JobStatus.COMPLETE
    if not state_of(run).is_wanted:
        return JobStatus.FAILED
    if not run.workers:
        return JobStatus.DISPATCHED
    is_over = run.is_planned and not run.counts.left
    return JobStatus.AGGREGATING if is_over else JobStatus.PROCESSING


class Jobs:
    """The jobs of one Redis."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def note(self, job_id: str, job: Job) -> None:
        """Keep how far a job is, all of it at once."""
        with told_if_away(), self._redis.pipeline(transaction=True) as together:
            for field, value in asdict(job).items():
                together.set(key(job_id, field), value, ex=LIFETIME_SECONDS)
            together.execute()

    def read(self, job_id: str) -> Job:
        """Say how far a job is, as it was kept last."""
        names = [one.name for one in fields(Job)]
        with told_if_away():
            kept = self._redis.mget([key(job_id, name) for name in names])
        found = {name: str(value or "") for name, value in zip(names, kept, strict=True)}
        return Job(
            status=JobStatus(found["status"] or JobStatus.UNKNOWN),
            total_chunks=int(found["total_chunks"] or 0),
            completed=int(found["completed"] or 0),
            result_count=int(found["result_count"] or 0),
            started_at=found["started_at"],
        )


@contextmanager
def jobs_at(url: str) -> Iterator[Jobs]:
    """Give the jobs of a Redis for as long as the block lasts."""
    with Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=_PATIENCE_SECONDS,
        socket_connect_timeout=_PATIENCE_SECONDS,
        retry=Retry(NoBackoff(), 0),
    ) as redis:
        yield Jobs(redis)
