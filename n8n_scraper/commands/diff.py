"""`scrapy diff <id>`: what the author changed between two versions of an item."""

from __future__ import annotations

import argparse
import json

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.source_meant import source_meant
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.narration import report
from n8n_scraper.reports.history import VersionsCompared, compare_versions

_USAGE = "write: scrapy diff ID, or: scrapy diff ID --from 1 --to 3"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Compare and say."""
    if len(args) != 1:
        refuse(_USAGE)
    try:
        older, newer = _number(opts.older), _number(opts.newer)
        with Asking(settings) as database:
            source = source_meant(database, opts.source)
            found = compare_versions(database, source, args[0], older, newer)
    except BadInput as error:
        refuse(error)
    if opts.json:
        say(json.dumps(found.as_json(source.key)))
    else:
        noun, in_full = source.noun.one.capitalize(), source.kind().authored.in_full
        say(f"{noun} {found.item_id}, version {found.older} → {found.newer}")
        for line in [*report(found.changes, in_full)] or [_nothing(found)]:
            say(line)
        if found.removed_at:
            say(f"The site has not had it since {found.removed_at[:19]}Z.")


def _nothing(found: VersionsCompared) -> str:
    if found.versions == 1:
        return "There is one version only: nothing that an author writes has changed since."
    return "Nothing that an author writes differs."


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise BadInput(f"{text!r} is not the number of a version; {_USAGE}")
    return int(text)
