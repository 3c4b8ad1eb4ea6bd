"""`scrapy diff <id>`: what the author changed between two versions of a template."""

from __future__ import annotations

import argparse
import json
from typing import Any

from scrapy.settings import BaseSettings
from sqlalchemy.orm import Session

from n8n_scraper.commands.asking import look
from n8n_scraper.commands.narration import report
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.records import history
from n8n_scraper.sources.n8n.rules.change import changes

_USAGE = "write: scrapy diff ID, or: scrapy diff ID --from 1 --to 3"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Compare and say."""
    if len(args) != 1:
        refuse(_USAGE)
    try:
        older, newer = _number(opts.older), _number(opts.newer)
        found = look(settings, lambda session: compare(session, args[0], older, newer))
    except BadInput as error:
        refuse(error)
    if opts.json:
        say(json.dumps(found))
    else:
        say(f"Template {found['workflow_id']}, version {found['from']} → {found['to']}")
        for line in [*report(found["changes"])] or [_nothing(found)]:
            say(line)
        if found["removed_at"]:
            say(f"The site has not had it since {found['removed_at'][:19]}Z.")


def compare(
    session: Session, workflow_id: str, older: int | None, newer: int | None
) -> dict[str, Any]:
    """Give the difference of two versions, of the last two where none is named."""
    numbers = history.version_numbers(session, workflow_id)
    if not numbers:
        raise BadInput(f"the archive has no version of template {workflow_id!r}.")
    newer = numbers[-1] if newer is None else newer
    if older is None:
        older = max((number for number in numbers if number < newer), default=newer)
    contents = [history.version(session, workflow_id, number) for number in (older, newer)]
    before, after = contents
    if before is None or after is None:
        raise BadInput(f"template {workflow_id} has the versions {numbers[0]} to {numbers[-1]}.")
    return {
        "workflow_id": workflow_id,
        "from": older,
        "to": newer,
        "versions": len(numbers),
        "removed_at": history.removed_at(session, workflow_id),
        "changes": changes(before, after),
    }


def _nothing(found: dict[str, Any]) -> str:
    if found["versions"] == 1:
        return "There is one version only: nothing that an author writes has changed since."
    return "Nothing that an author writes differs."


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise BadInput(f"{text!r} is not the number of a version; {_USAGE}")
    return int(text)
