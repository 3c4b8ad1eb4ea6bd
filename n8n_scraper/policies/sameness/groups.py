"""Make groups of matches, and say which announcement of a group is to be kept."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from n8n_scraper.policies.sameness.comparing import Prepared, contradict
from n8n_scraper.policies.sameness.evidence import Evidence


class Sortable(Protocol):
    """What has an order of its own."""

    def __lt__(self, other: Any, /) -> bool:
        """Say whether it comes before another."""


class Key(Hashable, Sortable, Protocol):
    """By what an announcement is known."""


K = TypeVar("K", bound=Key)


@dataclass(frozen=True, slots=True)
class Match(Generic[K]):
    """Two announcements that are the same, and why."""

    one: K
    other: K
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Group(Generic[K]):
    """Announcements of one happening."""

    members: tuple[K, ...]
    """The one to keep first."""
    matches: tuple[Match[K], ...]
    """The strongest first."""


@dataclass(frozen=True, slots=True, order=True)
class Standing:
    """Sorts the announcements of one happening: the first of them is kept."""

    is_rejected: bool
    """One of which a person has said that it is no event comes last."""
    is_gone: bool
    """One that its site still has comes before one that is gone."""
    missing: float
    """How much of it is not known, from 0 to 1."""
    priority: int
    """How much its site is to be believed: 1 before 2."""


def groups(
    matches: Iterable[Match[K]], prepared: Mapping[K, Prepared], standings: Mapping[K, Standing]
) -> list[Group[K]]:
    """Give the groups that matches make, the largest first.

    The strongest match comes first. One that would bring two announcements together that contradict
    each other joins nothing, nor two of one site that do not match: what a site lists twice it
    means to be two, as the days of a series.
    """
    found = sorted(matches, key=lambda one: (one.evidence.strength, _ordered(one)))
    matched = {frozenset((one.one, one.other)) for one in found}

    def are_apart(one: K, other: K) -> bool:
        ours, theirs = prepared[one], prepared[other]
        of_one_site = ours.site == theirs.site and frozenset((one, other)) not in matched
        return of_one_site or contradict(ours, theirs)

    members_with: dict[K, list[K]] = {}
    for match in found:
        ours = members_with.setdefault(match.one, [match.one])
        theirs = members_with.setdefault(match.other, [match.other])
        if ours is theirs or any(are_apart(one, other) for one in ours for other in theirs):
            continue
        ours += theirs
        members_with.update(dict.fromkeys(theirs, ours))
    together = {id(members): members for members in members_with.values() if len(members) > 1}
    made = [_group(members, found, standings) for members in together.values()]
    return sorted(made, key=lambda one: (-len(one.members), min(one.members)))


def _group(
    members: Iterable[K], found: Iterable[Match[K]], standings: Mapping[K, Standing]
) -> Group[K]:
    inside = set(members)
    return Group(
        members=tuple(sorted(inside, key=lambda one: (standings[one], one))),
        matches=tuple(one for one in found if one.one in inside and one.other in inside),
    )


def _ordered(match: Match[K]) -> tuple[K, K]:
    low, high = sorted((match.one, match.other))
    return low, high
