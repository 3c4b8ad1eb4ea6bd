"""What the Celery app promises of every task."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.workers.worker_settings import WorkerSettings

pytest.importorskip("celery")

from n8n_scraper.workers.app import make_app

SETTINGS = {
    "REDIS_URL": "redis://shared:6379/0",
    "CELERY_BROKER_URL": "",
    "SCRAPING_SOFT_TIME_LIMIT": "30",
    "SCRAPING_HARD_TIME_LIMIT": "40",
}


def conf(**given: str) -> dict[str, object]:
    return make_app(WorkerSettings.from_settings({**SETTINGS, **given})).conf


def test_no_message_can_bring_code() -> None:
    assert conf()["accept_content"] == ["json"]


def test_a_task_whose_worker_dies_is_handed_out_again() -> None:
    assert conf()["task_acks_late"]
    assert conf()["task_reject_on_worker_lost"]
    assert conf()["worker_prefetch_multiplier"] == 1


def test_no_task_under_way_is_handed_out_a_second_time() -> None:
    assert conf()["task_time_limit"] == 40
    assert conf()["broker_transport_options"]["visibility_timeout"] > 40


def test_a_broker_that_is_away_ends_no_work() -> None:
    assert not conf()["worker_cancel_long_running_tasks_on_connection_loss"]


def test_the_queue_may_be_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CELERY_BROKER_URL", raising=False)  # Celery reads it too

    assert conf(CELERY_BROKER_URL="redis://queue:6379/1")["broker_url"] == "redis://queue:6379/1"


def test_without_a_redis_there_is_no_app() -> None:
    with pytest.raises(BadInput, match="REDIS_URL is empty"):
        conf(REDIS_URL="")


def test_beat_dispatches_what_the_schedule_says() -> None:
    schedule = conf(DISPATCH_SCHEDULE='{"workflows -a mode=update": "15 3 * * *"}')["beat_schedule"]

    assert isinstance(schedule, dict)
    entry = schedule["dispatch workflows -a mode=update"]
    assert entry["args"] == ("workflows -a mode=update",)
    assert (entry["schedule"].hour, entry["schedule"].minute) == ({3}, {15})


@pytest.mark.parametrize("when", ["daily", "99 3 * * *"])
def test_a_schedule_that_nobody_can_read_is_refused(when: str) -> None:
    with pytest.raises(BadInput, match="DISPATCH_SCHEDULE"):
        conf(DISPATCH_SCHEDULE=f'{{"workflows": "{when}"}}')


def test_beat_looks_for_sites_that_are_due_only_where_that_is_wanted() -> None:
    wanted, unwanted = (conf(DISPATCH_SITES=one)["beat_schedule"] for one in ("1", "0"))

    assert isinstance(wanted, dict)
    assert isinstance(unwanted, dict)
    assert wanted.keys() - unwanted.keys() == {"hand out the sites that are due"}
    [entry] = (wanted[name] for name in wanted.keys() - unwanted.keys())
    assert entry["schedule"] == entry["options"]["expires"] == 60
