"""A source of the tests' own: what is stored of it is stored of any."""

from collections.abc import Iterator

import pytest

from n8n_scraper.core.source import Source
from tests import toy


@pytest.fixture
def quotes() -> Iterator[Source]:
    """To be asked for before the database, which makes its table."""
    with toy.installed() as source:
        yield source
