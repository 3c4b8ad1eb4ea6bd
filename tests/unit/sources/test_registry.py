"""Which sources there are, found by their folders."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources import all_sources, source_of, source_of_spider


def test_every_folder_with_a_source_is_found() -> None:
    assert "n8n" in [source.name for source in all_sources()]


def test_a_source_is_found_by_its_name_and_by_its_spider() -> None:
    n8n = source_of("n8n")

    assert source_of_spider("workflows") is n8n
    assert source_of_spider("somebody_elses") is None


def test_a_name_that_is_none_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(BadInput, match=r"'n9n' is no source; there are: .*n8n"):
        source_of("n9n")
