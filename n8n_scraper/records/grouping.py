"""The groups that matches make, and which item of a group is the one to keep."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.core.source import Source
from n8n_scraper.ledger.batches import batched
from n8n_scraper.policies.announced.review import Verdict
from n8n_scraper.policies.sameness.comparing import prepare
from n8n_scraper.policies.sameness.groups import Group, Match, Standing, groups
from n8n_scraper.records import matches
from n8n_scraper.records.matches import Key
from n8n_scraper.records.reviews import all_reviews
from n8n_scraper.sources import known

_ROWS_AT_ONCE = 500
_LAST = 99
"""The priority of a site that nobody has given one."""


def groups_of(session: Session, source: Source, priorities: Mapping[str, int]) -> list[list[str]]:
    """Give of each group the items that are of a source, the one to keep first."""
    found = grouped(session, matches.all_matches(session), priorities)
    return [[item_id for name, item_id in one.members if name == source.name] for one in found]


def grouped(
    session: Session, found: Collection[Match[Key]], priorities: Mapping[str, int]
) -> list[Group[Key]]:
    """Give the groups that some matches make.

    The priorities say how much each site is to be believed, 1 before 2.
    """
    keys = keys_of(found)
    occasions = matches.occasions_of(session, keys)
    prepared = {key: one for key, each in occasions.items() if (one := prepare(each)) is not None}
    gone_since, rejected = gone(session, keys), _rejected(session)
    standings = {
        key: Standing(
            is_rejected=key in rejected,
            is_gone=key in gone_since,
            missing=1 - one.completeness,
            priority=priorities.get(one.site, _LAST),
        )
        for key, one in occasions.items()
    }
    able = [one for one in found if one.one in prepared and one.other in prepared]
    return groups(able, prepared, standings)


def _rejected(session: Session) -> set[Key]:
    said = (one for one in all_reviews(session) if one.verdict is Verdict.REJECTED)
    return {(one.source, one.item_id) for one in said}


def gone(session: Session, keys: Iterable[Key]) -> dict[Key, str]:
    """Say since when those of some items are gone that their sources have no more."""
    by_source: dict[str, list[str]] = {}
    for name, item_id in keys:
        by_source.setdefault(name, []).append(item_id)
    found: dict[Key, str] = {}
    for name, ids in by_source.items():
        if (source := known(name)) is None:
            continue
        table = source.kind().table()
        key = table.c[source.key]
        question = select(key, table.c.removed_at).where(table.c.removed_at.is_not(None))
        for some in batched(ids, _ROWS_AT_ONCE):
            rows = session.execute(question.where(key.in_(some)))
            found.update(((name, item_id), removed_at) for item_id, removed_at in rows)
    return found


def keys_of(found: Iterable[Match[Key]]) -> set[Key]:
    """Name the items that some matches are about."""
    return {key for one in found for key in (one.one, one.other)}
