"""Pages of a million bytes that are made to take long: each is read before long.

Some of them, shorter, are in every run of the suite (`tests/unit/sources/events`).
"""

import pytest

from n8n_scraper.sources.events.found import Hints
from tests.unit.sources.events.hostile import HOSTILE, page
from tests.unit.sources.events.test_any_bytes import CARDS, TITLES, seconds


@pytest.mark.long
@pytest.mark.parametrize("known", [CARDS, TITLES], ids=["cards", "titles"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_page_of_a_million_bytes_is_read_before_long(name: str, known: Hints) -> None:
    took = seconds(page(name, 1_000_000), known)

    print(f"{name}: {took:.1f} s of CPU")
    assert took < 20
