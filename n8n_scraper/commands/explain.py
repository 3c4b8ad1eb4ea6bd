"""`scrapy explain URL|ID`: all that the archive knows of one item, and what would be asked next."""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import asdict

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.explain_words import explanation_lines
from n8n_scraper.commands.shared_pace import domains_in_redis
from n8n_scraper.commands.source_meant import source_meant
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.packing import Damaged
from n8n_scraper.core.source import Source
from n8n_scraper.core.wording import printable
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.safety.origin import origin_of
from n8n_scraper.reports.explained import (
    Explanation,
    explain,
    item_answered_at,
    sources_that_know,
)
from n8n_scraper.sources import all_sources, known, source_of

Meant = tuple[Source, Planned]


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Find out which item is meant, and tell."""
    if len(args) != 1:
        refuse("write: scrapy explain ID, or: scrapy explain URL")
    try:
        named = source_of(opts.source) if opts.source else None
        with Asking(settings) as database:
            is_address = "://" in args[0]
            meant = _at(settings, database, args[0], named) if is_address else None
            source, planned = meant or _of_id(database, args[0], named)
            found = explain(
                database, source, planned, settings, elsewhere=domains_in_redis(settings)
            )
    except Damaged as error:
        refuse(f"an answer that is kept of {printable(args[0])} cannot be read: {error}.")
    except BadInput as error:
        refuse(error)
    if opts.json:
        say(json.dumps(as_json(found, source)))
    else:
        for line in explanation_lines(found, source):
            say(printable(line))


def as_json(found: Explanation, source: Source) -> dict[str, object]:
    """Say the same to a machine, the id under the name that the items of the source have for it."""
    told = asdict(found)
    told["parts"] = {part: state.model_dump(mode="json") for part, state in found.parts.items()}
    return {source.key: told.pop("item_id"), **told}


def _at(settings: BaseSettings, database: Database, url: str, named: Source | None) -> Meant:
    """Give the item that an address speaks of; say in one line whose it is where it is none."""
    sources = [named] if named else all_sources()
    for source in sources:
        asking = source.kind().asking
        if asking and (planned := asking.item_at(settings, url)):
            return source, planned
    if answered := item_answered_at(database, url):
        name, item_id = answered
        if (kept := known(name)) and kept in sources:
            return kept, Planned(item_id)
    for source in sources:
        if origin_of(url) in map(origin_of, source.places(settings)):
            raise BadInput(
                f"{printable(url)} is at {source.name}, and no address of {source.noun.many}: "
                f"name the address of one, or an id such as {source.ids.example.split(',')[0]}."
            )
    names = " or ".join(source.name for source in sources)
    raise BadInput(f"{printable(url)} is no address of {names}: no crawl would ask for it.")


def _of_id(database: Database, item_id: str, named: Source | None) -> Meant:
    """Give the item of an id: of the source that is named, else of the only one that knows it."""
    knowing = () if named else sources_that_know(database, all_sources(), item_id)
    if len(knowing) > 1:
        names = " and ".join(source.name for source in knowing)
        raise BadInput(f"{names} have a {printable(item_id)} each: say which, with --source NAME.")
    source = named or (knowing[0] if knowing else source_meant(database, None))
    if not re.fullmatch(source.ids.pattern, item_id):
        raise BadInput(
            f"{printable(item_id)} is no id of {source.noun.many} and no address; "
            f"write {source.ids.words}, as in {source.ids.example.split(',')[0]}."
        )
    return source, Planned(item_id)
