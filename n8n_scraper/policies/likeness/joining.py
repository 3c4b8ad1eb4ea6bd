"""Find every pair of documents that are alike, exactly, without comparing each with each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, product

from n8n_scraper.policies.likeness.bounds import FIRST_SHARED, least_shared, likeness_from
from n8n_scraper.policies.likeness.features import Features

Pair = tuple[int, int, float]
"""The numbers of two documents, and their likeness."""

_BUCKETS = 1 << 22


def alike(documents: Sequence[Features[int]], threshold: float) -> Iterator[Pair]:
    """Give every pair whose likeness is the threshold or more; empty documents are like none."""
    same = list(copies(documents))
    for group in same:
        yield from ((one, other, 1.0) for one, other in combinations(group, 2))
    of_first = {group[0]: group for group in same}
    for one, other, measure in alike_among(documents, [*of_first], threshold):
        yield from ((a, b, measure) for a, b in product(of_first[one], of_first[other]))


def copies(documents: Sequence[Features[int]]) -> Iterable[list[int]]:
    """Give the documents in groups of the same, those without any part left out."""
    groups: dict[bytes, list[int]] = {}
    for number, document in enumerate(documents):
        if document:
            groups.setdefault(document.tobytes(), []).append(number)
    return groups.values()


def alike_among(
    documents: Sequence[Features[int]],
    numbers: Sequence[int],
    threshold: float,
    is_known: Callable[[int, int], bool] = lambda _one, _other: False,
) -> Iterator[Pair]:
    """Give the pairs among these documents, of which no two are the same, unless one is known.

    Sorted from rare to frequent features, two such documents must share several of their first
    ones: only those are looked at.
    """
    frequency = _frequencies(documents[number] for number in numbers)
    having: defaultdict[int, list[int]] = defaultdict(list)
    for one in numbers:
        document = documents[one]
        first = _first(document, threshold, frequency)
        shared = Counter(chain.from_iterable(map(having.__getitem__, first)))
        least = min(FIRST_SHARED, least_shared(len(document), threshold))
        for other in (number for number, many in shared.items() if many >= least):
            if not is_known(one, other):
                measure = likeness_from(document, documents[other], threshold)
                if measure is not None:
                    yield other, one, measure
        for feature in first:
            having[feature].append(one)


def _frequencies(documents: Iterable[Features[int]]) -> bytearray:
    """Count, up to 255, in how many documents a feature is; one bucket may count for several."""
    counts = bytearray(_BUCKETS)
    for document in documents:
        for feature in document:
            bucket = feature % _BUCKETS
            if counts[bucket] < 255:
                counts[bucket] += 1
    return counts


def _first(document: Features[int], threshold: float, frequency: bytearray) -> list[int]:
    """Give so many of the rarest features that too few are left to be alike by those alone.

    Those that only one document has are not given: nobody shares them.
    """
    shared = [feature for feature in document if frequency[feature % _BUCKETS] > 1]
    alone = len(document) - len(shared)
    room = len(document) - least_shared(len(document), threshold) + FIRST_SHARED - alone
    if room < len(shared):
        shared.sort(key=lambda feature: (frequency[feature % _BUCKETS], feature))
    return shared[: max(room, 0)]
