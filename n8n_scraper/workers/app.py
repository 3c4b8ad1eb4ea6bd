"""Make the Celery app: what is promised of a task, whatever is killed."""

from __future__ import annotations

from celery import Celery
from celery.schedules import ParseException, crontab

from n8n_scraper.core.errors import BadInput
from n8n_scraper.workers.handing_out import DISPATCH, SITES, TAKE_UP
from n8n_scraper.workers.worker_settings import WorkerSettings

NAME = "n8n_scraper"
"""The name of app, queue and control channel: other apps may use the same Redis."""

TAKE_UP_SECONDS = 60.0
"""How often it is looked for what was handed out and is lost."""

SITES_SECONDS = 60.0
"""How often it is looked which sites are due."""

_LATE_SECONDS = 60
"""How long after the hard limit a task may still be acknowledged."""

_SWEEP_SECONDS = 10
"""How often workers look for tasks whose worker has vanished."""


def make_app(settings: WorkerSettings) -> Celery:
    """Make an app for the broker that the settings name."""
    url = settings.needed_broker.url
    app = Celery(NAME, broker=url, backend=url)
    app.conf.update(_promises(settings))
    return app


def _promises(settings: WorkerSettings) -> dict[str, object]:
    return {
        # What a message says is data, never code.
        "accept_content": ["json"],
        "task_serializer": "json",
        "result_serializer": "json",
        # The ledger tells what came of the work; nothing of it goes through the broker.
        "task_ignore_result": True,
        # A task whose process or worker dies is handed out again: it is acknowledged at its end,
        # and no worker holds one that it does not work on.
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "worker_prefetch_multiplier": 1,
        "task_soft_time_limit": settings.soft_limit_seconds,
        "task_time_limit": settings.hard_limit_seconds,
        # What is not acknowledged for so long is handed out again, even while it is under way: so
        # no task may take as long. At every sweep the tasks of vanished workers are looked for.
        "broker_transport_options": {
            "visibility_timeout": settings.hard_limit_seconds + _LATE_SECONDS,
            "unacked_restore_interval": _SWEEP_SECONDS,
            "unacked_restore_throttle": 1,
        },
        # Without its broker a worker goes on with what it has, and asks until the broker is back.
        "worker_cancel_long_running_tasks_on_connection_loss": False,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        "task_default_queue": NAME,
        "control_exchange": NAME,
        "event_exchange": f"{NAME}.events",
        # Beat answers `inspect ping` too, wherever it runs: there must be one, and no second.
        "beat_enable_remote_control": True,
        "timezone": "UTC",
        "beat_schedule": _schedule(settings),
    }


def _schedule(settings: WorkerSettings) -> dict[str, object]:
    """Say what beat hands out; what no worker has taken when it is due again is left out."""
    entries: dict[str, object] = {
        "take up what is lost": {
            "task": TAKE_UP,
            "schedule": TAKE_UP_SECONDS,
            "options": {"expires": TAKE_UP_SECONDS},
        }
    }
    if settings.are_sites_scheduled:
        entries["hand out the sites that are due"] = {
            "task": SITES,
            "schedule": SITES_SECONDS,
            "options": {"expires": SITES_SECONDS},
        }
    for words, when in settings.schedule.items():
        entries[f"dispatch {words}"] = {
            "task": DISPATCH,
            "schedule": _crontab(words, when),
            "args": (words,),
        }
    return entries


def _crontab(words: str, when: str) -> crontab:
    try:
        return crontab.from_string(when)
    except (ParseException, ValueError) as error:
        raise BadInput(f"DISPATCH_SCHEDULE: {words!r}: {when!r} is no crontab: {error}.") from None
