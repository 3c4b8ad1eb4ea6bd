"""`scrapy etl status|send`: what a server elsewhere was told of our runs, and what is left."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.started import as_started
from n8n_scraper.core.wording import printable
from n8n_scraper.etl.channel import EtlChannel
from n8n_scraper.etl.client import EtlClient
from n8n_scraper.etl.etl_settings import EtlSettings
from n8n_scraper.etl.telling import CHANNEL, release_what_was_left
from n8n_scraper.ledger import workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.outbox import outbox
from n8n_scraper.outbox.message import Standings
from n8n_scraper.outbox.sending import Sender, send_all
from n8n_scraper.policies.run.progress import duration

_USAGE = "write: scrapy etl status [--json], or: scrapy etl send [--again] [--json]"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Do what was asked, and leave with the status that it gives."""
    try:
        given = EtlSettings.from_settings(settings)
    except BadInput as error:
        refuse(error)
    if opts.again and args != ["send"]:
        refuse("--again belongs to: scrapy etl send")
    match args:
        case ["status"]:
            with Asking(settings) as database:
                stands = _stands(database)
        case ["send"]:
            _check_in_use(given)
            with Asking(settings) as database:
                stands = _send(database, given, again=opts.again)
        case _:
            refuse(_USAGE)
    if opts.json:
        say(json.dumps({"server": given.place if given.in_use else None, **asdict(stands)}))
    else:
        say("\n".join(map(as_started, _lines(given, stands))))
    return ExitStatus.WORK_LEFT if stands.waiting or stands.given_up else ExitStatus.DONE


def _check_in_use(given: EtlSettings) -> None:
    if not given.in_use:
        refuse(
            "there is no server to tell: give its address in ETL_API_ENDPOINT and the key to it in "
            "ETL_API_KEY."
        )


def _stands(database: Database) -> Standings:
    return database.look(lambda session: outbox.standings(session, CHANNEL, workers.now(session)))


def _send(database: Database, given: EtlSettings, *, again: bool) -> Standings:
    client = EtlClient(given)
    try:
        database.do(release_what_was_left)
        if again:
            database.do(
                lambda session: outbox.send_again(
                    session, CHANNEL, workers.now(session), given.patience_seconds
                )
            )
        send_all(Sender(EtlChannel(client)), database)
    finally:
        client.close()
    return _stands(database)


def _lines(given: EtlSettings, stands: Standings) -> list[str]:
    where = given.place if given.in_use else "no server: ETL_API_ENDPOINT is empty"
    lines = [f"{where}: {stands.waiting} waiting, {stands.sent} sent, {stands.given_up} given up"]
    if stands.last_error:
        lines.append(f"the last that failed: {printable(stands.last_error)}")
    if stands.next_in_seconds:
        lines.append(
            f"sent again in {duration(stands.next_in_seconds)}, or `scrapy etl send --again`"
        )
    if stands.given_up or stands.next_in_seconds:
        lines.append("to send all of it now, also what was given up: scrapy etl send --again")
    return lines
