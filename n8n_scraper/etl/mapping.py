"""Put our runs and outcomes into the words of the contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from n8n_scraper.etl.etl_settings import Finalising
from n8n_scraper.ledger.ledger import Closing, State
from n8n_scraper.policies.run.counts import Counts
from n8n_scraper.reports.outgoing import OutgoingRun

_DONE = (State.DONE,)
_FAILED = (State.FAILED, State.BLOCKED)
"""What asking again could still bring; anything else that ended is settled without an item."""


@dataclass(frozen=True, slots=True)
class Flags:
    """How an item stands, in the words of the contract: at most one of the three is true."""

    done: bool = False
    failed: bool = False
    invalid: bool = False
    reason: str | None = None

    @property
    def kind(self) -> tuple[bool, bool, bool]:
        """The three alone: of the reason a server may keep less than it was told."""
        return self.done, self.failed, self.invalid

    def as_changes(self) -> dict[str, Any]:
        """Say all of them, so that whatever was said before is not left beside it."""
        return {
            "done": self.done,
            "failed": self.failed,
            "invalid": self.invalid,
            "failedReason": self.reason,
        }


def flags_of(payload: Mapping[str, Any]) -> Flags:
    """Read how an item ended from what was written down of it."""
    state = payload["state"]
    if state in _DONE:
        return Flags(done=True)
    why = f"{payload['category'] or payload['outcome']}: {payload['reason'] or 'no reason given'}"
    return Flags(failed=True, reason=why) if state in _FAILED else Flags(invalid=True, reason=why)


def closing_as_payload(closing: Closing) -> dict[str, Any]:
    """Write down how an item ended."""
    return {
        "item_id": closing.item_id,
        "state": str(closing.state),
        "outcome": str(closing.outcome),
        "category": closing.category,
        "reason": closing.reason,
    }


def domain_of(site: str) -> str:
    """Name the domain of a site as the contract does."""
    return (urlsplit(site).hostname or "").removeprefix("www.")


def creation(run: OutgoingRun, urls: Iterable[str]) -> dict[str, Any]:
    """Ask for a run like ours."""
    return {
        "domain": domain_of(run.site),
        "source": run.source,
        "metadata": {"started_at": run.started_at, "run_id": run.run_id},
        "items": [{"url": url} for url in urls],
    }


def ending_as_payload(run: OutgoingRun, counts: Counts) -> dict[str, Any]:
    """Write down how a run ended."""
    had = sum(counts.outcomes.get(one, 0) for one in ("complete", "partial"))
    return {
        "started_at": run.started_at,
        "ended_at": run.ended_at,
        "total_count": counts.total,
        "finished_count": had,
        "failed_count": counts.unsettled,
    }


def finalisation(payload: Mapping[str, Any], words: Finalising) -> dict[str, Any]:
    """Say that a run is over."""
    if words is Finalising.FLAG:
        return {"finalize": True}
    metadata = {"finished_at" if name == "ended_at" else name: payload[name] for name in payload}
    return {"status": "finished", "endTime": payload["ended_at"], "metadata": metadata}
