"""Which sources there are, found by their folders."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources import all_sources, source_of, source_of_item, source_with_key_in
from tests import toy


def test_every_folder_with_a_source_is_found_first_the_one_that_asks_for_it() -> None:
    before = all_sources()

    with toy.installed() as quotes:
        assert all_sources() == (*before, quotes)
        assert [one.place for one in all_sources()] == sorted(one.place for one in all_sources())

    assert all_sources() == before


def test_a_name_that_is_none_is_refused_with_those_that_there_are() -> None:
    with toy.installed(), pytest.raises(BadInput, match=r"'nil' is no source; .*, quotes[.]"):
        source_of("nil")


def test_an_item_and_a_record_tell_of_which_source_they_are() -> None:
    with toy.installed() as quotes:
        item = quotes.kind().item.model_construct(quote_id="q1")

        assert source_of_item(item) is quotes
        assert source_of_item({"quote_id": "q1"}) is None
        assert source_with_key_in(["title", "quote_id"]) is quotes
        with pytest.raises(BadInput, match="these are no items of any source: they have no"):
            source_with_key_in(["title"])
