"""`scrapy sessions list|close`: which remote browsers are open, and a word to end them."""

from __future__ import annotations

import argparse
import json

from scrapy.settings import BaseSettings

from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput, StoreError
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.crawl.sessions.account import Account
from n8n_scraper.crawl.sessions.browserbase_api import ProviderAway
from n8n_scraper.crawl.sessions.opening import account_of
from n8n_scraper.crawl.sessions.session_settings import SessionSettings
from n8n_scraper.crawl.sessions.standing import OpenSession, open_sessions
from n8n_scraper.ledger.database_settings import DatabaseSettings
from n8n_scraper.policies.run.progress import duration
from n8n_scraper.policies.sessions.book import Standing

_USAGE = "write: scrapy sessions list, or: scrapy sessions close, with an ID or --all if wanted"
_WORDS = {
    Standing.RESERVED: "about to be created",
    Standing.OPEN: "open",
    Standing.DOUBTFUL: "perhaps created",
    Standing.ENDING: "to be released",
}


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Do what was asked, and leave with the status that it gives."""
    try:
        told = SessionSettings.from_settings(settings)
        with account_of(told, DatabaseSettings.from_settings(settings)) as account:
            match args:
                case ["list"]:
                    return _list(account, as_json=opts.json)
                case ["close"]:
                    return _close_all(account) if opts.all else _close_lost(account)
                case ["close", name] if not opts.all:
                    return _close_one(account, name)
                case _:
                    raise BadInput(_USAGE)
    except BadInput as error:
        refuse(error)
    except ProviderAway as error:
        warn(f"Browserbase cannot be asked: {error}.")
        return ExitStatus.NOT_HEALTHY
    except StoreError as error:
        warn(error)
        return ExitStatus.STORE_LOST


def _list(account: Account, *, as_json: bool) -> int:
    found = open_sessions(account)
    if as_json:
        say(json.dumps({"sessions": [one.told for one in found]}))
        return ExitStatus.DONE
    for one in found:
        say(_line(one))
    if not found:
        say("No remote browser is open.")
    return ExitStatus.DONE


def _close_lost(account: Account) -> int:
    for remote in account.reconcile():
        say(f"{remote} is released: nobody had it any more.")
    left = [one for one in open_sessions(account) if not one.is_used]
    if left:
        say(f"{len(left)} may have been created; look again in half a minute.")
        return ExitStatus.WORK_LEFT
    say("Nothing is open that nobody uses.")
    return ExitStatus.DONE


def _close_all(account: Account) -> int:
    for remote in account.reconcile():
        say(f"{remote} is released: nobody had it any more.")
    for one in open_sessions(account):
        if one.remote:
            account.end(one.remote)
            say(f"{one.remote} is released.")
    return ExitStatus.DONE


def _close_one(account: Account, name: str) -> int:
    known = next((one for one in open_sessions(account) if name in (one.remote, one.lease)), None)
    if known is None or not known.remote:
        raise BadInput(f"there is no open session {name!r}; `scrapy sessions list` names them.")
    account.end(known.remote)
    say(f"{known.remote} is released.")
    return ExitStatus.DONE


def _line(one: OpenSession) -> str:
    words = [_WORDS[one.standing] if one.standing else "in no book"]
    if one.uptime is not None:
        words.append(f"for {duration(one.uptime)}")
    if one.lease:
        words.append(f"{one.items} pages, {one.errors} errors, {one.load} under way")
        words.append(f"process {one.process}" if one.is_used else "its process is gone")
    return f"{one.remote or one.lease}  {', '.join(words)}"
