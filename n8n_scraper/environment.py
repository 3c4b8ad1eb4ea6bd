"""Where the value of a setting comes from: the environment, or the command line."""

from __future__ import annotations

import os
from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings


def user_agent(version: str, contact: str) -> str:
    """Introduce ourselves, with a way to reach whoever runs the crawl."""
    return f"n8n-scraper/{version} ({contact or 'archive of public templates'})"


def setting(name: str, default: str) -> str:
    """The variable's text, or the default where it is unset or empty."""
    return os.environ.get(name) or default


def given_by_hand(settings: BaseSettings) -> dict[str, Any]:
    """The settings of the command line: `-s`, and what `-o`, `-O` and its like stand for."""
    by_hand = SETTINGS_PRIORITIES["cmdline"]
    return {str(name): settings[name] for name in settings if settings.getpriority(name) == by_hand}
