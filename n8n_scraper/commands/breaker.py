"""`scrapy breaker list|reset`: which domains are left alone, why, and a word to end it."""

from __future__ import annotations

import argparse

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking, ask
from n8n_scraper.commands.words import domain_line
from n8n_scraper.core.console import refuse, say
from n8n_scraper.ledger.domains import reset_circuit
from n8n_scraper.reports.domains import domain_reports

_USAGE = "write: scrapy breaker list, or: scrapy breaker reset DOMAIN"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Do what was asked."""
    match args:
        case ["list"]:
            with Asking(settings) as database:
                known = domain_reports(database)
            for domain in known:
                say(domain_line(domain))
            if not known:
                say("No domain has been crawled yet.")
        case ["reset", domain]:
            if not ask(settings, lambda session: reset_circuit(session, domain)):
                refuse(f"no crawl has met {domain!r}; `scrapy breaker list` names the domains.")
            say(f"The circuit of {domain} is closed; all crawls under way see it at once.")
        case _:
            refuse(_USAGE)
