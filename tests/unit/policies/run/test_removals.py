"""When an inventory is believed that lacks what the archive has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.core.source import Noun
from n8n_scraper.policies.run.removals import Removals


@pytest.mark.parametrize(
    ("missing", "known", "most_share", "believed"),
    [
        (0, 13_000, 0.1, True),
        (40, 13_000, 0.1, True),  # what a site removes in a month
        (1_300, 13_000, 0.1, True),  # exactly the share
        (1_301, 13_000, 0.1, False),
        (12_990, 13_000, 0.1, False),  # a list of ten
        (1, 10, 0.1, True),
        (2, 10, 0.1, False),
        (13_000, 13_000, 1.0, True),  # whoever wants to believe everything
        (1, 13_000, 0.0, False),  # or nothing
        (0, 0, 0.1, True),  # an archive that is empty yet
    ],
)
def test_a_list_that_lacks_more_than_the_share_is_not_believed(
    missing: int, known: int, most_share: float, believed: bool
) -> None:
    assert Removals(missing, known, most_share).believed is believed


@given(known=st.integers(0, 100_000), share=st.floats(0, 1))
def test_a_list_that_lacks_nothing_is_always_believed(known: int, share: float) -> None:
    assert Removals(0, known, share).doubt is None


def test_a_doubt_says_how_many_are_missing_and_what_to_do() -> None:
    assert Removals(12_990, 13_000, 0.1, Noun("mushroom", "mushrooms")).doubt == (
        "The site's list of mushrooms lacks 12990 of the 13000 that the archive has, more than "
        "MOST_REMOVED (10 %) allows: none of them counts as removed. "
        "If the site did remove them, raise that setting once."
    )
