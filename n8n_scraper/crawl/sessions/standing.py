"""Say which sessions of an account are open, in the book and there where they run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from n8n_scraper.crawl.sessions.account import Account, is_lost
from n8n_scraper.policies.sessions.book import Lease, Standing


@dataclass(frozen=True, slots=True)
class OpenSession:
    """One session of ours."""

    remote: str
    """Its name there; empty while nobody knows it."""
    lease: str
    """Its name in the book; empty for one that stands in none."""
    standing: Standing | None
    items: int
    errors: int
    load: int
    uptime: float | None
    """For how many seconds it has stood so."""
    process: str
    is_used: bool
    """Whether its holder lives, as far as that is known."""

    @property
    def told(self) -> dict[str, Any]:
        """What a machine is told, under the names that such statistics have."""
        return {
            "sessionId": self.remote or None,
            "itemsProcessed": self.items,
            "errors": self.errors,
            "uptime": self.uptime,
            "currentLoad": self.load,
            "lease": self.lease or None,
            "standing": self.standing,
            "process": self.process or None,
            "isUsed": self.is_used,
        }


def open_sessions(account: Account) -> list[OpenSession]:
    """Give all of them; ProviderAway where it cannot be asked."""
    living = account.living()
    seen = account.look()
    known = [_of_book(lease, seen.now) for lease in seen.book.leases]
    names = {one.remote for one in known} | {one.lease for one in known}
    stray = [
        OpenSession(remote, "", None, 0, 0, 0, None, "", is_used=False)
        for remote, lease in living.items()
        if not {remote, lease} & names
    ]
    return [*known, *stray]


def _of_book(lease: Lease, now: float) -> OpenSession:
    return OpenSession(
        remote=lease.remote,
        lease=lease.name,
        standing=lease.standing,
        items=lease.items,
        errors=lease.errors,
        load=lease.load,
        uptime=round(max(0.0, now - lease.since), 1),
        process=":".join(lease.owner.split(":")[:2]),
        is_used=lease.standing in (Standing.RESERVED, Standing.OPEN) and not is_lost(lease, now),
    )
