"""`scrapy alerts check|list|test`: is something wrong, who is told of it, and does that work."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from scrapy.settings import BaseSettings

from n8n_scraper.alerts.channel import AlertChannel, notify
from n8n_scraper.alerts.checking import fields_with_bars, note_what_is_wrong, what_is_wrong
from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.shared_pace import domains_in_redis
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.errors import BadInput, NoArchive
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.core.wording import printable
from n8n_scraper.ledger import workers
from n8n_scraper.ledger.database import Database
from n8n_scraper.outbox import outbox
from n8n_scraper.outbox.alert_book import Alert, alerts
from n8n_scraper.outbox.message import MESSAGES
from n8n_scraper.outbox.sending import Sender, send_all
from n8n_scraper.policies.alerts.alert_settings import Address, AlertSettings
from n8n_scraper.policies.alerts.figures import Watched
from n8n_scraper.policies.alerts.rules import Finding
from n8n_scraper.policies.outbox.delivery import Came
from n8n_scraper.reports.watch import watch

_USAGE = "write: scrapy alerts check, list or test [--json]"
_TRIAL = {
    "kind": "info",
    "title": "n8n-scraper: a test",
    "body": "If you can read this, alerts reach you.",
}


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Do what was asked, and leave with the status that it gives."""
    try:
        given = AlertSettings.from_settings(settings)
        given.check()
        match args:
            case ["check"]:
                return _check(settings, given, as_json=opts.json)
            case ["list"]:
                return _list(settings, as_json=opts.json)
            case ["test"]:
                return _test(given, as_json=opts.json)
            case _:
                refuse(_USAGE)
    except BadInput as error:
        refuse(error)


def _check(settings: BaseSettings, given: AlertSettings, *, as_json: bool) -> int:
    """Look now, and tell what is new."""
    elsewhere = domains_in_redis(settings)
    with Asking(settings) as database:
        seen = watch(database, fields=fields_with_bars(given), elsewhere=elsewhere)
        found = what_is_wrong(seen, given)
        unsent = _tell(database, seen, given) if given.in_use else []
    if as_json:
        say(json.dumps({"wrong": list(map(_finding_as_json, found)), "unsent": unsent}))
    else:
        for finding in found:
            say(printable(f"{finding.key}: {finding.words}"))
        for line in unsent:
            say(f"not told yet: {line}")
        if not found:
            say("Nothing is wrong.")
        elif not given.in_use:
            say("ALERT_URLS is empty: nobody is told.")
    return ExitStatus.NOT_HEALTHY if found or unsent else ExitStatus.DONE


def _tell(database: Database, seen: Watched, given: AlertSettings) -> list[str]:
    """Write the messages and send them; say what of them is still to be sent."""
    database.do(lambda session: note_what_is_wrong(session, seen, given))
    return list(filter(None, (_send(database, address) for address in given.addresses)))


def _send(database: Database, address: Address) -> str | None:
    channel = AlertChannel(address)
    send_all(Sender(channel), database)
    stands = database.look(
        lambda session: outbox.standings(session, channel.name, workers.now(session))
    )
    if not stands.waiting:
        return None
    return f"{address}, {MESSAGES.so_many(stands.waiting)} ({stands.last_error})"


def _list(settings: BaseSettings, *, as_json: bool) -> int:
    """Show what fires and what has fired."""
    found: Sequence[Alert] = ()
    with Asking(settings) as database, suppress(NoArchive):
        found = database.look(alerts)
    if as_json:
        say(json.dumps(list(map(_alert_as_json, found))))
        return ExitStatus.DONE
    for alert in found:
        say(_line(alert))
    if not found:
        say("Nothing has been wrong as long as it was looked at.")
    return ExitStatus.DONE


def _test(given: AlertSettings, *, as_json: bool) -> int:
    """Send a message to each address, here and now."""
    if not given.in_use:
        raise BadInput(
            "ALERT_URLS is empty: give the address of a service that Apprise knows, such as "
            "mailto://…, slack://… or json://…"
        )
    came = {address: notify(address, _TRIAL) for address in given.addresses}
    taken = {address: delivery.came is Came.TAKEN for address, delivery in came.items()}
    if as_json:
        say(
            json.dumps(
                [{"address": str(one), "taken": is_taken} for one, is_taken in taken.items()]
            )
        )
    else:
        for address, delivery in came.items():
            say(f"{address}: taken" if taken[address] else delivery.reason)
    return ExitStatus.DONE if all(taken.values()) else ExitStatus.NOT_HEALTHY


def _line(alert: Alert) -> str:
    state = alert.state
    how = "fires" if state.is_told else "is wrong, not told yet,"
    stands = f"{how} since" if state.firing else "well since"
    times = f", {state.times} times so far" if state.times > 1 else ""
    return printable(f"{alert.key}  {stands} {_moment(state.since)}{times}: {alert.words}")


def _finding_as_json(finding: Finding) -> dict[str, Any]:
    return {"key": finding.key, "rule": str(finding.rule), "words": finding.words}


def _alert_as_json(alert: Alert) -> dict[str, Any]:
    state = alert.state
    return {
        "key": alert.key,
        "words": alert.words,
        "firing": state.firing,
        "told": state.is_told,
        "since": _moment(state.since),
        "told_at": None if state.told_at is None else _moment(state.told_at),
        "times": state.times,
    }


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
