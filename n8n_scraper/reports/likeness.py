"""Items that are nearly the same: those that are like one, and the clusters of all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.batches import batched
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import likeness
from n8n_scraper.records.tables import LookAlikesRow

_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Alike:
    """An item that is nearly the same as another."""

    item_id: str
    title: str | None
    similarity: float
    """From 0.8 to 1."""
    removed_at: str | None


@dataclass(frozen=True, slots=True)
class LookAlikes:
    """What is like one item."""

    item_id: str
    title: str | None
    alike: tuple[Alike, ...]
    """The most similar first."""
    not_looked_at: int
    """How many items were stored before look-alikes were looked for: they are not among these."""

    def as_json(self, key: str) -> dict[str, Any]:
        """The same for machines, the ids under the name that the items of the source have."""
        alike = [{key: one.item_id, **_without_id(one)} for one in self.alike]
        return {key: self.item_id, **_without_id(self), "alike": alike}


@dataclass(frozen=True, slots=True)
class Member:
    """An item of a cluster."""

    item_id: str
    title: str | None
    removed_at: str | None


@dataclass(frozen=True, slots=True)
class Cluster:
    """Items that are alike, each with at least one other of them; two ends of it may differ."""

    name: str
    """The title of the one to keep; its id where it has none."""
    members: tuple[Member, ...]
    """The one to keep first."""
    pairs: tuple[tuple[str, str, float], ...]
    """Which are alike, and how much."""

    @property
    def id(self) -> str:
        """What it is called by: its smallest id, which stays as long as that item is in it."""
        return min((one.item_id for one in self.members), key=lambda name: (len(name), name))


def look_alikes(database: Database, source: Source, item_id: str) -> LookAlikes:
    """Say what is like an item."""
    _refuse_the_incomparable(source)

    def all_of_it(session: Session) -> LookAlikes:
        similar = _similarities(session, source, item_id)
        known = _known(session, source, [item_id, *similar])
        if item_id not in known:
            raise BadInput(f"the archive has no {source.noun} {item_id!r}.")
        alike = [
            Alike(one, known[one].title, similarity, known[one].removed_at)
            for one, similarity in similar.items()
        ]
        alike.sort(key=lambda one: (-one.similarity, len(one.item_id), one.item_id))
        missing = likeness.not_looked_at(session, source)
        return LookAlikes(item_id, known[item_id].title, tuple(alike), missing)

    return database.look(all_of_it)


def clusters(database: Database, source: Source) -> tuple[Cluster, ...]:
    """Give all clusters of a source, the largest first."""
    _refuse_the_incomparable(source)

    def all_of_them(session: Session) -> tuple[Cluster, ...]:
        found = likeness.clusters_of(session, source)
        of = {one: number for number, cluster in enumerate(found) for one in cluster}
        pairs: list[list[tuple[str, str, float]]] = [[] for _ in found]
        for pair in likeness.pairs_of(session, source):
            pairs[of[pair[0]]].append(pair)
        known = _known(session, source, of)
        return tuple(
            Cluster(
                name=known[cluster[0]].title or cluster[0],
                members=tuple(known[one] for one in cluster),
                pairs=tuple(those),
            )
            for cluster, those in sorted(
                zip(found, pairs, strict=True), key=lambda one: (-len(one[0]), one[0])
            )
        )

    return database.look(all_of_them)


def _refuse_the_incomparable(source: Source) -> None:
    if source.kind().likeness is None:
        raise BadInput(f"{source.noun.many} are not compared with each other.")


def _similarities(session: Session, source: Source, item_id: str) -> dict[str, float]:
    row = LookAlikesRow
    question = select(row.item_id, row.other_id, row.similarity).where(
        row.source == source.name, or_(row.item_id == item_id, row.other_id == item_id)
    )
    return {
        other if one == item_id else one: similarity
        for one, other, similarity in session.execute(question)
    }


def _known(session: Session, source: Source, ids: Iterable[str]) -> Mapping[str, Member]:
    table = source.kind().table()
    key = table.c[source.key]
    question = select(key, table.c.title, table.c.removed_at)
    return {
        row[0]: Member(*row)
        for some in batched(ids, _ROWS_AT_ONCE)
        for row in session.execute(question.where(key.in_(some)))
    }


def _without_id(one: Alike | LookAlikes) -> dict[str, Any]:
    return {name: value for name, value in asdict(one).items() if name != "item_id"}
