"""`scrapy parse`: Scrapy's own, which also tells by its exit status that nothing was parsed."""

from __future__ import annotations

import argparse
import inspect
import warnings
from typing import TYPE_CHECKING

from scrapy.commands.parse import Command as ParseCommand
from scrapy.exceptions import ScrapyDeprecationWarning

if TYPE_CHECKING:
    from scrapy import Spider
    from twisted.python.failure import Failure


class Command(ParseCommand):
    """Shows what a callback makes of an address."""

    def handle_exception(self, _failure: Failure) -> None:
        """Say in one line what was wrong with the address; show where our own error was."""
        from n8n_scraper.core.console import warn
        from n8n_scraper.core.errors import BadInput
        from n8n_scraper.core.exit_status import ExitStatus

        if isinstance(_failure.value, BadInput):
            warn(_failure.value)
            self.exitcode = ExitStatus.BAD_INPUT
        else:
            super().handle_exception(_failure)
            self.exitcode = ExitStatus.BROKEN

    def set_spidercls(self, url: str, opts: argparse.Namespace) -> None:
        """Refuse a callback that the spider does not have, with those that it has."""
        from n8n_scraper.core.console import refuse

        super().set_spidercls(url, opts)
        wanted, spider = opts.callback, self.spidercls
        if spider and wanted and not callable(getattr(spider, wanted, None)):
            names = ", ".join(_callbacks(spider)) or "none"
            refuse(f"spider {spider.name!r} has no callback {wanted!r}; it has: {names}.")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Parse; without a spider or an answer nothing was."""
        from n8n_scraper.core.exit_status import ExitStatus

        # Scrapy's command wraps every callback so; it says nothing of the spider's.
        warnings.filterwarnings("ignore", ".* returned a Deferred", ScrapyDeprecationWarning)
        super().run(args, opts)
        if not self.first_response and not self.exitcode:
            self.exitcode = ExitStatus.BAD_INPUT


def _callbacks(spider: type[Spider]) -> list[str]:
    """Name the methods that take a response."""
    return [
        name
        for name, method in inspect.getmembers(spider, inspect.isfunction)
        if "response" in method.__code__.co_varnames[:2] and not name.startswith("_")
    ]
