"""The tasks of the app: what a worker does with a message."""

from __future__ import annotations

import logging
import os
import shlex
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from mmap import mmap
from typing import TYPE_CHECKING, Any

from celery.signals import worker_process_init, worker_ready, worker_shutting_down

from n8n_scraper.core.errors import NotHealthy
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.redis_settings import RedisSettings
from n8n_scraper.core.tied import end_with
from n8n_scraper.crawl.site_runs import SiteEntrance
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.ledger.redis_pace_store import RedisPaceStore
from n8n_scraper.policies.pace.pace_store import PaceAway
from n8n_scraper.policies.run.chunks import Chunk
from n8n_scraper.reports.domains import NONE_ELSEWHERE, Domains
from n8n_scraper.sources_file.sources_file_settings import SourcesFileSettings
from n8n_scraper.sources_file.watched import WatchedSources
from n8n_scraper.workers.child import Child
from n8n_scraper.workers.chunk_task import CrawlBroke, Surroundings, work_on
from n8n_scraper.workers.dispatching import Dispatcher
from n8n_scraper.workers.handing_out import CHUNK, DISPATCH, SITES, TAKE_UP, Broker
from n8n_scraper.workers.jobs import Jobs, jobs_at
from n8n_scraper.workers.sites_due import hand_out_due

if TYPE_CHECKING:
    from celery import Celery
    from scrapy.settings import BaseSettings

    from n8n_scraper.core.typed_settings import Given
    from n8n_scraper.workers.worker_settings import WorkerSettings

logger = logging.getLogger(__name__)

_POLITE_SHARE = 0.8
"""How much of the time between the limits a crawl has to end by itself."""

_leaving = mmap(-1, 1)
"""Whether this worker is about to end: one byte for all of its processes, and no lock that a killed
one could keep."""


def _leave(**_: object) -> None:
    _leaving[0] = 1


def _end_with_the_worker(**_: object) -> None:
    end_with(os.getppid(), signal.SIGKILL)()


worker_shutting_down.connect(_leave)
worker_process_init.connect(_end_with_the_worker)


def register(app: Celery, settings: WorkerSettings, project: BaseSettings) -> None:
    """Give the app its tasks."""
    broker = Broker(app, settings.needed_broker.url)
    patience = (settings.hard_limit_seconds - settings.soft_limit_seconds) * _POLITE_SHARE

    @contextmanager
    def at_hand() -> Iterator[tuple[Database, Jobs]]:
        place = DatabaseSettings.from_settings(project)
        database = Database(place.url, patience_seconds=place.patience_seconds)
        try:
            with jobs_at(settings.needed_broker.url) as jobs:
                yield database, jobs
        finally:
            database.close()

    def chunk(**message: Any) -> None:
        with at_hand() as (database, jobs):
            around = Surroundings(
                database=database,
                jobs=jobs,
                broker=broker,
                size=settings.chunk_size,
                is_leaving=lambda: bool(_leaving[0]),
                patience_seconds=patience,
            )
            work_on(Chunk(**message), around)

    def take_up() -> None:
        with at_hand() as (database, jobs):
            for run_id in Dispatcher(database, broker, jobs, settings.chunk_size).take_up():
                logger.warning("run %s was lost, and is handed out anew", run_id)

    def dispatch(words: str) -> None:
        command = Child(("dispatch", *shlex.split(words), "--unless-under-way"))
        try:
            command.has_ended(settings.soft_limit_seconds)
        finally:
            status = command.close()
        if status != ExitStatus.DONE:
            raise CrawlBroke(f"scrapy dispatch {words} ended with status {status}.")

    def look_what_is_lost(**_: object) -> None:
        try:
            broker.ask_what_is_lost()
        except NotHealthy as error:  # beat asks for it as well
            logger.warning("%s", error)

    # What a worker held that was killed is lost with it, and the next one may begin at once.
    worker_ready.connect(look_what_is_lost, weak=False)
    named = {
        CHUNK: chunk,
        TAKE_UP: take_up,
        DISPATCH: dispatch,
        SITES: _sites_task(at_hand, broker, settings.chunk_size, project),
    }
    for name, task in named.items():
        app.task(task, name=name)


def _sites_task(
    at_hand: Callable[[], AbstractContextManager[tuple[Database, Jobs]]],
    broker: Broker,
    size: int,
    project: BaseSettings,
) -> Callable[[], None]:
    sources = WatchedSources(SourcesFileSettings.from_settings(project).path, logger.warning)

    def sites() -> None:
        with at_hand() as (database, jobs):
            dispatcher = Dispatcher(database, broker, jobs, size)
            entrance = SiteEntrance(project, database)
            domains = partial(_domains, project)
            due = hand_out_due(sources.now(), database, entrance, dispatcher, size, domains)
            for name, run_id in due:
                logger.info("%s is due: run %s is handed out", name, run_id)

    return sites


def _domains(project: Given) -> Domains:
    """Say how domains stand in the Redis that all crawls share; where it is away nobody knows."""
    address = RedisSettings.from_settings(project).address
    if address is None:
        return NONE_ELSEWHERE
    try:
        with closing(RedisPaceStore(address)) as store:
            return store.domains()
    except PaceAway as error:
        logger.warning("%s; how domains stand there is not known.", error)
        return NONE_ELSEWHERE
