"""Read where work is handed out, and for how long one piece of it may take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.redis_settings import EXAMPLE, RedisAddress, RedisSettings
from n8n_scraper.core.typed_settings import Given, TypedSettings, text, whole


@dataclass(frozen=True, slots=True)
class WorkerSettings(TypedSettings):
    """What Celery is told."""

    broker: RedisAddress | None
    soft_limit_seconds: int
    hard_limit_seconds: int

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `CELERY_BROKER_URL`, which is `REDIS_URL` where it is empty, and `SCRAPING_…`."""
        url = text(settings, "CELERY_BROKER_URL")
        broker = RedisAddress.parse(url, "CELERY_BROKER_URL") if url else None
        soft = whole(settings, "SCRAPING_SOFT_TIME_LIMIT")
        hard = whole(settings, "SCRAPING_HARD_TIME_LIMIT")
        if hard <= soft:
            raise BadInput(
                f"SCRAPING_HARD_TIME_LIMIT is {hard}; write more seconds than "
                f"SCRAPING_SOFT_TIME_LIMIT has, which is {soft}."
            )
        return cls(broker or RedisSettings.from_settings(settings).address, soft, hard)

    @property
    def needed_broker(self) -> RedisAddress:
        """The broker; raise BadInput where there is none."""
        if self.broker is None:
            raise BadInput(f"REDIS_URL is empty: workers need a Redis, such as REDIS_URL={EXAMPLE}")
        return self.broker
