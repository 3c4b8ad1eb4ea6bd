"""Read where work is handed out, and for how long one piece of it may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.redis_settings import EXAMPLE, RedisAddress, RedisSettings
from n8n_scraper.core.typed_settings import Given, TypedSettings, switch, table, text, whole

_FIELDS_OF_A_CRONTAB = 5


@dataclass(frozen=True, slots=True)
class WorkerSettings(TypedSettings):
    """What Celery is told."""

    broker: RedisAddress | None
    soft_limit_seconds: int
    hard_limit_seconds: int
    chunk_size: int
    is_parallel: bool
    """Whether all sources are dispatched at once, or each when the one before has ended."""
    schedule: Mapping[str, str]
    """When what is dispatched: the words behind `scrapy dispatch`, each with its crontab."""
    are_sites_scheduled: bool
    """Whether the sites of the sources file are dispatched when they are due."""

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `CELERY_BROKER_URL`, which is `REDIS_URL` where it is empty, and the rest."""
        url = text(settings, "CELERY_BROKER_URL")
        broker = RedisAddress.parse(url, "CELERY_BROKER_URL") if url else None
        soft = whole(settings, "SCRAPING_SOFT_TIME_LIMIT")
        hard = whole(settings, "SCRAPING_HARD_TIME_LIMIT")
        if hard <= soft:
            raise BadInput(
                f"SCRAPING_HARD_TIME_LIMIT is {hard}; write more seconds than "
                f"SCRAPING_SOFT_TIME_LIMIT has, which is {soft}."
            )
        return cls(
            broker=broker or RedisSettings.from_settings(settings).address,
            soft_limit_seconds=soft,
            hard_limit_seconds=hard,
            chunk_size=whole(settings, "SCRAPING_CHUNK_SIZE"),
            is_parallel=switch(settings, "PARALLEL_SCRAPING"),
            schedule=_checked(table(settings, "DISPATCH_SCHEDULE")),
            are_sites_scheduled=switch(settings, "DISPATCH_SITES"),
        )

    @property
    def needed_broker(self) -> RedisAddress:
        """The broker; raise BadInput where there is none."""
        if self.broker is None:
            raise BadInput(f"REDIS_URL is empty: workers need a Redis, such as REDIS_URL={EXAMPLE}")
        return self.broker


def _checked(schedule: Mapping[str, str]) -> Mapping[str, str]:
    for words, crontab in schedule.items():
        if not words.strip() or len(str(crontab).split()) != _FIELDS_OF_A_CRONTAB:
            raise BadInput(
                f"DISPATCH_SCHEDULE: {words!r}: {crontab!r}; write what follows `scrapy dispatch` "
                'and a crontab, as in {"workflows -a mode=update": "15 3 * * *"}.'
            )
    return schedule
