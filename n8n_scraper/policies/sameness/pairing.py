"""Find all pairs that are the same, without comparing each with each.

Two that are the same begin within a day of each other, and have nearly the same title or share a
page. So each is looked for among those of its days alone, and each title of a day is compared with
all others by one call, however many items have it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import TypeVar

from rapidfuzz import process
from rapidfuzz.distance import Indel

from n8n_scraper.policies.sameness.comparing import DAYS_APART, Prepared, compare
from n8n_scraper.policies.sameness.evidence import Evidence
from n8n_scraper.policies.sameness.titles import SAME_TITLE, Title

K = TypeVar("K", bound=Hashable)
_Pair = tuple[int, int]
"""The numbers of two, the smaller first."""


def pairs(prepared: Mapping[K, Prepared]) -> Iterator[tuple[K, K, Evidence]]:
    """Give every pair that is the same, each once, with its evidence."""
    keys, all_of_them = list(prepared), list(prepared.values())
    for one, other in sorted({*_by_title(all_of_them), *_by_page(all_of_them)}):
        if (evidence := compare(all_of_them[one], all_of_them[other])) is not None:
            yield keys[one], keys[other], evidence


def same_as(one: Prepared, others: Mapping[K, Prepared]) -> Iterator[tuple[K, Evidence]]:
    """Give those of some others that are the same as one, with the evidence as it has it."""
    for key, other in others.items():
        if (evidence := compare(one, other)) is not None:
            yield key, evidence


class _Titles:
    """The different titles of a day, and the numbers of those that have each."""

    def __init__(self) -> None:
        self.having: dict[str, list[int]] = {}
        self._as_told: dict[str, Title] = {}

    def add(self, number: int, title: Title) -> None:
        """Add the title of one."""
        self._as_told[title.plain] = title
        self.having.setdefault(title.plain, []).append(number)

    def near(self, others: _Titles) -> Iterator[tuple[list[int], list[int]]]:
        """Give those that have a title, and those of the others that have nearly the same."""
        names = list(others._as_told)
        in_order = [title.sorted for title in others._as_told.values()]
        for name, title in self._as_told.items():
            places = {*_alike(title.plain, names), *_alike(title.sorted, in_order)}
            for place in places:
                yield self.having[name], others.having[names[place]]


def _alike(words: str, choices: Sequence[str]) -> Iterator[int]:
    measure, least = Indel.normalized_similarity, SAME_TITLE
    found = process.extract(words, choices, scorer=measure, score_cutoff=least, limit=None)
    return (place for _, _, place in found)


def _by_title(all_of_them: Sequence[Prepared]) -> Iterator[_Pair]:
    """Pair those that have nearly the same title."""
    by_day: dict[int, _Titles] = {}
    for number, one in enumerate(all_of_them):
        titles = by_day.setdefault(one.day, _Titles())
        for title in one.titles:
            titles.add(number, title)
    for day, titles in by_day.items():
        for near_day in range(day, day + DAYS_APART + 1):
            for ours, theirs in titles.near(by_day.get(near_day, _Titles())):
                yield from _worth_comparing(product(ours, theirs), all_of_them)


def _by_page(all_of_them: Sequence[Prepared]) -> Iterator[_Pair]:
    """Pair those of two sites that share a page; those of one need the same title as well."""
    by_page: dict[tuple[str, int], list[int]] = {}
    for number, one in enumerate(all_of_them):
        for page in one.pages:
            by_page.setdefault((page, one.day), []).append(number)
    for (page, day), ours in by_page.items():
        yield from _of_two_sites(combinations(ours, 2), all_of_them)
        for near_day in range(day + 1, day + DAYS_APART + 1):
            theirs = by_page.get((page, near_day), ())
            yield from _of_two_sites(product(ours, theirs), all_of_them)


def _of_two_sites(some: Iterable[_Pair], all_of_them: Sequence[Prepared]) -> Iterator[_Pair]:
    for one, other in _worth_comparing(some, all_of_them):
        if all_of_them[one].site != all_of_them[other].site:
            yield one, other


def _worth_comparing(some: Iterable[_Pair], all_of_them: Sequence[Prepared]) -> Iterator[_Pair]:
    """Leave out those that one site tells apart by the time: most of one title do."""
    for one, other in some:
        ours, theirs = all_of_them[one], all_of_them[other]
        if one != other and (ours.site != theirs.site or ours.moment == theirs.moment):
            yield (one, other) if one < other else (other, one)
