"""`scrapy breaker list|reset`: which domains are left alone, why, and a word to end it."""

from __future__ import annotations

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Shows and resets the circuit breakers."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "list | reset <domain>"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Show which domains the circuit breaker leaves alone, or reset one"
