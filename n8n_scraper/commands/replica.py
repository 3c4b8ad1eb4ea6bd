"""`scrapy replica`: serve the stand-in of a source."""

from __future__ import annotations

import argparse

from scrapy.settings import BaseSettings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources import all_sources
from n8n_scraper.testing.replica.cli import complain, serve_until_stopped
from n8n_scraper.testing.stand_in import script_of, source_named


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Serve until stopped; refuse what is not an option."""
    if args:
        return complain(f"unknown argument: {' '.join(args)}")
    try:
        source = source_named(opts.source)
    except BadInput as error:
        return complain(str(error))
    own = source.noun.many
    for many in {other.noun.many for other in all_sources()} - {own}:
        if getattr(opts, many) is not None:
            return complain(f"{source.name} has no {many}; write --{own}")
    return serve_until_stopped(script_of(source), opts)
