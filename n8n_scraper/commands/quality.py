"""`scrapy quality [ID]`: how much is known of a source's items, or how good one of them is."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.source_meant import source_meant
from n8n_scraper.commands.words import tool_lines
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items
from n8n_scraper.reports.archive import Coverage, coverage
from n8n_scraper.reports.known_fields import known_fields
from n8n_scraper.reports.tools import tool_reports


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Say it of an item that is named, else of all."""
    if len(args) > 1:
        refuse("write: scrapy quality, or: scrapy quality ID")
    try:
        with Asking(settings) as database:
            source = source_meant(database, opts.source)
            if args:
                _of_item(database, source, args[0], as_json=opts.json)
            else:
                _of_source(database, source, as_json=opts.json)
    except BadInput as error:
        refuse(error)


def _of_item(database: Database, source: Source, item_id: str, *, as_json: bool) -> None:
    item = database.look(lambda session: items.load(session, source, item_id))
    if item is None:
        raise BadInput(f"the archive has no {source.noun} {item_id!r}.")
    explain = source.kind().explain
    explained = explain(item) if explain else known_fields(source, item)
    _say(explained.lines(), explained.as_json(), as_json=as_json)


def _of_source(database: Database, source: Source, *, as_json: bool) -> None:
    fields = coverage(database, source)
    number = fields[0].total if fields else 0
    known = [{"field": one.field, "present": one.present, "percent": one.percent} for one in fields]
    tools = tool_reports(database, source.name)
    whole = {"source": source.name, "items": number, "fields": known}
    whole |= {"tools": [one.as_json() for one in tools]}
    lines = [*coverage_lines(source, number, fields), *tool_lines(tools)]
    _say(lines, whole, as_json=as_json)


def coverage_lines(source: Source, number: int, fields: Iterable[Coverage]) -> Iterator[str]:
    """Tell a person of how many items each field is known, the least known first."""
    yield f"{source.noun.so_many(number)} of {source.name}; of these have"
    for one in sorted(fields, key=lambda field: field.present):
        percent = "" if one.percent is None else f"{one.percent:6.1f} %"
        yield f"  {one.present:>7}  {percent}  {one.field}"


def _say(lines: Iterable[str], whole: object, *, as_json: bool) -> None:
    say(json.dumps(whole) if as_json else "\n".join(lines))
