"""Read items out of the database a few at a time, all as they stood at one moment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, exists, select
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Record, Source
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.json_columns import AsText
from n8n_scraper.ledger.statements import run
from n8n_scraper.ledger.tables import table_of
from n8n_scraper.records import likeness
from n8n_scraper.records.tables import EventRow

_EVENTS = table_of(EventRow)
ROWS_TO_LOOK_AT = 500
# A few are under way at once, so that an item of a megabyte costs a few megabytes.
_ITEMS_AT_ONCE = 25


@dataclass(frozen=True, slots=True)
class Choice:
    """Which items are wanted: all of it must hold."""

    outcomes: tuple[str, ...] = ()
    since: str | None = None
    """When they were read at the earliest."""
    changed_since: str | None = None
    """When something has happened to them at the earliest: they came, changed, went or returned."""
    removed: bool | None = None
    at_least: tuple[str, float] | None = None
    """A column, and the smallest value in it."""
    ids: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    """What is looked at to admit an item."""
    admits: Callable[[Record], bool] | None = None
    limit: int | None = None


class Snapshot:
    """The items of a source as they are now, whatever a crawl writes meanwhile."""

    def __init__(self, session: Session, source: Source) -> None:
        hold_still(session)
        self.source = source
        self._session = session
        self._item: type[Item] = source.kind().item
        self._columns = source.kind().table().columns
        self._id = self._columns[source.key]

    def chosen(self, choice: Choice, *, rows_at_once: int = ROWS_TO_LOOK_AT) -> list[str]:
        """Give the ids of the items that are wanted, smallest number first."""
        wanted = set(choice.ids)
        found = [
            row[0]
            for row in self._pages(self._question(choice), rows_at_once)
            if (not wanted or row[0] in wanted)
            and (choice.admits is None or choice.admits(row._asdict()))
        ]
        found.sort(key=lambda name: (len(name), name))
        return found[: choice.limit]

    def one_of_each_cluster(self, ids: list[str], priorities: Mapping[str, int]) -> list[str]:
        """Leave out those of which a better one is here that is the same, or nearly.

        The priorities say how much each site is to be believed, 1 before 2.
        """
        if self.source.kind().likeness is not None:
            self._refuse_the_unseen(likeness.not_looked_at, "similar")
            clusters = likeness.clusters_of(self._session, self.source)
        else:
            from n8n_scraper.records import grouping, matches  # most exports have no use for them

            self._refuse_the_unseen(matches.not_looked_at, "matches")
            clusters = grouping.groups_of(self._session, self.source, priorities)
        chosen, left_out = set(ids), set[str]()
        for cluster in clusters:
            left_out.update([one for one in cluster if one in chosen][1:])
        return [one for one in ids if one not in left_out]

    def _refuse_the_unseen(
        self, not_looked_at: Callable[[Session, Source], int], command: str
    ) -> None:
        if missing := not_looked_at(self._session, self.source):
            raise BadInput(
                f"{self.source.noun.so_many(missing)} of an earlier version were never compared: "
                f"run `scrapy {command} --rebuild`, then the same again."
            )

    def records(self, columns: Iterable[str]) -> Iterator[Record]:
        """Give these columns of every item."""
        question = select(self._id, *(self._columns[name] for name in columns))
        return (row._asdict() for row in self._pages(question))

    def items(self, ids: Iterable[str]) -> Iterator[Any]:
        """Give these items, in this order, one at a time."""
        as_stored = AsText(self._columns[name] for name in self._item.model_fields)
        question = select(*as_stored.columns).where(self._id.in_(bindparam("ids", expanding=True)))
        for some in batched(ids, _ITEMS_AT_ONCE):
            rows = run(self._session, question, {"ids": some}).all()
            by_id = {row._mapping[self.source.key]: row for row in rows}
            for one in some:
                if row := by_id.pop(one, None):
                    yield self._item.model_validate(as_stored.values(row))

    def _question(self, choice: Choice) -> Select[Any]:
        conditions: list[ColumnElement[bool]] = []
        if choice.at_least:
            column, least = choice.at_least
            conditions.append(self._columns[column] >= least)
        if choice.outcomes:
            conditions.append(self._columns["outcome"].in_(choice.outcomes))
        if choice.since:
            conditions.append(self._columns["scraped_at"] >= choice.since)
        if choice.changed_since:
            happened = exists().where(
                _EVENTS.c.source == self.source.name,
                _EVENTS.c.item_id == self._id,
                _EVENTS.c.at >= choice.changed_since,
            )
            conditions.append(happened)
        if choice.removed is not None:
            removed_at = self._columns["removed_at"]
            conditions.append(removed_at.is_not(None) if choice.removed else removed_at.is_(None))
        looked_at = [self._columns[name] for name in choice.columns]
        return select(self._id, *looked_at).where(*conditions)

    def _pages(
        self, question: Select[Any], rows_at_once: int = ROWS_TO_LOOK_AT
    ) -> Iterator[Row[Any]]:
        """Walk along the primary key, so that no answer is larger than a page."""
        page = question.order_by(self._id).limit(rows_at_once)
        rows = self._session.execute(page).all()
        while rows:
            yield from rows
            rows = self._session.execute(page.where(rows[-1][0] < self._id)).all()


def hold_still(session: Session) -> None:
    """See the database as it is now for the whole transaction; SQLite does so by itself."""
    if session.get_bind().dialect.name == "postgresql":
        session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
