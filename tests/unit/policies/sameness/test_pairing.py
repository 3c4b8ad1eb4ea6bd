"""Every pair that is the same is found, and none that is not."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from n8n_scraper.core.occasion import Occasion
from n8n_scraper.policies.sameness.comparing import compare, prepare
from n8n_scraper.policies.sameness.pairing import pairs, same_as
from tests.unit.policies.sameness.given import occasions


@given(st.lists(occasions, max_size=12), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_same_pairs_are_found_as_by_comparing_each_with_each(
    told: list[Occasion], chance: "st.randoms"
) -> None:
    ready = {number: one for number, each in enumerate(told) if (one := prepare(each)) is not None}
    by_hand = {
        frozenset((one, other)): found.strength
        for one, other in combinations(ready, 2)
        if (found := compare(ready[one], ready[other])) is not None
    }
    in_another_order = list(ready)
    chance.shuffle(in_another_order)

    found = list(pairs({number: ready[number] for number in in_another_order}))

    assert {frozenset(pair): evidence.strength for *pair, evidence in found} == by_hand
    assert len(found) == len(by_hand)
    # ... and none is matched with itself
    assert all(one != other for one, other, _ in found)
    for one in ready:
        others = {other: ready[other] for other in ready if other != one}
        assert {frozenset((one, other)) for other, _ in same_as(ready[one], others)} == {
            pair for pair in by_hand if one in pair
        }
