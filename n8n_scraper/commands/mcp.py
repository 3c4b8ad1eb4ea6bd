"""`scrapy mcp`: answer an AI assistant until it hangs up."""

from __future__ import annotations

import argparse

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.core.console import refuse
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.extras import ASSISTANTS


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Answer over standard input and output, to which nothing else is written."""
    if args:
        refuse("write: scrapy mcp")
    if lacking := ASSISTANTS.missing():
        refuse(lacking)
    from n8n_scraper.assistants.stdio import answer_over_stdio

    try:
        with Asking(settings) as database:
            answer_over_stdio(database)
    except BadInput as error:
        refuse(error)
    except KeyboardInterrupt:
        return
