"""`scrapy mcp`: the archive for an AI assistant, over standard input and output."""

from __future__ import annotations

from n8n_scraper.commands.base import ProjectCommand


class Command(ProjectCommand):
    """Answers the assistant that has started it."""

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Let an AI assistant search and read the archive (MCP over stdio)"

    def long_desc(self) -> str:
        """What it is started by, and what it needs."""
        return (
            "An assistant starts it and speaks to it by the Model Context Protocol; it only "
            "reads. `scrapy serve` has the same at /mcp. It needs requirements-assistants.txt."
        )
