"""Which services there are, and in which order they are started."""

from __future__ import annotations

from collections.abc import Mapping

from n8n_scraper.core.redis_settings import RedisSettings
from n8n_scraper.core.typed_settings import Given
from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.stack.service import Service
from n8n_scraper.stack.services.celery import Celery
from n8n_scraper.stack.services.database import database
from n8n_scraper.stack.services.models import models
from n8n_scraper.stack.services.proxies import proxies, rotator
from n8n_scraper.stack.services.redis import broker, redis
from n8n_scraper.stack.stack_settings import StackSettings
from n8n_scraper.workers.worker_settings import WorkerSettings


def services_of(settings: Given, environment: Mapping[str, str]) -> tuple[Service, ...]:
    """Give all of them, needed or not, in the order in which they are started.

    `environment` is what a worker has to be told, because only this command was told it.
    """
    stack = StackSettings.from_settings(settings)
    workers = WorkerSettings.from_settings(settings)
    shared = RedisSettings.from_settings(settings).address
    through = ProxySettings.from_settings(settings)
    celery = Celery(workers, stack.folder, environment)
    return (
        redis(shared, stack.folder),
        broker(workers.broker, shared, stack.folder),
        celery.worker(),
        celery.beat(),
        database(DatabaseSettings.from_settings(settings)),
        proxies(through),
        rotator(through),
        models(stack.model_server_url),
    )
