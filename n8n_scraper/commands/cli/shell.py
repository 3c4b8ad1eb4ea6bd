"""`scrapy shell`: Scrapy's own, which says in one line that its address could not be had."""

from __future__ import annotations

import argparse

from scrapy.commands.shell import Command as ShellCommand


class Command(ShellCommand):
    """Shows an answer, for trying selectors on it."""

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Fetch and wait for words; where the site cannot be had there is nothing to wait for."""
        from scrapy.exceptions import IgnoreRequest

        from n8n_scraper.core.console import warn
        from n8n_scraper.core.exit_status import ExitStatus
        from n8n_scraper.policies.failure.category import classify, speaks_of_health

        try:
            super().run(args, opts)
        except Exception as error:
            if not isinstance(error, IgnoreRequest) and not speaks_of_health(
                classify(exception=error)
            ):
                raise
            words = " ".join(f"{type(error).__name__}: {error}".split())
            warn(f"{args[0]} could not be had: {words}")
            self.exitcode = ExitStatus.SITE_DOWN
