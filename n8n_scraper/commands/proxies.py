"""`scrapy proxies list|check|rotator`: which proxies there are, and how they do."""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
from dataclasses import asdict

from scrapy.settings import BaseSettings

from n8n_scraper.core.console import refuse, say, warn
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.crawl.proxy_check import Trial, try_proxies
from n8n_scraper.crawl.proxy_health import ProxyHealth, read_health
from n8n_scraper.crawl.proxy_settings import ProxySettings
from n8n_scraper.policies.proxies.fault import WORDS, Fault
from n8n_scraper.policies.proxies.mubeng import mubeng_command
from n8n_scraper.policies.run.progress import duration

_USAGE = "write: scrapy proxies list, scrapy proxies check, or scrapy proxies rotator"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Do what was asked, and leave with the status that it gives."""
    try:
        given = ProxySettings.from_settings(settings)
        match args:
            case ["list"]:
                return _list(given, as_json=opts.json)
            case ["check"]:
                return _check(given, as_json=opts.json)
            case ["rotator"]:
                return _rotator(given, as_json=opts.json)
            case _:
                refuse(_USAGE)
    except BadInput as error:
        refuse(error)


def _list(given: ProxySettings, *, as_json: bool) -> int:
    """Show every proxy, with what the newest crawl has noted of it."""
    proxies = given.pool() if given.in_use else ()
    if not proxies and not as_json:
        say("PROXIES is empty: requests go to their sites directly.")
        return ExitStatus.DONE
    note = read_health(given.health_file)
    known = {one.name: one for one in note.proxies} if note else {}
    if as_json:
        found = [_as_json(proxy.name, known.get(proxy.name)) for proxy in proxies]
        say(json.dumps({"noted_at": note.at if note else None, "proxies": found}))
    else:
        for proxy in proxies:
            say(_line(proxy.name, known.get(proxy.name)))
        say(f"as of {note.at}" if note else "No crawl has gone through proxies yet.")
    return _judged(given, len(proxies))


def _check(given: ProxySettings, *, as_json: bool) -> int:
    """Fetch our own page through each proxy, now."""
    if not given.in_use:
        raise BadInput("PROXIES is empty: name a file, or write proxies with commas between them.")
    if not given.canary_url:
        raise BadInput(
            "PROXY_CANARY_URL is empty: name an https page of your own by which a proxy is tried."
        )
    tried = asyncio.run(try_proxies(given.pool(), given.canary_url, verified=given.verified))
    if as_json:
        say(json.dumps({"proxies": [_trial_as_json(one) for one in tried]}))
    else:
        for one in sorted(tried, key=lambda one: (one.fault is not None, one.seconds)):
            say(f"{one.proxy.name}  {_came_of(one)}")
    if given.rotator and tried[0].fault is Fault.FOREIGN:
        warn(
            "the rotator opens the TLS of what it carries, as mubeng does: nothing proves what a "
            "site says then. DOWNLOAD_VERIFY_CERTIFICATES=False accepts that."
        )
    return _judged(given, sum(one.fault is None for one in tried))


def _rotator(given: ProxySettings, *, as_json: bool) -> int:
    """Write down the command that starts mubeng for these settings."""
    if given.rotator is None or not given.file:
        raise BadInput(
            "name the rotator's address in PROXY_ROTATOR_URL, such as http://127.0.0.1:8089, "
            "and the file of its proxies in PROXIES."
        )
    command = mubeng_command(given.rotator, given.file, given.read_file())
    say(json.dumps(command) if as_json else f"{shlex.join(command)} < /dev/null")
    return ExitStatus.DONE


def _judged(given: ProxySettings, good: int) -> int:
    """Tell whether a crawl would have enough of them."""
    least = (1 if given.rotator else given.least) if given.in_use else 0
    if good >= least:
        return ExitStatus.DONE
    what = "the rotator cannot be used" if given.rotator else f"{good} proxies can be used"
    warn(what + ("." if given.rotator else f", fewer than MIN_PROXIES ({least}): renew the list."))
    return ExitStatus.FAILURES


def _line(name: str, health: ProxyHealth | None) -> str:
    if health is None:
        return f"{name}  not used yet"
    words = [f"{health.requests} requests", f"{health.worked} answered", f"{health.failed} failed"]
    if health.fault:
        words.append(f"last: {WORDS.get(health.fault, health.fault)}")
    if health.rests_for_seconds:
        words.append(f"rested for {duration(health.rests_for_seconds)} more")
    return f"{name}  {', '.join(words)}"


def _as_json(name: str, health: ProxyHealth | None) -> dict[str, object]:
    return {"name": name} | (asdict(health) if health else {})


def _came_of(trial: Trial) -> str:
    return f"works, {trial.seconds:.1f} s" if trial.fault is None else trial.fault.words


def _trial_as_json(trial: Trial) -> dict[str, object]:
    return {
        "name": trial.proxy.name,
        "works": trial.fault is None,
        "fault": trial.fault,
        "seconds": round(trial.seconds, 3),
    }
