"""Say in one line that Redis, or the queue in it, cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from n8n_scraper.core.errors import NotHealthy


@contextmanager
def told_if_away() -> Iterator[None]:
    """Raise NotHealthy in the place of whatever the libraries say."""
    from kombu.exceptions import KombuError
    from redis import RedisError

    try:
        yield
    except (KombuError, RedisError, OSError) as error:
        raise NotHealthy(f"The broker fails: {str(error).rstrip('.')}.") from error
