"""`scrapy matches [ID]`: which items announce the same happening."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.core.wording import printable
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.sameness.evidence import Evidence
from n8n_scraper.records.matches import look_through
from n8n_scraper.reports.matches import (
    Announcement,
    Happening,
    ItemMatches,
    happenings,
    matches_of,
    not_looked_at,
    sources_with,
)
from n8n_scraper.sources import all_sources, noun_of, source_of
from n8n_scraper.sources_file.sources_file_settings import sources_of

_USAGE = "write: scrapy matches, or: scrapy matches ID, or: scrapy matches --rebuild"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Look, and say; or compare all items anew."""
    if len(args) > 1 or (opts.rebuild and (args or opts.source)):
        refuse(_USAGE)
    with Asking(settings) as database:
        priorities = sources_of(settings).priorities()
        if opts.rebuild:
            _rebuild(database, priorities)
            return
        source = None if opts.source is None else source_of(opts.source)
        if args:
            meant = source or _source_of(database, args[0])
            _tell_of(matches_of(database, meant, args[0], priorities), as_json=opts.json)
        else:
            _tell_all(happenings(database, priorities, source), as_json=opts.json)
        for name, number in not_looked_at(database).items():
            told = noun_of(name).so_many(number)
            warn(f"{name}: {told} never compared; run `scrapy matches --rebuild`.")


def _rebuild(database: Database, priorities: Mapping[str, int]) -> None:
    began = time.monotonic()
    number = look_through(database, all_sources())
    found = happenings(database, priorities)
    took = time.monotonic() - began
    announcements = sum(len(one.announcements) for one in found)
    say(
        f"{number} items compared in {took:.1f} s: {announcements} of them in {len(found)} "
        f"{'group' if len(found) == 1 else 'groups'} of the same happening."
    )


def _tell_all(found: tuple[Happening, ...], *, as_json: bool) -> None:
    for happening in found:
        if as_json:
            say(json.dumps(happening.as_json()))
        else:
            say("\n".join(_lines(happening)))
    if not found and not as_json:
        say("No two items announce the same happening.")


def _lines(happening: Happening) -> Iterator[str]:
    first, *others = happening.announcements
    yield f"{printable(first.title or first.item_id)} ({first.day})"
    yield f"  keep  {_named(first)}"
    yield from (f"        {_named(one)}" for one in others)
    for match in happening.matches:
        yield f"    {' '.join(match.one)} = {' '.join(match.other)}: {_why(match.evidence)}"


def _tell_of(found: ItemMatches, *, as_json: bool) -> None:
    if as_json:
        say(json.dumps(found.as_json()))
    else:
        say("\n".join(_lines_of(found)))


def _source_of(database: Database, item_id: str) -> Source:
    """Give the source whose item is meant."""
    having = sources_with(database, item_id)
    if len(having) == 1:
        return having[0]
    if having:
        names = " or ".join(one.name for one in having)
        raise BadInput(f"several sources have an item {item_id!r}: name one by --source {names}.")
    raise BadInput(f"the archive has no item {item_id!r} that was compared.")


def _lines_of(found: ItemMatches) -> Iterator[str]:
    yield _named(found.item)
    for one in found.matched:
        yield f"  = {_named(one.announcement)}"
        yield f"    {_why(one.evidence)}"
    if not found.matched:
        yield "Nothing in the archive announces the same."
    elif found.happening:
        yield f"To keep: {' '.join(found.happening[0])}"


def _named(one: Announcement) -> str:
    gone = f", removed {one.removed_at[:10]}" if one.removed_at else ""
    told = ", ".join(filter(None, (one.title, one.day, one.venue)))
    return f"{one.source} {one.item_id}  {printable(told)} (known to {one.completeness:.0%}{gone})"


def _why(evidence: Evidence) -> str:
    """Say in a line what is the same, and how much."""
    days = evidence.days[0] if len(set(evidence.days)) == 1 else " and ".join(evidence.days)
    told = [f"title {evidence.title.similarity:.0%}", f"day {days}"]
    if evidence.venue is not None:
        told.append(f"venue {evidence.venue.similarity:.0%}")
    if evidence.address is not None:
        told.append(f"both {printable(evidence.address)}")
    return f"{evidence.tier}: {', '.join(told)}"
