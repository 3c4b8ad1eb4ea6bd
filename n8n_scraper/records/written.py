"""Write an item out as the database takes it: pure work, so that it can be done anywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from n8n_scraper.core.dossier import Answer, FoundBy, Written
from n8n_scraper.core.item import Item
from n8n_scraper.core.packing import JsonText, pack_json
from n8n_scraper.core.source import Record, Source
from n8n_scraper.search.entry import entry_of

STORED_AS = ("run_id", "scraped_at")
"""What no two times that an item was stored have in common."""


def write_down(source: Source, item: Item, answers: Iterable[Answer]) -> Written:
    """Write out all that storing an item takes."""
    kind = source.kind()
    record = kind.row(item)
    row = {name: as_column(value) for name, value in record.items()}
    known_by = {"source": source.name, "item_id": record[source.key], "run_id": item.run_id}
    rows = [known_by | _answer_row(answer) for answer in answers]
    content = pack_json(kind.authored.content(record))
    return Written(row, rows, content, found_by(source, record))


def found_by(source: Source, record: Record, read_in_pictures: Sequence[str] = ()) -> FoundBy:
    """Write out what an item is found by, as its row has it."""
    kind = source.kind()
    return FoundBy(
        stored_as=tuple(record[name] for name in STORED_AS),
        entry=entry_of(source, record, read_in_pictures),
        features=kind.likeness.features(record) if kind.likeness else None,
        pictures=tuple(kind.searched.pictures(record)) if kind.searched else (),
    )


def as_column(value: Any) -> Any:
    """Write a composed value out as JSON; give others as they are."""
    return JsonText(json.dumps(value)) if isinstance(value, dict | list) else value


def _answer_row(answer: Answer) -> dict[str, Any]:
    return {
        "part": answer.part,
        "url": answer.url,
        "http_status": answer.http_status,
        "fetched_at": answer.fetched_at,
        "body": answer.packed,
        "body_bytes": len(answer.body),
        "body_sha256": hashlib.sha256(answer.body).hexdigest(),
    }
