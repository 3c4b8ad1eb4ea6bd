"""`scrapy preflight`: is everything there that work needs, and how to get what is not."""

from __future__ import annotations

import argparse

from scrapy.settings import BaseSettings

from n8n_scraper.commands.standings import as_json, preflight_lines
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.started import as_started
from n8n_scraper.stack import stack_of


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> ExitStatus:
    """Look at everything once."""
    if args:
        refuse("write: scrapy preflight [--json]")
    try:
        seen = list(stack_of(settings).look())
    except BadInput as error:
        refuse(error)
    if opts.json:
        say(as_json(seen))
    else:
        for line in preflight_lines(seen):
            say(as_started(line))
    ready = all(one.health.is_ready for one in seen)
    return ExitStatus.DONE if ready else ExitStatus.NOT_HEALTHY
