"""The app of `celery -A n8n_scraper.workers …`, made of the project's settings."""

from __future__ import annotations

from scrapy.utils.project import get_project_settings

from n8n_scraper.core.console import refuse
from n8n_scraper.core.errors import BadInput
from n8n_scraper.workers.app import make_app
from n8n_scraper.workers.worker_settings import WorkerSettings

try:
    app = make_app(WorkerSettings.from_settings(get_project_settings()))
except BadInput as error:
    refuse(error)  # Celery would show a traceback around any exception
