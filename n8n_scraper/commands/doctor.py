"""`scrapy doctor`: what is wrong, and what to do about it."""

from __future__ import annotations

import argparse
import json

from scrapy.settings import BaseSettings

from n8n_scraper.commands.shared_pace import domains_in_redis
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.started import as_started
from n8n_scraper.core.wording import printable
from n8n_scraper.doctor.examination import examine
from n8n_scraper.doctor.finding import Finding, State, worst
from n8n_scraper.sources import source_of


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> ExitStatus:
    """Tell each finding as it comes, to a machine all at once."""
    if args:
        refuse("write: scrapy doctor [--source NAME] [--json]")
    try:
        source = source_of(opts.source) if opts.source else None
    except BadInput as error:
        refuse(error)
    found: list[Finding] = []
    for finding in examine(settings, source, lambda: domains_in_redis(settings)):
        found.append(finding)
        if not opts.json:
            say(as_started(printable(finding.line())))
    state = worst(found)
    if opts.json:
        say(json.dumps({"state": str(state), "findings": [one.as_json() for one in found]}))
    return ExitStatus.BROKEN if state is State.BAD else ExitStatus.DONE
