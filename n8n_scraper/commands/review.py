"""`scrapy review list|accept|reject`: items of which it is doubtful what they are."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from functools import partial

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.core.wording import printable
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.announced.review import Verdict
from n8n_scraper.records.reviews import decide
from n8n_scraper.reports.reviews import Reviewed, reviewed, sources_reviewed
from n8n_scraper.sources import source_of

_USAGE = "write: scrapy review list, or: scrapy review accept ID, or: scrapy review reject ID"
_VERDICTS = {"accept": Verdict.ACCEPTED, "reject": Verdict.REJECTED}


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Show what waits, or keep what a person says."""
    asked, *ids = args or ["list"]
    if len(ids) != (1 if asked in _VERDICTS else 0) or asked not in ("list", *_VERDICTS):
        refuse(_USAGE)
    with Asking(settings, patience_seconds=30) as database:
        sources = sources_reviewed() if opts.source is None else (source_of(opts.source),)
        if asked == "list":
            source = None if opts.source is None else sources[0]
            found = reviewed(database, utc_now(), source, waiting=not opts.all)
            _tell(found, as_json=opts.json, waiting=not opts.all)
        else:
            _decide(database, sources, ids[0], _VERDICTS[asked])


def _tell(found: tuple[Reviewed, ...], *, as_json: bool, waiting: bool) -> None:
    for one in found:
        say(json.dumps(one.as_json()) if as_json else "\n".join(_lines(one)))
    if not found and not as_json:
        say("Nothing waits to be reviewed." if waiting else "Nothing was ever doubtful.")


def _lines(one: Reviewed) -> Iterator[str]:
    title = printable(one.title or "without a title")
    yield f"{one.source} {one.item_id}  {title}"
    counts = "it counts as an event" if one.is_event else "it does not count as an event"
    yield f"  {one.standing} since {(one.decided_at or one.asked_at)[:16]}Z; {counts}"
    yield f"  taken for: {one.kind}, {one.confidence:.0%} sure"
    yield from (f"    {printable(reason)}" for reason in one.reasons)
    if one.url:
        yield f"  {printable(one.url)}"


def _decide(
    database: Database, sources: tuple[Source, ...], item_id: str, verdict: Verdict
) -> None:
    """Keep the verdict; the id says of which source the item is."""
    able = [one for one in sources if re.fullmatch(one.ids.pattern, item_id)]
    for source in able:
        if source.kind().classification is None:
            raise BadInput(
                f"of {source.noun.many} of {source.name} it is never doubtful what they are."
            )
        keep = partial(decide, source=source, item_id=item_id, verdict=verdict, now=utc_now())
        if database.do(keep):
            is_one = "is an event" if verdict is Verdict.ACCEPTED else "is no event"
            say(f"{source.name} {item_id} {is_one}; that holds however often it is crawled again.")
            return
    raise BadInput(f"the archive has no item {item_id!r} of which it could be doubtful what it is.")
