"""Say of a run what matters to what is handed out."""

from __future__ import annotations

from n8n_scraper.policies.run.chunks import RunState
from n8n_scraper.reports.runs import RunReport
from n8n_scraper.reports.workers import Presence


def state_of(run: RunReport) -> RunState:
    """Read it from the report of a run."""
    return RunState(
        status=run.status,
        exit_status=run.exit_status,
        is_planned=run.is_planned,
        counts=run.counts,
        others=sum(one.presence is Presence.ALIVE for one in run.workers),
    )
