"""`scrapy stack up|status|down`: what many workers need, started, told and stopped."""

from __future__ import annotations

import argparse

from scrapy.settings import BaseSettings

from n8n_scraper.commands.standings import as_json, line_of, stopped_line
from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput, NotHealthy, StoreError
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.extras import WORKERS
from n8n_scraper.stack import stack_of
from n8n_scraper.stack.stack import Stack, Stopped


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> ExitStatus:
    """Do what was asked."""
    try:
        match args:
            case ["up"]:
                return _up(settings)
            case ["status"]:
                return _status(stack_of(settings), as_document=opts.json)
            case ["down"]:
                return _down(stack_of(settings))
            case _:
                refuse("write: scrapy stack up, scrapy stack status, or scrapy stack down")
    except BadInput as error:
        refuse(error)


def _up(settings: BaseSettings) -> ExitStatus:
    if line := WORKERS.missing():
        refuse(f"scrapy stack up needs what is not installed: {line}")
    try:
        stack_of(settings).up(lambda standing: say(line_of(standing)))
    except NotHealthy as error:
        warn(f"{error} What had been started is stopped again.")
        return ExitStatus.NOT_HEALTHY
    except StoreError as error:
        warn(error)
        return ExitStatus.STORE_LOST
    return ExitStatus.DONE


def _status(stack: Stack, *, as_document: bool) -> ExitStatus:
    seen = list(stack.look())
    if as_document:
        say(as_json(seen))
    else:
        for one in seen:
            say(line_of(one))
    return ExitStatus.DONE if all(one.health.is_ready for one in seen) else ExitStatus.NOT_HEALTHY


def _down(stack: Stack) -> ExitStatus:
    ended: list[Stopped] = []

    def tell(stopped: Stopped) -> None:
        ended.append(stopped)
        say(stopped_line(stopped))

    stack.down(tell)
    if not ended:
        say("Nothing runs that `scrapy stack up` has started.")
    return ExitStatus.NOT_HEALTHY if any(one.left for one in ended) else ExitStatus.DONE
