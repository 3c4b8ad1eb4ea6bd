"""`scrapy transcripts`: fetch what videos say, as far as it is still missing, at any time."""

from __future__ import annotations

import argparse

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.how_many import how_many
from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.transcript import Transcript, TranscriptOutcome
from n8n_scraper.media.transcripts.catching_up import CatchingUp
from n8n_scraper.media.transcripts.options import TranscriptSettings


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Fetch, tell, and leave with the status that it deserves."""
    if args:
        refuse("write: scrapy transcripts [--limit N] [--retry-failed] [--json]")
    limit = how_many("--limit", opts.limit, example=100)
    try:
        options = TranscriptSettings.from_settings(settings)
    except BadInput as error:
        refuse(error)
    with Asking(settings) as database:
        work = CatchingUp(database, options, limit, retry_failed=opts.retry_failed)
        work.fetch((lambda _: None) if opts.json else (lambda one: say(describe(one))))
        say(work.as_json() if opts.json else work.summary())
        if not opts.json and work.status is not ExitStatus.DONE:
            warn(work.advice())
    return work.status


def describe(transcript: Transcript) -> str:
    """Say in one line what came of a video."""
    if transcript.outcome is TranscriptOutcome.OK:
        kind = "generated" if transcript.generated else "manual"
        said = f"{transcript.language}, {kind}, {len(transcript.segments)} segments"
    else:
        said = transcript.reason or ""
    return f"{transcript.video_id}  {transcript.outcome:<11}  {said}".rstrip()
