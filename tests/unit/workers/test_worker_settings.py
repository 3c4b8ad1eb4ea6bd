"""Where work is handed out, and for how long one piece of it may take."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.workers.worker_settings import WorkerSettings


def read(**given: str) -> WorkerSettings:
    unset = {"REDIS_URL": "", "CELERY_BROKER_URL": ""}
    return WorkerSettings.from_settings({**unset, **given})


def test_the_queue_is_in_the_shared_redis_unless_it_is_given_one() -> None:
    shared = "redis://one:6379/0"

    assert read(REDIS_URL=shared).needed_broker.place == "one:6379"
    assert read(REDIS_URL=shared, CELERY_BROKER_URL="redis://two").needed_broker.place == "two:6379"


def test_without_a_redis_there_is_no_queue() -> None:
    with pytest.raises(BadInput, match=r"^REDIS_URL is empty: workers need a Redis, such as"):
        _ = read().needed_broker


def test_another_kind_of_broker_is_refused() -> None:
    with pytest.raises(BadInput, match="CELERY_BROKER_URL is no address of a Redis"):
        read(CELERY_BROKER_URL="amqp://guest@localhost")


@pytest.mark.parametrize(("soft", "hard"), [("600", "600"), ("720", "600")])
def test_the_hard_limit_leaves_time_after_the_soft_one(soft: str, hard: str) -> None:
    with pytest.raises(BadInput, match=f"SCRAPING_HARD_TIME_LIMIT is {hard}; write more seconds"):
        read(SCRAPING_SOFT_TIME_LIMIT=soft, SCRAPING_HARD_TIME_LIMIT=hard)


@pytest.mark.parametrize("name", ["SCRAPING_SOFT_TIME_LIMIT", "SCRAPING_HARD_TIME_LIMIT"])
def test_a_limit_is_a_whole_number(name: str) -> None:
    with pytest.raises(BadInput, match=f"{name} is 'soon'; write a whole number from 1 on"):
        read(**{name: "soon"})
