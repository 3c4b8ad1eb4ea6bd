"""`scrapy transcripts`: fetch what videos say, as far as it is still missing, at any time."""

from __future__ import annotations

import argparse

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from n8n_scraper.asking import Asking
from n8n_scraper.console import refuse, say, warn
from n8n_scraper.errors import BadInput
from n8n_scraper.items import Transcript, TranscriptOutcome
from n8n_scraper.policies.ending import ExitStatus
from n8n_scraper.transcripts.catching_up import CatchingUp
from n8n_scraper.transcripts.options import read_options


class Command(ScrapyCommand):
    """Asks the video host for every video that is still pending."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012 - Scrapy's declaration

    def short_desc(self) -> str:
        """The line in Scrapy's list of commands."""
        return "Fetch the transcripts of the templates' videos that are still missing"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Its own options."""
        super().add_options(parser)
        parser.add_argument("--limit", type=int, metavar="N", help="ask for N videos at most")
        parser.add_argument(
            "--retry-failed", action="store_true", help="also those that failed five times"
        )
        parser.add_argument("--json", action="store_true", help="say it as JSON")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Fetch, tell, and leave with the status that it deserves."""
        if args or (opts.limit is not None and opts.limit < 1):
            raise UsageError(
                "write: scrapy transcripts [--limit N] [--retry-failed] [--json], N from 1 on",
                print_help=False,
            )
        assert self.settings is not None
        try:
            options = read_options(self.settings)
        except BadInput as error:
            refuse(error)
        with Asking(self.settings) as database:
            work = CatchingUp(database, options, opts.limit, retry_failed=opts.retry_failed)
            work.fetch((lambda _: None) if opts.json else (lambda one: say(describe(one))))
            say(work.as_json() if opts.json else work.summary())
            if not opts.json and work.status is not ExitStatus.DONE:
                warn(work.advice())
        self.exitcode = work.status


def describe(transcript: Transcript) -> str:
    """Say in one line what came of a video."""
    if transcript.outcome is TranscriptOutcome.OK:
        kind = "generated" if transcript.generated else "manual"
        said = f"{transcript.language}, {kind}, {len(transcript.segments)} segments"
    else:
        said = transcript.reason or ""
    return f"{transcript.video_id}  {transcript.outcome:<11}  {said}".rstrip()
