"""Write a template's workflow as n8n takes it: into its editor, by its command, on its canvas."""

from __future__ import annotations

from typing import Any

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items
from n8n_scraper.sources.n8n.pages.reading import mapping
from n8n_scraper.sources.n8n.rules.import_check import LONGEST_NAME, length

_CUT = "…"


def importable_of(database: Database, source: Source, item_id: str) -> dict[str, Any] | None:
    """Give the workflow of a stored template; None where the archive has none."""
    wanted = ("title", "workflow")
    records = database.look(lambda session: items.records_of(session, source, [item_id], wanted))
    record = records.get(item_id)
    return importable(item_id, record["title"], record["workflow"]) if record else None


def importable(item_id: str, title: str | None, workflow: Any) -> dict[str, Any] | None:
    """Give the workflow under the title of its template, and tied to it; None of none."""
    if not mapping(workflow):
        return None
    own = {
        "name": name_in_n8n(item_id, title),
        "meta": mapping(workflow.get("meta")) | {"templateId": item_id},
    }
    return {**workflow, **own}


def name_in_n8n(item_id: str, title: str | None) -> str:
    """Give a name that n8n takes: its title as far as that has room, or its number."""
    name = (title or "").strip() or f"Template {item_id}"
    if length(name) <= LONGEST_NAME:
        return name
    while length(name) > LONGEST_NAME - len(_CUT):
        # A sign is two at most, so that no more than what is too much goes at once.
        name = name[: -max(1, (length(name) - LONGEST_NAME) // 2)]
    return name + _CUT
