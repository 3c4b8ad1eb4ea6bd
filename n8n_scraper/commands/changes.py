"""`scrapy changes --since …`: what has happened since a day, for a span of time, or since a run."""

from __future__ import annotations

import argparse
import json

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.cli.changes import SINCE
from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.narration import summary
from n8n_scraper.core.since import moment
from n8n_scraper.core.wording import printable
from n8n_scraper.ledger.database import Database
from n8n_scraper.records.history import EventKind
from n8n_scraper.reports.history import EventReport, events_since
from n8n_scraper.reports.runs import started_at
from n8n_scraper.sources import all_sources, source_of


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Ask and say, the newest last."""
    if args or not opts.since:
        refuse(f"write: scrapy changes --since WHEN, where WHEN is {SINCE}.")
    kinds = [kind for given in opts.kind for kind in given.split(",")]
    try:
        _check_kinds(kinds)
        sources = [source_of(opts.source)] if opts.source else all_sources()
        with Asking(settings) as database:
            start = _start(database, opts.since)
            found = events_since(database, sources, start, kinds)
    except BadInput as error:
        refuse(error)
    for event in found:
        say(_json_line(event) if opts.json else describe(event))
    if not found and not opts.json:
        say(f"Nothing has happened since {start[:19]}Z.")


def _start(database: Database, since: str) -> str:
    """Give the moment that is meant, perhaps as the beginning of a run."""
    start = moment(since, utc_now()) or started_at(database, since)
    if start is None:
        raise BadInput(f"--since {since}: no run has this id, and it is no time; write {SINCE}.")
    return start


def _json_line(event: EventReport) -> str:
    return json.dumps(event.as_json(source_of(event.source).key))


def describe(event: EventReport) -> str:
    """Say an event in one line."""
    authored = source_of(event.source).kind().authored
    said = summary(event.kind, event.details, authored.in_short)
    title = printable(event.title or "without a title")
    line = f"{event.at[:19]}Z  {event.kind:8}  {event.item_id:>6}  {title}"
    return f"{line}: {said}" if said else line


def _check_kinds(kinds: list[str]) -> None:
    for kind in kinds:
        if kind not in list(EventKind):
            raise BadInput(f"--kind {kind}: write one of {', '.join(EventKind)}.")
