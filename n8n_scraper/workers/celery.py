"""The app of `celery -A n8n_scraper.workers …`, made of the project's settings."""

from __future__ import annotations

from scrapy.utils.project import get_project_settings

from n8n_scraper.core.console import refuse
from n8n_scraper.core.errors import BadInput
from n8n_scraper.workers.app import make_app
from n8n_scraper.workers.tasks import register
from n8n_scraper.workers.worker_settings import WorkerSettings

try:
    _project = get_project_settings()
    _settings = WorkerSettings.from_settings(_project)
    app = make_app(_settings)
    register(app, _settings, _project)
except BadInput as error:
    refuse(error)  # Celery would show a traceback around any exception
