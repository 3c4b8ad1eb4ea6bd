"""`scrapy serve`: answer browsers and programs until a signal comes."""

from __future__ import annotations

import argparse
from dataclasses import replace

from scrapy.settings import BaseSettings

from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.checks import kept_settings
from n8n_scraper.serve.options import ServeOptions
from n8n_scraper.serve.running import serve


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Read what was asked, then serve."""
    if args:
        refuse("write: scrapy serve [--host ADDRESS] [--port NUMBER]")
    try:
        for name, given in (("SERVE_HOST", opts.host), ("SERVE_PORT", opts.port)):
            if given is not None:
                settings.set(name, given, "cmdline")
        options = replace(ServeOptions.from_settings(settings), kept=kept_settings())
        options.check()
        serve(options, lambda address: say(f"n8n-scraper answers at {address} until Ctrl-C."))
    except BadInput as error:
        refuse(error)
