"""Keep how far a rereading has come, so that the same command goes on where it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

import n8n_scraper
from n8n_scraper.core.clock import utc_now
from n8n_scraper.ledger.statements import put
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.records.tables import RereadingRow

_CURSORS = table_of(RereadingRow)
_PARSERS = ("lxml", "markdown-it-py", "pydantic")
"""What our readers read with; another version of them may read otherwise."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far the rereading has come that was asked for so, by these readers."""

    source: str
    asked: dict[str, Any]
    readers: str
    since: str | None
    after: str = ""
    items: int = 0

    def behind(self, item_ids: Sequence[str]) -> Cursor:
        """Give the cursor behind these items."""
        return replace(self, after=item_ids[-1], items=self.items + len(item_ids))


def find(session: Session, new: Cursor) -> Cursor:
    """Give the cursor of the same rereading that was not brought to its end; else the new one."""
    row = session.get(RereadingRow, new.source)
    if row is None or (row.asked, row.readers) != (new.asked, new.readers):
        return new
    return replace(new, since=row.since, after=row.after, items=row.items)


def save(session: Session, cursor: Cursor) -> None:
    """Keep how far it has come."""
    put(session, _CURSORS, [asdict(cursor) | {"at": utc_now()}])


def forget(session: Session, source: str) -> None:
    """Forget it at its end: the next one begins anew."""
    session.execute(delete(RereadingRow).where(RereadingRow.source == source))


@cache
def readers() -> str:
    """Fingerprint the code by which answers are read, with all that it may lean on."""
    digest = sha256()
    for name in _PARSERS:
        digest.update(f"{name} {version(name)}\n".encode())
    for file in _files(files(n8n_scraper)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(folder: Traversable) -> list[Traversable]:
    found: list[Traversable] = []
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        if one.is_dir():
            found += _files(one)
        elif one.name.endswith((".py", ".json")):
            found.append(one)
    return found
