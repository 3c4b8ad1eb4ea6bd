"""`scrapy breaker list|reset`: which domains are left alone, why, and a word to end it."""

from __future__ import annotations

import argparse

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.shared_pace import domains_in_redis, reset_in_redis
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
                known = domain_reports(database, elsewhere=domains_in_redis(settings))
            for domain in known:
                say(domain_line(domain))
            if not known:
                say("No domain has been crawled yet.")
        case ["reset", domain]:
            with Asking(settings) as database:
                here = database.do(lambda session: reset_circuit(session, domain))
                shared = reset_in_redis(settings, domain)
            if not (here or shared):
                refuse(f"no crawl has met {domain!r}; `scrapy breaker list` names the domains.")
            say(f"The circuit of {domain} is closed; all crawls under way see it at once.")
        case _:
            refuse(_USAGE)
