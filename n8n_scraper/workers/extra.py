"""Say how to install what only workers need."""

from __future__ import annotations

from importlib.util import find_spec

from n8n_scraper.core.redis_settings import INSTALL

_PACKAGES = {"celery": "Celery", "redis": "redis-py"}


def missing() -> str | None:
    """Say in one line what is not installed and how to get it; None where all is there."""
    lacking = [name for package, name in _PACKAGES.items() if find_spec(package) is None]
    if not lacking:
        return None
    verb = "is" if len(lacking) == 1 else "are"
    return f"{' and '.join(lacking)} {verb} not installed: {INSTALL}"
