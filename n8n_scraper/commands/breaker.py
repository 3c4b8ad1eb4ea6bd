"""`scrapy breaker list|reset`: which domains are left alone, why, and a word to end it."""

from __future__ import annotations

import argparse
import time
from datetime import UTC, datetime

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import ask, look
from n8n_scraper.core.console import refuse, say
from n8n_scraper.ledger import domains
from n8n_scraper.ledger.tables import DomainRow
from n8n_scraper.policies.run.progress import duration

_USAGE = "write: scrapy breaker list, or: scrapy breaker reset DOMAIN"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Do what was asked."""
    match args:
        case ["list"]:
            known = look(settings, domains.rows)
            for row in known:
                say(describe(row, time.time()))
            if not known:
                say("No domain has been crawled yet.")
        case ["reset", domain]:
            if not ask(settings, lambda session: domains.reset_circuit(session, domain)):
                refuse(f"no crawl has met {domain!r}; `scrapy breaker list` names the domains.")
            say(f"The circuit of {domain} is closed; a crawl under way sees it within seconds.")
        case _:
            refuse(_USAGE)


def describe(row: DomainRow, now: float) -> str:
    """Say in one line how a domain's circuit stands."""
    if row.circuit_opened_at is None:
        return f"{row.domain}: closed, {row.circuit_failures} failures in a row"
    opened = datetime.fromtimestamp(row.circuit_opened_at, UTC).isoformat(timespec="seconds")
    left = row.circuit_opened_at + row.circuit_hold_seconds - now
    state = f"open for {duration(left)} more" if left > 0 else "open, a probe is due"
    return (
        f"{row.domain}: {state}; since {opened}, after {row.circuit_failures} failures in a row, "
        f"the last one {row.circuit_reason} ({row.circuit_tripped_by})"
    )
