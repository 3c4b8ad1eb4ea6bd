"""`scrapy changes --since …`: what has happened since a day, for a span of time, or since a run."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from scrapy.commands import ScrapyCommand
from sqlalchemy.orm import Session

from n8n_scraper.asking import look
from n8n_scraper.clock import utc_now
from n8n_scraper.console import refuse, say
from n8n_scraper.errors import BadInput
from n8n_scraper.policies.narration import printable, summary
from n8n_scraper.policies.since import moment
from n8n_scraper.storage import history
from n8n_scraper.storage.history import Event, Kind

_SINCE = "2026-11-01, 3d (or 12h, 30m, 2w), or a run's id"


class Command(ScrapyCommand):
    """Shows the events of the archive's history."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012 - Scrapy's declaration

    def syntax(self) -> str:
        """What may follow the command."""
        return "--since DAY|SPAN|RUN_ID [--kind KIND] [--json]"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show which templates are new, changed, renamed, removed or back"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Take from when on, and what kinds of events."""
        super().add_options(parser)
        parser.add_argument("--since", metavar="WHEN", help=_SINCE)
        parser.add_argument("--kind", action="append", default=[], help=", ".join(Kind))
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Ask and say, the newest last."""
        assert self.settings is not None
        if args or not opts.since:
            refuse(f"write: scrapy changes --since WHEN, where WHEN is {_SINCE}.")
        kinds = [kind for given in opts.kind for kind in given.split(",")]
        try:
            _check_kinds(kinds)
            found = look(self.settings, lambda session: look_up(session, opts.since, kinds))
        except BadInput as error:
            refuse(error)
        for event in found:
            say(json.dumps(asdict(event)) if opts.json else describe(event))
        if not found and not opts.json:
            say(f"Nothing has happened since {printable(opts.since)}.")


def look_up(session: Session, since: str, kinds: list[str]) -> list[Event]:
    """Give the events since a moment, or since the beginning of a run."""
    start = moment(since, utc_now()) or history.run_start(session, since)
    if start is None:
        raise BadInput(f"--since {since}: no run has this id, and it is no time; write {_SINCE}.")
    return history.events(session, start, kinds)


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
