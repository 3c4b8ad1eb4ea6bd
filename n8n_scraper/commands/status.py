"""`scrapy status`: how a crawl stands, from any other terminal, while it runs and after."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.cli.status import REFRESH_SECONDS
from n8n_scraper.commands.shared_pace import domains_in_redis
from n8n_scraper.commands.words import overview_lines
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.environment import database_by_hand
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.started import as_started
from n8n_scraper.core.typed_settings import Given
from n8n_scraper.ledger.database import Database
from n8n_scraper.policies.run.standing import Standing
from n8n_scraper.reports.runs import Overview, overview
from n8n_scraper.sources import source_of

_LEAST_SECONDS = 0.1


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Look once, or again and again."""
    every, name = _every_and_name(args, opts.watch)
    named = database_by_hand(settings)
    try:
        source = source_of(opts.source).name if opts.source else None
        with Asking(settings) as database:
            looking = partial(look, settings, database, named=named, source=source)
            if every is None:
                _say(looking(name), as_json=opts.json)
            else:
                _watch(looking, name, every, as_json=opts.json)
    except BadInput as error:
        refuse(error)
    except KeyboardInterrupt:
        return


def look(
    settings: Given,
    database: Database,
    name: str | None,
    named: str | None = None,
    source: str | None = None,
) -> Overview:
    """See how a run stands, the last of a source perhaps, and which other ones are under way.

    `named` is what the command line calls the database, for the commands that are told.
    """
    seen = overview(database, name, source, domains_in_redis(settings))
    return replace(seen, run=seen.run.asked_in(named))


def _watch(
    look_at: Callable[[str | None], Overview], name: str | None, every: float, *, as_json: bool
) -> None:
    """Look again and again; on a terminal the new look takes the place of the old one."""
    # Only who watches waits until these are imported.
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console()
    seen = look_at(name)
    if as_json or not console.is_terminal:
        _say(seen, as_json=as_json)
        while seen.run.standing is not Standing.ENDED:
            time.sleep(every)
            seen = look_at(seen.run.run_id)
            if not as_json:
                say("")
            _say(seen, as_json=as_json)
        return
    with Live(Text(_text(seen)), console=console, auto_refresh=False) as live:
        while seen.run.standing is not Standing.ENDED:
            time.sleep(every)
            seen = look_at(seen.run.run_id)
            live.update(Text(_text(seen)), refresh=True)


def _text(seen: Overview) -> str:
    return as_started("\n".join(overview_lines(seen)))


def _say(seen: Overview, *, as_json: bool) -> None:
    say(json.dumps(seen.as_json(), ensure_ascii=False) if as_json else _text(seen))


def _every_and_name(args: list[str], watch: Any) -> tuple[float | None, str | None]:
    """Read the seconds and the run; in `--watch last` the word is the run."""
    if watch is not None and not args and not _is_number(watch):
        args, watch = [watch], REFRESH_SECONDS
    if watch is not None and (not _is_number(watch) or not float(watch) >= _LEAST_SECONDS):
        refuse(f"--watch {watch}: write how many seconds, as in --watch 5.")
    if len(args) > 1 or any(word.startswith("-") for word in args):
        refuse("write: scrapy status [--watch [SECONDS]] [--json] [RUN]")
    return (None if watch is None else float(watch)), (args[0] if args else None)


def _is_number(word: str) -> bool:
    try:
        return float(word) < float("inf")
    except ValueError:
        return False
