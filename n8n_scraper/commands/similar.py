"""`scrapy similar <id>`: which other items are nearly the same."""

from __future__ import annotations

import argparse
import json
import time

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.source_meant import source_meant
from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.core.wording import printable
from n8n_scraper.records.likeness import look_through
from n8n_scraper.reports.likeness import LookAlikes, clusters, look_alikes

_USAGE = "write: scrapy similar ID, or: scrapy similar --rebuild"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Look, and say; or compare all items anew."""
    if len(args) != (0 if opts.rebuild else 1):
        refuse(_USAGE)
    with Asking(settings) as database:
        source = source_meant(database, opts.source)
        if not opts.rebuild:
            _tell(source, look_alikes(database, source, args[0]), as_json=opts.json)
            return
        if source.kind().likeness is None:
            raise BadInput(f"{source.noun.many} are not compared with each other.")
        began = time.monotonic()
        number = look_through(database, source)
        found = clusters(database, source)
        took = time.monotonic() - began
    pairs = sum(len(cluster.pairs) for cluster in found)
    members = sum(len(cluster.members) for cluster in found)
    say(
        f"{source.noun.so_many(number)} compared in {took:.1f} s: {pairs} pairs of look-alikes, "
        f"{members} {source.noun.many} in {len(found)} clusters."
    )


def _tell(source: Source, found: LookAlikes, *, as_json: bool) -> None:
    if as_json:
        say(json.dumps(found.as_json(source.key)))
    else:
        say(f"{source.noun.one.capitalize()} {found.item_id}: {printable(found.title or '')}")
        for one in found.alike:
            gone = f" (removed {one.removed_at[:10]})" if one.removed_at else ""
            title = printable(one.title or "")
            say(f"{one.similarity:>7.1%}  {one.item_id:>7}  {title}{gone}")
        if not found.alike:
            say("Nothing in the archive is nearly the same.")
    if found.not_looked_at:
        warn(
            f"{source.noun.so_many(found.not_looked_at)} of an earlier version were never "
            "compared: run `scrapy similar --rebuild`."
        )
