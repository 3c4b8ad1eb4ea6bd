"""`scrapy takedown <id>`: an item out of the archive, and never collected again."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.source_meant import source_meant
from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.core.wording import printable
from n8n_scraper.exports.filters import read_filters
from n8n_scraper.ledger import takedowns
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.wiping import wipe
from n8n_scraper.media.picture_files import delete_files
from n8n_scraper.media.picture_settings import PictureSettings
from n8n_scraper.records import takedown
from n8n_scraper.records.choosing import Snapshot

_USAGE = 'write: scrapy takedown ID|author:NAME --why "…", or --undo ID, or --list'
_BY_AUTHOR = "author:"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Do the one thing that is asked for."""
    asked = [bool(args), opts.undo is not None, opts.list]
    if sum(asked) != 1 or len(args) > 1:
        refuse(_USAGE)
    with Asking(settings, patience_seconds=30) as database:
        source = source_meant(database, opts.source)
        if opts.list:
            _list(database, source, as_json=opts.json)
        elif args:
            _take_down(database, source, args[0], _reason(opts.why), settings)
        else:
            _undo(database, source, opts.undo)


def _reason(why: str | None) -> str:
    if why is None or not why.strip():
        raise BadInput('--why is missing: write the reason, such as --why "the author asked".')
    return why.strip()


def _take_down(
    database: Database, source: Source, what: str, why: str, settings: BaseSettings
) -> None:
    done = [
        database.do(partial(takedown.take_down, source=source, item_id=one, why=why))
        for one in _meant(database, source, what)
    ]
    paths = [path for one in done for path in one.pictures]
    left = delete_files(PictureSettings.from_settings(settings).folder, paths)
    why_not = wipe(database)
    for one in done:
        was = "taken out of the archive" if one.was_stored else "not in the archive"
        say(f"{source.noun.one.capitalize()} {one.item_id}: {was}; it is not collected any more.")
    for line in _still_to_do(database, left, why_not):
        warn(line)


def _meant(database: Database, source: Source, what: str) -> Sequence[str]:
    """Give the ids: the one that is named, or those of an author."""
    if not what.startswith(_BY_AUTHOR):
        if not re.fullmatch(source.ids.pattern, what):
            raise BadInput(
                f"{what!r} is no id of {source.noun.many}; write {source.ids.words}, or "
                f"{_BY_AUTHOR}NAME."
            )
        return [what]
    name = what.removeprefix(_BY_AUTHOR)
    filters = read_filters({"author": [name]}, utc_now(), source)
    ids = database.look(lambda session: Snapshot(session, source).chosen(filters.choice(None)))
    if not ids:
        raise BadInput(f"the archive has no {source.noun} of an author {name!r}.")
    return ids


def _still_to_do(database: Database, left: Sequence[str], why_not: str | None) -> list[str]:
    lines = []
    if left:
        lines.append(f"these pictures are in another store, delete them there: {', '.join(left)}")
    if why_not:
        lines.append(
            f"deleted, but the file {database.name} could not be written anew ({why_not}): bytes "
            "of it may still be there. Give the same command again when nothing else uses it."
        )
    if database.engine.dialect.name == "postgresql":
        lines.append(
            "PostgreSQL keeps deleted rows in its files until they are written anew: "
            "run VACUUM FULL in this database when no crawl is under way."
        )
    lines.append("files, feeds and backups that were made before are yours to delete.")
    return lines


def _undo(database: Database, source: Source, item_id: str) -> None:
    if not database.do(lambda session: takedown.undo(session, source, item_id)):
        raise BadInput(f"{source.noun} {item_id!r} was not taken down.")
    say(
        f"{source.noun.one.capitalize()} {item_id} may be collected again; "
        "what was taken out does not come back by that."
    )


def _list(database: Database, source: Source, *, as_json: bool) -> None:
    found = database.look(lambda session: takedowns.noted(session, source.name))
    for one in found:
        if as_json:
            known = {"source": source.name, source.key: one.item_id}
            say(json.dumps(known | {name: asdict(one)[name] for name in ("at", "why")}))
        else:
            say(f"{one.item_id:>7}  {one.at[:19]}Z  {printable(one.why)}")
    if not found and not as_json:
        say(f"No {source.noun} was taken down.")
