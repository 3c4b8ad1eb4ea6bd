"""`scrapy changes --since …`: what has happened since a day, for a span of time, or since a run."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from scrapy.settings import BaseSettings
from sqlalchemy.orm import Session

from n8n_scraper.commands.asking import look
from n8n_scraper.commands.cli.changes import SINCE
from n8n_scraper.commands.narration import printable, summary
from n8n_scraper.commands.since import moment
from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.records import history
from n8n_scraper.records.history import Event, Kind


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Ask and say, the newest last."""
    if args or not opts.since:
        refuse(f"write: scrapy changes --since WHEN, where WHEN is {SINCE}.")
    kinds = [kind for given in opts.kind for kind in given.split(",")]
    try:
        _check_kinds(kinds)
        start, found = look(settings, lambda session: look_up(session, opts.since, kinds))
    except BadInput as error:
        refuse(error)
    for event in found:
        say(json.dumps(asdict(event)) if opts.json else describe(event))
    if not found and not opts.json:
        say(f"Nothing has happened since {start[:19]}Z.")


def look_up(session: Session, since: str, kinds: list[str]) -> tuple[str, list[Event]]:
    """Give the moment that is meant, perhaps as the beginning of a run, and what came since."""
    start = moment(since, utc_now()) or history.run_start(session, since)
    if start is None:
        raise BadInput(f"--since {since}: no run has this id, and it is no time; write {SINCE}.")
    return start, history.events(session, start, kinds)


def describe(event: Event) -> str:
    """Say an event in one line."""
    said = summary(event.kind, event.details)
    title = printable(event.title or "without a title")
    line = f"{event.at[:19]}Z  {event.kind:8}  {event.workflow_id:>6}  {title}"
    return f"{line}: {said}" if said else line


def _check_kinds(kinds: list[str]) -> None:
    for kind in kinds:
        if kind not in list(Kind):
            raise BadInput(f"--kind {kind}: write one of {', '.join(Kind)}.")
