"""Dispatch runs: enter them in the ledger, hand their first chunk out, and take up what is lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from n8n_scraper.core.errors import NotHealthy
from n8n_scraper.ledger import runs
from n8n_scraper.policies.run import chunks
from n8n_scraper.policies.run.chunks import CHUNK_SIZE, MOST_AT_ONCE, Chunk
from n8n_scraper.reports.runs import RunReport, run_report, run_reports
from n8n_scraper.workers.jobs import Job, Jobs, JobStatus
from n8n_scraper.workers.state import state_of

if TYPE_CHECKING:
    from n8n_scraper.ledger.database import Database
    from n8n_scraper.ledger.ledger import NewRun
    from n8n_scraper.workers.handing_out import Broker

_NEWEST = 50
"""Among how many runs it is looked for what is lost."""

_QUIET_SECONDS = 5.0
"""How long a run without a worker and a queue without a message are believed to come to life."""

_LOOK_SECONDS = 0.5


class Dispatcher:
    """Whoever hands out the work of runs."""

    def __init__(
        self,
        database: Database,
        broker: Broker,
        jobs: Jobs,
        chunk_size: int,
        sessions: int | None = None,
    ) -> None:
        self._database = database
        self._broker = broker
        self._jobs = jobs
        self._chunk_size = chunk_size
        self._sessions = sessions

    def enter(self, new: NewRun, most_at_once: int | None = None) -> str:
        """Enter a run, for workers to come."""
        told = {**new.settings, CHUNK_SIZE: self._chunk_size}
        if (most := chunks.most_at_once(most_at_once, self._sessions)) is not None:
            told[MOST_AT_ONCE] = most
        return self._database.do(lambda session: runs.enter(session, replace(new, settings=told)))

    def hand_out(self, run_id: str, most_at_once: int | None = None) -> RunReport:
        """Hand a run's first chunk out, which hands out the others when their number is known."""
        run = run_report(self._database, run_id)
        # What is told goes first: a worker may be quicker than we are.
        self._jobs.note(run.run_id, Job.of(run, self._chunk_size))
        most = chunks.most_at_once(most_at_once, self._sessions)
        self._broker.send(Chunk(run.run_id, run.spider, spreads=True, most_at_once=most))
        return run

    def take_up(self) -> list[str]:
        """Hand out anew what was dispatched and is lost; give the runs."""
        newest = run_reports(self._database, _NEWEST)
        lost = [run for run in newest if run.chunk_size is not None and self._is_lost(run)]
        for run in lost:
            self.hand_out(run.run_id, run.most_at_once)
        return [run.run_id for run in lost]

    def wait(self, run_id: str, most_at_once: int | None, tell: Callable[[str], None]) -> RunReport:
        """Wait for the end of a run, and take it up when it is lost."""
        quiet_since: float | None = None
        while True:
            run = run_report(self._database, run_id)
            if not state_of(run).is_wanted:
                return run
            with suppress(NotHealthy):  # the ledger tells of the run's end without the broker
                if self._is_given_up(run):
                    return run
                quiet_since = (quiet_since or time.monotonic()) if self._is_lost(run) else None
                if quiet_since is not None and time.monotonic() - quiet_since > _QUIET_SECONDS:
                    tell(f"run {run_id} was lost, and is handed out anew.")
                    self.hand_out(run_id, most_at_once)
                    quiet_since = None
            time.sleep(_LOOK_SECONDS)

    def _is_given_up(self, run: RunReport) -> bool:
        return self._jobs.read(run.run_id).status is JobStatus.FAILED

    def _is_lost(self, run: RunReport) -> bool:
        """Whether a run has work left that neither a worker nor a message is about."""
        state = state_of(run)
        is_left_alone = state.is_wanted and not state.others and not self._is_given_up(run)
        return is_left_alone and self._broker.is_empty()
