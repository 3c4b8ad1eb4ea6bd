"""A source of one folder, as small as one can be: the core is held to it for any other.

`installed` lets this process find it as it finds all others; in a copy of the tree the folder is
put beside those of the others.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from n8n_scraper import sources

FOLDER = Path(__file__).parent
NAME = "quotes"


@contextmanager
def installed() -> Iterator[sources.Source]:
    """Let the source be found for as long as the block lasts."""
    sources.__path__.append(str(FOLDER))
    sources.all_sources.cache_clear()
    try:
        yield sources.source_of(NAME)
    finally:
        sources.__path__.remove(str(FOLDER))
        sources.all_sources.cache_clear()


@contextmanager
def left_out() -> Iterator[None]:
    """Let the source not be found for as long as the block lasts, wherever it was installed."""
    paths = list(sources.__path__)
    sources.__path__[:] = [path for path in paths if path != str(FOLDER)]
    sources.all_sources.cache_clear()
    try:
        yield
    finally:
        sources.__path__[:] = paths
        sources.all_sources.cache_clear()
