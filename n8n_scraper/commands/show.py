"""`scrapy show ID`: a stored item to read in the terminal."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.source_meant import source_meant
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.wording import printable
from n8n_scraper.records import items
from n8n_scraper.reports.history import ItemHistory, item_history
from n8n_scraper.reports.told_item import item_lines


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Show the item, or refuse in one line."""
    if len(args) != 1:
        refuse("write: scrapy show ID")
    with Asking(settings) as database:
        source = source_meant(database, opts.source)
        item = database.look(lambda session: items.load(session, source, args[0]))
        if item is None:
            raise BadInput(f"the archive has no {source.noun} {args[0]!r}.")
        history = item_history(database, source, args[0])
    if opts.json:
        say(item.model_dump_json())
        return
    for line in (*item_lines(source, item), *_versions(history)):
        say("\n".join(map(printable, line.splitlines())))


def _versions(history: ItemHistory) -> Iterator[str]:
    if len(history.versions) > 1:
        yield "\nVersions:"
        yield from (f"  {one.number:>3}  {one.seen_at[:10]}" for one in history.versions)
