"""What work needs besides the crawl itself: is it healthy, and if not, start it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from n8n_scraper.core.environment import defaults
from n8n_scraper.core.old_names import names_of

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from n8n_scraper.stack.stack import Stack


def stack_of(settings: BaseSettings) -> Stack:
    """Give the stack that the settings describe; as a context manager it ends with its block."""
    from n8n_scraper.stack.order import services_of
    from n8n_scraper.stack.stack import Stack
    from n8n_scraper.stack.stack_settings import StackSettings

    told = StackSettings.from_settings(settings)
    services = services_of(settings, _told_here(settings))
    return Stack(services, told.folder, told.patience_seconds)


def _told_here(settings: BaseSettings) -> dict[str, str]:
    """Give the settings that only this process was told, as variables for those it starts."""
    from n8n_scraper import settings as project

    told: dict[str, str] = {}
    for name in defaults:
        value = settings.get(name)
        if value is not None and str(value) != getattr(project, name):
            told |= dict.fromkeys(names_of(name), "")  # an old name would contradict
            told[name] = str(value)
    return told
