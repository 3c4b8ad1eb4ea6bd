"""Sources, their items and what has happened to those, for programs that read."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, TypeAlias

from n8n_scraper.core.errors import NotThere
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.archive import archive_report
from n8n_scraper.reports.history import ItemHistory, events_page, item_history, version_content
from n8n_scraper.reports.matches import is_matched, matches_of
from n8n_scraper.reports.stored import check_is_stored, item_samples, stored_item, stored_items
from n8n_scraper.serve.api.models.archive import (
    ChangeAnswer,
    ChangesAnswer,
    ChangesQuery,
    ContentAnswer,
    HistoryAnswer,
    ItemAnswer,
    ItemPath,
    ItemsQuery,
    MatchesAnswer,
    SamplesAnswer,
    SourceAnswer,
    SourcePath,
    SourceReportAnswer,
    SourcesAnswer,
    StoredItemAnswer,
    StoredItemsAnswer,
    VersionAnswer,
    VersionPath,
    VersionsAnswer,
)
from n8n_scraper.serve.api.models.places import next_of, place_in
from n8n_scraper.serve.api.models.shared import UNSET, Answer, Sent
from n8n_scraper.serve.api.moments import stored_moment
from n8n_scraper.serve.api.operation import Asked, Handler, Nothing, Operation, presented
from n8n_scraper.serve.archive import ARCHIVE
from n8n_scraper.serve.options import OPTIONS
from n8n_scraper.serve.segments import segments
from n8n_scraper.sources import all_sources, known
from n8n_scraper.sources_file.sources_file_settings import sources_of

Plain: TypeAlias = Asked[Nothing, Nothing, Nothing]
OfSource: TypeAlias = Asked[SourcePath, Nothing, Nothing]
OfItems: TypeAlias = Asked[SourcePath, ItemsQuery, Nothing]
OfItem: TypeAlias = Asked[ItemPath, Nothing, Nothing]
OfVersion: TypeAlias = Asked[VersionPath, Nothing, Nothing]
OfChanges: TypeAlias = Asked[Nothing, ChangesQuery, Nothing]


async def list_sources(asked: Plain) -> SourcesAnswer:
    """Name the sources, and where each is."""
    told = asked.app[OPTIONS].told
    return SourcesAnswer(
        data=[
            SourceAnswer(
                name=one.name,
                spider=one.spider,
                noun=one.noun.one,
                nouns=one.noun.many,
                key=one.key,
                places=one.places(told),
                items=f"/api/sources/{one.name}/items",
            )
            for one in all_sources()
        ]
    )


async def get_source(asked: OfSource) -> SourceReportAnswer:
    """Count what the archive has of a source."""
    source = _source(asked.path)
    report = await asked.app[ARCHIVE].look(archive_report, [source])
    return presented(report.sources[0], SourceReportAnswer)


async def list_items(asked: OfItems) -> StoredItemsAnswer:
    """Give a page of the items of a source."""
    query = asked.query
    found = await asked.app[ARCHIVE].look(
        stored_items,
        _source(asked.path),
        removed=None if query.removed is UNSET else query.removed,
        after=place_in(query.after, str),
        most=query.limit,
    )
    return StoredItemsAnswer(
        data=[presented(one, StoredItemAnswer) for one in found],
        next=next_of(found, query.limit, lambda last: last.item_id),
    )


async def get_item(asked: OfItem) -> ItemAnswer:
    """Give an item in full."""
    source, item_id = _source(asked.path), asked.path.item
    item = await asked.app[ARCHIVE].look(stored_item, source, item_id)
    return ItemAnswer(source=source.name, item_id=item_id, item=item)


async def list_versions(asked: OfItem) -> VersionsAnswer:
    """Name the versions of an item."""
    history = await asked.app[ARCHIVE].look(_history, _source(asked.path), asked.path.item)
    return VersionsAnswer(data=[presented(one, VersionAnswer) for one in history.versions])


async def get_version(asked: OfVersion) -> ContentAnswer:
    """Give what the authors of an item had written as of a version."""
    source, item_id, number = _source(asked.path), asked.path.item, asked.path.version
    content = await asked.app[ARCHIVE].look(version_content, source, item_id, number)
    return ContentAnswer(source=source.name, item_id=item_id, version=number, content=content)


async def list_events(asked: OfItem) -> HistoryAnswer:
    """Tell what has happened to an item."""
    history = await asked.app[ARCHIVE].look(_history, _source(asked.path), asked.path.item)
    return HistoryAnswer(data=[presented(one, ChangeAnswer) for one in history.events])


async def list_samples(asked: OfItem) -> SamplesAnswer:
    """Give what of an item is followed over time."""
    samples = await asked.app[ARCHIVE].look(_samples, _source(asked.path), asked.path.item)
    return SamplesAnswer(data=samples)


async def list_matches(asked: OfItem) -> MatchesAnswer:
    """Say which other items announce the same."""
    source, item_id = _source(asked.path), asked.path.item
    if not is_matched(source):
        raise NotThere(f"{source.noun.many} are not matched with each other.")
    priorities = sources_of(asked.app[OPTIONS].told).priorities()
    found = await asked.app[ARCHIVE].look(matches_of, source, item_id, priorities)
    return presented(found, MatchesAnswer)


async def list_changes(asked: OfChanges) -> ChangesAnswer:
    """Tell what has happened to all items, page by page."""
    query = asked.query
    named = [_known(query.source)] if isinstance(query.source, str) else all_sources()
    found = await asked.app[ARCHIVE].look(
        events_page,
        named,
        since=stored_moment(query.since),
        kinds=[query.kind] if isinstance(query.kind, str) else [],
        after=place_in(query.after, tuple[str, int]),
        most=query.limit,
    )
    return ChangesAnswer(
        data=[presented(one, ChangeAnswer) for one in found],
        next=next_of(found, query.limit, lambda last: (last.at, last.id)),
    )


def _history(database: Database, source: Source, item_id: str) -> ItemHistory:
    check_is_stored(database, source, item_id)
    return item_history(database, source, item_id)


def _samples(database: Database, source: Source, item_id: str) -> list[dict[str, Any]]:
    check_is_stored(database, source, item_id)
    return [dict(one) for one in item_samples(database, source, item_id)]


def _source(path: SourcePath) -> Source:
    return _known(path.source)


def _known(name: str) -> Source:
    source = known(name)
    if source is None:
        names = ", ".join(one.name for one in all_sources())
        raise NotThere(f"there is no source {name!r}; there are: {names}.")
    return source


def _operations(source: Source | None = None, name: str = "") -> Iterator[Operation]:
    """Give the operations on items: of any source, or of one under what its items are called."""
    base = "/api/sources/{source}/items" if source is None else f"/api/{name.replace(' ', '-')}"
    fixed = {} if source is None else {"source": source.name}
    noun = "item" if source is None else source.noun.one

    def reading(
        path: str, words: str, handler: Handler, answer: type[Answer], sent: type[Sent], **more: Any
    ) -> Operation:
        return Operation(
            "GET",
            base + path,
            words,
            handler,
            (answer,),
            path_parameters=sent,
            fixed=fixed,
            problems=(HTTPStatus.UNPROCESSABLE_ENTITY,),
            **more,
        )

    one = "/{item}"
    yield reading("", f"List {noun}s", list_items, StoredItemsAnswer, SourcePath, query=ItemsQuery)
    yield reading(one, f"Get the whole {noun}", get_item, ItemAnswer, ItemPath)
    yield reading(
        f"{one}/versions",
        f"List the versions of one {noun}",
        list_versions,
        VersionsAnswer,
        ItemPath,
    )
    yield reading(
        f"{one}/versions/{{version}}",
        f"Get a version of one {noun}",
        get_version,
        ContentAnswer,
        VersionPath,
    )
    yield reading(
        f"{one}/events",
        f"Tell what has happened to one {noun}",
        list_events,
        HistoryAnswer,
        ItemPath,
    )
    if source is None or is_matched(source):
        yield reading(
            f"{one}/matches",
            f"Say what announces the same as one {noun}",
            list_matches,
            MatchesAnswer,
            ItemPath,
        )
    yield reading(
        f"{one}/{source.followed if source else 'samples'}",
        f"Give what of one {noun} is followed over time",
        list_samples,
        SamplesAnswer,
        ItemPath,
    )


OPERATIONS = (
    Operation("GET", "/api/sources", "Name the sources", list_sources, (SourcesAnswer,)),
    Operation(
        "GET",
        "/api/sources/{source}",
        "Count what the archive has of a source",
        get_source,
        (SourceReportAnswer,),
        path_parameters=SourcePath,
    ),
    *_operations(),
    *(
        operation
        for source in all_sources()
        for operation in _operations(source, segments()[source.name])
    ),
    Operation(
        "GET",
        "/api/changes",
        "Tell what has happened to items, the oldest first",
        list_changes,
        (ChangesAnswer,),
        query=ChangesQuery,
        problems=(HTTPStatus.UNPROCESSABLE_ENTITY,),
    ),
)
