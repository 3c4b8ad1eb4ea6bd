"""Announcements of one happening: those that match an item, and the groups of all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput, NotThere
from n8n_scraper.core.occasion import Occasion
from n8n_scraper.core.source import Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.sameness.evidence import Evidence
from n8n_scraper.policies.sameness.groups import Match
from n8n_scraper.records import grouping, matches
from n8n_scraper.records.matches import Key
from n8n_scraper.sources import all_sources


@dataclass(frozen=True, slots=True)
class Announcement:
    """An item as it announces what takes place."""

    source: str
    item_id: str
    title: str | None
    day: str | None
    venue: str | None
    url: str | None
    completeness: float
    removed_at: str | None

    @property
    def key(self) -> Key:
        """By what it is known."""
        return self.source, self.item_id

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Matched:
    """An announcement that matches another."""

    announcement: Announcement
    evidence: Evidence
    """As that other one has it."""

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return self.announcement.as_json() | {"evidence": self.evidence.as_json()}


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that takes place, and all that announce it."""

    announcements: tuple[Announcement, ...]
    """The one to keep first."""
    matches: tuple[Match[Key], ...]
    """Which of them match, the strongest first."""

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        pairs = [
            {"one": list(one.one), "other": list(one.other), "evidence": one.evidence.as_json()}
            for one in self.matches
        ]
        return {"announcements": [one.as_json() for one in self.announcements], "matches": pairs}


@dataclass(frozen=True, slots=True)
class ItemMatches:
    """What matches one item."""

    item: Announcement
    matched: tuple[Matched, ...]
    """The strongest first."""
    happening: tuple[Key, ...]
    """The group that it is in, the one to keep first; empty where it is in none."""

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            **self.item.as_json(),
            "matches": [one.as_json() for one in self.matched],
            "happening": [list(one) for one in self.happening],
        }


def is_matched(source: Source) -> bool:
    """Whether the items of a source announce what others may announce as well."""
    return source.kind().occasions is not None


def matches_of(
    database: Database, source: Source, item_id: str, priorities: Mapping[str, int]
) -> ItemMatches:
    """Say what matches an item, and which of the group is to be kept.

    The priorities say how much each site is to be believed, 1 before 2.
    """
    if not is_matched(source):
        raise BadInput(f"{source.noun.many} of {source.name} are not matched with each other.")

    def all_of_it(session: Session) -> ItemMatches:
        key = (source.name, item_id)
        around = _around(session, key)
        there = _announcements(session, {key, *grouping.keys_of(around)})
        if key not in there:
            raise NotThere(f"the archive has no {source.noun} {item_id!r} that was compared.")
        own = sorted(
            matches.of_item(session, key), key=lambda one: (one.evidence.strength, one.other)
        )
        found = [one for one in grouping.grouped(session, around, priorities) if key in one.members]
        return ItemMatches(
            item=there[key],
            matched=tuple(Matched(there[one.other], one.evidence) for one in own),
            happening=found[0].members if found else (),
        )

    return database.look(all_of_it)


def happenings(
    database: Database, priorities: Mapping[str, int], source: Source | None = None
) -> tuple[Happening, ...]:
    """Give all groups, the largest first; those with an item of a source where one is named."""

    def all_of_them(session: Session) -> tuple[Happening, ...]:
        found = [
            one
            for one in grouping.grouped(session, matches.all_matches(session), priorities)
            if source is None or any(name == source.name for name, _ in one.members)
        ]
        there = _announcements(session, {key for one in found for key in one.members})
        return tuple(
            Happening(tuple(there[key] for key in one.members), one.matches) for one in found
        )

    return database.look(all_of_them)


def not_looked_at(database: Database) -> Mapping[str, int]:
    """Count of each source the items that were stored before matches were looked for."""

    def of_each(session: Session) -> dict[str, int]:
        return {one.name: matches.not_looked_at(session, one) for one in all_sources()}

    return {name: number for name, number in database.look(of_each).items() if number}


def sources_with(database: Database, item_id: str) -> tuple[Source, ...]:
    """Give the sources whose items are matched and that have one of this id."""

    def all_of_them(session: Session) -> tuple[Source, ...]:
        able = [one for one in all_sources() if is_matched(one)]
        keys = matches.occasions_of(session, [(one.name, item_id) for one in able])
        return tuple(one for one in able if (one.name, item_id) in keys)

    return database.look(all_of_them)


def _around(session: Session, key: Key) -> list[Match[Key]]:
    """Give the matches of an item, of those that match it, and so on."""
    found: dict[tuple[Key, Key], Match[Key]] = {}
    seen, next_ones = {key}, {key}
    while next_ones:
        for match in (one for each in sorted(next_ones) for one in matches.of_item(session, each)):
            found.setdefault(_ordered(match), match)
        next_ones = grouping.keys_of(found.values()) - seen
        seen |= next_ones
    return list(found.values())


def _ordered(match: Match[Key]) -> tuple[Key, Key]:
    low, high = sorted((match.one, match.other))
    return low, high


def _announcements(session: Session, keys: Collection[Key]) -> dict[Key, Announcement]:
    gone = grouping.gone(session, keys)
    return {
        key: _announcement(key, one, gone.get(key))
        for key, one in matches.occasions_of(session, keys).items()
    }


def _announcement(key: Key, told: Occasion, removed_at: str | None) -> Announcement:
    return Announcement(
        source=key[0],
        item_id=key[1],
        title=next(iter(told.titles), None),
        day=told.day,
        venue=next(iter(told.venues), None),
        url=next(iter(told.addresses), None),
        completeness=told.completeness,
        removed_at=removed_at,
    )
