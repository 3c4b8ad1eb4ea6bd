"""`scrapy parse`: Scrapy's own, which also tells by its exit status that nothing was parsed."""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING

from scrapy.commands.parse import Command as ParseCommand
from scrapy.exceptions import ScrapyDeprecationWarning

if TYPE_CHECKING:
    from twisted.python.failure import Failure


class Command(ParseCommand):
    """Shows what a callback makes of an address."""

    def handle_exception(self, _failure: Failure) -> None:
        """Say in one line what was wrong with the address; show where our own error was."""
        from n8n_scraper.console import warn
        from n8n_scraper.errors import BadInput
        from n8n_scraper.policies.ending import ExitStatus

        if isinstance(_failure.value, BadInput):
            warn(_failure.value)
            self.exitcode = ExitStatus.BAD_INPUT
        else:
            super().handle_exception(_failure)
            self.exitcode = ExitStatus.BROKEN

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Parse; without a spider or an answer nothing was."""
        from n8n_scraper.policies.ending import ExitStatus

        # Scrapy's command wraps every callback so; it says nothing of the spider's.
        warnings.filterwarnings("ignore", ".* returned a Deferred", ScrapyDeprecationWarning)
        super().run(args, opts)
        if not self.first_response and not self.exitcode:
            self.exitcode = ExitStatus.BAD_INPUT
