"""`scrapy db upgrade`: create the tables, or bring them to the newest shape."""

from __future__ import annotations

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Looks after the database."""

    def syntax(self) -> str:
        """What may follow the command."""
        return "upgrade"

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Create the database's tables, or bring them to the newest shape"
