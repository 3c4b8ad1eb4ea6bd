"""Take an item out of the archive, so that nothing that was written in it is left anywhere.

Which tables hold something of an item is not listed here but asked of the database: whatever names
a source and an item, or has a column of the source's own key, is emptied of it. What cannot be
found so stands in `ACCOUNTED_FOR`, which a test holds to all tables that there are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Text,
    cast,
    column,
    delete,
    exists,
    inspect,
    select,
    table,
    text,
    update,
)
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Source
from n8n_scraper.ledger import takedowns
from n8n_scraper.ledger.tables import Json, RunRow
from n8n_scraper.records import items, matches, pictures, transcripts
from n8n_scraper.records.tables import LookAlikesRow, StoredImageRow, VideoTranscriptRow
from n8n_scraper.search import index
from n8n_scraper.sources import all_sources

ACCOUNTED_FOR: Final[Mapping[str, str]] = {
    "takedowns": "the note that is to stay: an id, a time, a reason",
    "scrape_run_items": "its lines keep the id and how it ended; `takedowns.clear_lines`",
    "scrape_run_answers": "of its lines; `takedowns.clear_lines`",
    "look_alikes": "where it is the other one of a pair; here",
    "matches": "where it is the other one of a pair; here",
    "video_transcripts": "of its videos, where no other item names them; here",
    "stored_images": "of its pictures, where no other item shows them; here",
    "scrape_runs": "what was asked for and how it went, nothing of an item",
    "scrape_run_counts": "numbers",
    "scrape_run_minutes": "numbers",
    "scrape_workers": "processes",
    "search_words": "its words, where no other item has them; `search.index.forget`",
    "receipts": "numbers",
    "domains": "hosts, and what was wrong with them; `takedowns.clear_evidence`",
    "domain_minutes": "hosts and numbers",
    "tool_attempts": "sources and numbers",
    "browser_sessions": "browsers, processes and numbers",
    "domain_events": "hosts, and what was wrong with them; `takedowns.clear_evidence`",
    "outbox": "what is told elsewhere of its lines, without the words; here",
    "outbox_channels": "ways to the outside",
    "outbox_names": "names of runs elsewhere",
    "alerts": "what is wrong with runs, domains and workers, nothing of an item",
    "rereadings": "of an item no more than its id",
}
"""The tables of which more, or something else, is to be done than to delete its rows."""

_KEPT = ("takedowns",)
_MESSAGES = table(
    "outbox", column("number"), column("topic"), column("payload", Json), column("last_error")
)


@dataclass(frozen=True, slots=True)
class TakenDown:
    """What was taken out of the archive with an item."""

    item_id: str
    was_stored: bool
    pictures: tuple[str, ...]
    """The files of pictures that nothing else shows, below their folder."""


def take_down(session: Session, source: Source, item_id: str, why: str) -> TakenDown:
    """Note that an item is never to be collected again, and take all out that is of it."""
    if session.get_bind().dialect.name == "sqlite":
        session.execute(text("PRAGMA secure_delete=ON"))
    takedowns.note(session, source.name, item_id, why)
    takedowns.clear_lines(session, source.name, item_id)
    takedowns.clear_evidence(session, item_id)
    _clear_messages(session, source, item_id)
    shown = _of_item(session, source, item_id)
    _delete_rows(session, source, item_id)
    _forget_videos(session, shown.videos)
    paths = _forget_pictures(session, shown.pictures)
    return TakenDown(item_id, shown.was_stored, tuple(paths))


def undo(session: Session, source: Source, item_id: str) -> bool:
    """Let an item be collected again; False where it was not taken down."""
    return takedowns.forget(session, source.name, item_id)


@dataclass(frozen=True, slots=True)
class _Shown:
    was_stored: bool
    videos: Sequence[str] = ()
    pictures: Sequence[str] = ()


def _of_item(session: Session, source: Source, item_id: str) -> _Shown:
    """Say which videos and pictures an item names, as its row has them."""
    kind = source.kind()
    key = kind.table().c[source.key]
    # Whoever indexes it is waited for: what comes afterwards would not be forgotten.
    session.execute(select(key).where(key == item_id).with_for_update())
    if (item := items.load(session, source, item_id)) is None:
        return _Shown(was_stored=False)
    named = kind.row(item)[kind.videos.named_in] if kind.videos else None
    return _Shown(
        was_stored=True,
        videos=kind.videos.ids(named) if kind.videos else (),
        pictures=kind.pictures(item) if kind.pictures else (),
    )


def _clear_messages(session: Session, source: Source, item_id: str) -> None:
    """Leave out of what is told elsewhere of an item why it failed; that may quote it."""
    of_source = select(RunRow.run_id).where(RunRow.source == source.name)
    may_be = cast(_MESSAGES.c.payload, Text).contains(json.dumps(item_id), autoescape=True)
    found = select(_MESSAGES.c.number, _MESSAGES.c.payload).where(
        _MESSAGES.c.topic.in_(of_source), may_be
    )
    for number, payload in session.execute(found).all():
        if payload.get("item_id") == item_id:
            change = update(_MESSAGES).where(_MESSAGES.c.number == number)
            told = {**payload, "reason": None}
            session.execute(change.values(payload=told, last_error=None))


def _delete_rows(session: Session, source: Source, item_id: str) -> None:
    index.forget(session, source, [item_id])  # with its words, which others may have as well
    for name, which in _where_it_is(session, source, item_id):
        session.execute(delete(table(name)).where(which))
    other = LookAlikesRow.other_id == item_id
    session.execute(delete(LookAlikesRow).where(LookAlikesRow.source == source.name, other))
    matches.forget(session, source, item_id)


def _where_it_is(
    session: Session, source: Source, item_id: str
) -> Iterator[tuple[str, ColumnElement[bool]]]:
    """Name each table of the database that has rows of an item, and say which these are."""
    looking = inspect(session.connection())
    for name in looking.get_table_names():
        if name in _KEPT:
            continue
        columns = {one["name"] for one in looking.get_columns(name)}
        if (which := rows_of(columns, source.key)) is not None:
            values = {"source": source.name, "item_id": item_id, source.key: item_id}
            yield name, _all_are(which, values)


def rows_of(columns: Iterable[str], key: str) -> tuple[str, ...] | None:
    """Say by which of its columns a table tells whose a row is; None where it does not."""
    there = set(columns)
    if there.issuperset(("source", "item_id")):
        return ("source", "item_id")
    return (key,) if key in there else None


def _all_are(names: Iterable[str], values: Mapping[str, str]) -> ColumnElement[bool]:
    condition, *others = (column(name) == values[name] for name in names)
    for other in others:
        condition &= other
    return condition


def _forget_videos(session: Session, video_ids: Iterable[str]) -> None:
    row = VideoTranscriptRow
    for video_id in video_ids:
        if not transcripts.is_named(session, video_id):
            session.execute(delete(row).where(row.video_id == video_id))


def _forget_pictures(session: Session, urls: Iterable[str]) -> Iterator[str]:
    """Forget pictures that nothing shows any more; give the files that no other one has."""
    row = StoredImageRow
    for url in urls:
        key = pictures.key_of(url)
        if _is_shown(session, url):
            continue
        path = session.scalar(select(row.path).where(row.url == key))
        session.execute(delete(row).where(row.url == key))
        if path and not session.scalar(select(exists().where(row.path == path))):
            yield path


def _is_shown(session: Session, url: str) -> bool:
    as_json = json.dumps(url)
    for source in all_sources():
        kind = source.kind()
        if kind.shown_in:
            shown: Any = cast(kind.table().c[kind.shown_in], Text)
            if session.scalar(select(exists().where(shown.contains(as_json, autoescape=True)))):
                return True
    return False
