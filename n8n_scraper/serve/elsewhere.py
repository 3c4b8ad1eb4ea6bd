"""How domains stand in the Redis that workers share, where there is one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import closing

from n8n_scraper.ledger.redis_pace_store import RedisPaceStore
from n8n_scraper.policies.pace.pace_store import PaceAway
from n8n_scraper.reports.domains import NONE_ELSEWHERE, Domains
from n8n_scraper.serve.options import ServeOptions

_log = logging.getLogger(__name__)

Elsewhere = Callable[[], Domains]


def elsewhere_of(options: ServeOptions) -> Elsewhere:
    """Give what asks for them; none are known while Redis is away."""
    return lambda: ask_elsewhere(options) or NONE_ELSEWHERE


def ask_elsewhere(options: ServeOptions) -> Domains | None:
    """Ask for them; None while Redis is away."""
    if options.redis is None:
        return NONE_ELSEWHERE
    try:
        with closing(RedisPaceStore(options.redis)) as store:
            return store.domains()
    except PaceAway as error:
        _log.info("%s", error)
        return None
