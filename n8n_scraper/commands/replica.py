"""`scrapy replica`: serve the stand-in of n8n.io."""

from __future__ import annotations

import argparse

from scrapy.settings import BaseSettings

from n8n_scraper.sources.n8n.replica.script import SCRIPT
from n8n_scraper.testing.replica.cli import complain, serve_until_stopped


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Serve until stopped; refuse what is not an option."""
    if args:
        return complain(f"unknown argument: {' '.join(args)}")
    return serve_until_stopped(SCRIPT, opts)
