"""How domains stand in the Redis that workers share, for commands; without one there is none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.console import warn
from n8n_scraper.core.redis_settings import RedisSettings
from n8n_scraper.core.typed_settings import Given
from n8n_scraper.ledger.redis_pace_store import RedisPaceStore
from n8n_scraper.policies.pace.domain_state import DomainState
from n8n_scraper.policies.pace.pace_store import PaceAway

T = TypeVar("T")


def domains_in_redis(settings: Given) -> dict[str, DomainState]:
    """Give how each domain stands; none where Redis is away, with a line that says so."""
    return _asked(settings, RedisPaceStore.domains, {})


def reset_in_redis(settings: Given, domain: str) -> bool:
    """Close a domain's circuit at a person's word; False when the domain is unknown there."""

    def reset(store: RedisPaceStore) -> bool:
        if not store.look(domain).revision:
            return False
        store.change(domain, lambda state, now: state.reset(now, utc_now()))
        return True

    return _asked(settings, reset, False)


def _asked(settings: Given, question: Callable[[RedisPaceStore], T], otherwise: T) -> T:
    read = RedisSettings.from_settings(settings)
    read.check()
    if read.address is None:
        return otherwise
    try:
        with closing(RedisPaceStore(read.address)) as store:
            return question(store)
    except PaceAway as error:
        warn(f"{error}; how domains stand there is not known.")
        return otherwise
