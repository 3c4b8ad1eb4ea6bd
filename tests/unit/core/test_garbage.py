"""A garbage collector that looks seldomer."""

import gc
from collections.abc import Iterator

import pytest

from n8n_scraper.core.garbage import look_seldomer


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)  # what is frozen stays so, as all that was collected does


def test_what_is_there_is_looked_at_no_more() -> None:
    loaded = [{}]

    look_seldomer()

    assert not any(one is loaded for one in gc.get_objects())


def test_more_is_made_between_two_looks() -> None:
    gc.set_threshold(700, 10, 10)

    look_seldomer()

    assert gc.get_threshold() == (5_000, 10, 10)


def test_a_collector_that_looks_seldomer_already_goes_on_so() -> None:
    gc.set_threshold(10_000, 10, 50)

    look_seldomer()

    assert gc.get_threshold() == (10_000, 10, 50)
