"""Every pair that is alike is found, and none that is not."""

import itertools
from array import array
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from n8n_scraper.policies.likeness.bounds import ALIKE, likeness_from, number_of_first, sizes_alike
from n8n_scraper.policies.likeness.features import Features, likeness, telling_first
from n8n_scraper.policies.likeness.groups import clusters
from n8n_scraper.policies.likeness.joining import alike
from tests.thoroughness import at_length

thresholds = st.sampled_from([0.3, 0.5, 0.8, 1.0])
seeds = st.integers(0, 2**32)


def changed_copies(seed: int) -> list["Features[int]"]:
    """Give copies of three documents, each with some features taken out and some put in."""
    random = Random(seed)
    originals = [random.sample(range(150), random.randint(0, 60)) for _ in range(3)]
    documents = []
    for _ in range(15):
        original = random.choice(originals)
        kept = random.sample(original, random.randint(len(original) * 2 // 3, len(original)))
        added = random.sample(range(150), random.choice((0, 0, 1, 5)))
        documents.append(array("I", sorted({*kept, *added})))
    return documents


def by_comparing_each_with_each(
    documents: list["Features[int]"], threshold: float
) -> dict[tuple[int, int], float]:
    pairs = itertools.combinations(range(len(documents)), 2)
    measured = ((pair, likeness(documents[pair[0]], documents[pair[1]])) for pair in pairs)
    return {pair: measure for pair, measure in measured if measure >= threshold}


@given(seeds, thresholds)
@settings(max_examples=at_length(150), deadline=None)
def test_the_same_pairs_are_found_as_by_comparing_each_with_each(
    seed: int, threshold: float
) -> None:
    documents = changed_copies(seed)

    found = [((min(pair), max(pair)), measure) for *pair, measure in alike(documents, threshold)]

    assert dict(found) == by_comparing_each_with_each(documents, threshold)
    assert len(found) == len(dict(found))


@given(seeds)
@settings(max_examples=at_length(100), deadline=None)
def test_two_that_are_alike_share_some_of_their_first_features(seed: int) -> None:
    documents = [one for one in changed_copies(seed) if len(one) >= 6]

    for one, other in by_comparing_each_with_each(documents, ALIKE):
        first = [
            set(documents[each][: number_of_first(len(documents[each]), ALIKE)])
            for each in (one, other)
        ]
        assert len(first[0] & first[1]) >= 3
        fewest, most = sizes_alike(len(documents[one]), ALIKE)
        assert fewest <= len(documents[other]) <= most


def test_a_measure_below_the_threshold_is_none() -> None:
    one, other = array("I", range(10)), array("I", range(1, 11))

    assert likeness_from(one, other, 0.8) == 9 / 11
    assert likeness_from(one, other, 0.9) is None


def test_telling_parts_come_before_common_ones_and_the_second_of_a_kind_counts() -> None:
    telling, common = (telling_first(["a", "a"], []), telling_first([], ["b"]))

    assert list(telling_first(["a", "a"], ["b"])) == [*telling, *common]
    assert len(telling) == 2


def test_a_chain_of_pairs_is_one_cluster() -> None:
    found = clusters([("a", "b"), ("c", "d"), ("b", "e")])

    assert [sorted(one) for one in found] == [["a", "b", "e"], ["c", "d"]]
