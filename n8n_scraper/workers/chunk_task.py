"""Work on a run for one chunk of items: a crawl as a child, watched until it ends."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from celery.exceptions import SoftTimeLimitExceeded

from n8n_scraper.core.errors import NotHealthy, ScraperError, StoreError
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.run.chunks import Chunk
from n8n_scraper.policies.run.ending import meaning_of
from n8n_scraper.reports.runs import RunReport, run_report
from n8n_scraper.workers.child import Child
from n8n_scraper.workers.handing_out import Broker
from n8n_scraper.workers.jobs import Job, Jobs
from n8n_scraper.workers.state import state_of

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
"""How often a task looks at its crawl and at the ledger."""

_SETTLED = (
    *(ExitStatus.DONE, ExitStatus.FAILURES, ExitStatus.WORK_LEFT, ExitStatus.FEED_LOST),
    -signal.SIGINT,  # it was asked to end before it had begun
)
"""With these a crawl has done what it was to do, as far as its chunk goes."""


class CrawlBroke(ScraperError):
    """A crawl ended otherwise than it should; its text names run and reason."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a chunk is worked on with."""

    database: Database
    jobs: Jobs
    broker: Broker
    size: int
    is_leaving: Callable[[], bool]
    """Whether the worker is about to end."""
    patience_seconds: float
    """How long a crawl that was asked to end may take."""


def work_on(chunk: Chunk, around: Surroundings) -> None:
    """Crawl, tell how far the run is, and hand out what is needed to bring it to its end."""
    run = run_report(around.database, chunk.run)
    if not state_of(run).is_wanted:
        _note(around, run)  # a message that came twice, or after the end
        return
    status = _Watched(chunk, around, run.told).end()
    after = run_report(around.database, chunk.run)
    following = chunk.next(
        state_of(after), done_before=run.counts.done, is_one_lost=_is_one_lost(after, around)
    )
    if following is not None:
        _send_patiently(around, following)
    is_given_up = following is None and _is_left_alone(after)
    _note(around, after, is_given_up=is_given_up)
    if is_given_up or (status not in _SETTLED and after.status != "finished"):
        what = meaning_of(status, after.noun) or f"status {status}"
        raise CrawlBroke(f"a crawl of run {chunk.run} ended: {what}.")


def _send_patiently(around: Surroundings, chunk: Chunk) -> None:
    """Hand a chunk out, and wait for a broker that is away, as long as a crawl might have taken."""
    deadline = time.monotonic() + around.patience_seconds
    while True:
        try:
            return around.broker.send(chunk)
        except NotHealthy as error:
            if time.monotonic() > deadline:
                raise
            logger.warning("run %s: %s", chunk.run, error)
            time.sleep(_LOOK_SECONDS)


def _is_one_lost(run: RunReport, around: Surroundings) -> bool:
    """Whether work is left for which there is neither a worker nor a message."""
    if not state_of(run).is_more_than_others_take(around.size):
        return False
    try:
        return around.broker.is_empty()
    except NotHealthy as error:  # what was in it may be lost; one chunk too many does no harm
        logger.warning("run %s: %s", run.run_id, error)
        return True


def _is_left_alone(run: RunReport) -> bool:
    state = state_of(run)
    return state.is_wanted and not state.others


class _Watched:
    """A crawl under way."""

    def __init__(self, chunk: Chunk, around: Surroundings, told: Mapping[str, str]) -> None:
        self._chunk = chunk
        self._around = around
        given = (word for name, value in told.items() for word in ("-s", f"{name}={value}"))
        self._crawl = Child(
            ("crawl", chunk.spider, "-a", f"run={chunk.run}", *given),
            # As variables, so that the command which the crawl names is one for a person.
            ITEMS_AT_MOST=str(chunk.items(around.size)),
            PROGRESS="off",
        )
        self._deadline: float | None = None

    def end(self) -> int:
        """Watch it to its end, and give its exit status; nothing of it stays."""
        try:
            while not self._is_through():
                pass
        finally:
            status = self._crawl.close()
        return status

    def _is_through(self) -> bool:
        try:
            if self._crawl.has_ended(_LOOK_SECONDS):
                return True
            if self._around.is_leaving():
                self._stop()
            self._look()
        except SoftTimeLimitExceeded:
            self._stop()
        return self._deadline is not None and time.monotonic() > self._deadline

    def _look(self) -> None:
        try:
            run = run_report(self._around.database, self._chunk.run)
            self._spread(run)
        except (StoreError, NotHealthy) as error:  # the crawl goes on without database and broker
            logger.warning("run %s: %s", self._chunk.run, error)
        else:
            _note(self._around, run)

    def _spread(self, run: RunReport) -> None:
        if self._chunk.spreads and run.is_planned:
            self._around.broker.send(*self._chunk.others(state_of(run), self._around.size))
            self._chunk = replace(self._chunk, spreads=False)

    def _stop(self) -> None:
        if self._deadline is None:
            self._deadline = time.monotonic() + self._around.patience_seconds
            self._crawl.stop()


def _note(around: Surroundings, run: RunReport, *, is_given_up: bool = False) -> None:
    job = Job.of(run, run.chunk_size or around.size)
    try:
        around.jobs.note(run.run_id, job.failed() if is_given_up else job)
    except NotHealthy as error:  # whoever watches there sees less; the work goes on
        logger.warning("run %s: its progress is not told in Redis: %s", run.run_id, error)
