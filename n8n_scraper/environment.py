"""Let an environment variable of the same name override a setting's default."""

from __future__ import annotations

import os


def user_agent(version: str, contact: str) -> str:
    """Introduce ourselves, with a way to reach whoever runs the crawl."""
    return f"n8n-scraper/{version} ({contact or 'archive of public templates'})"


def setting(name: str, default: str) -> str:
    """The variable's text, or the default where it is unset or empty."""
    return os.environ.get(name) or default
