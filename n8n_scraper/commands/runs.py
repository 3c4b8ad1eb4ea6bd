"""`scrapy runs list|show|items|retry-failed`: what every crawl did, for people and machines."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import replace
from typing import Any

from scrapy.settings import BaseSettings

from n8n_scraper.commands.asking import Asking
from n8n_scraper.commands.how_many import how_many
from n8n_scraper.commands.words import item_line, run_lines, run_row, worker_line
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.environment import database_by_hand
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.started import as_started
from n8n_scraper.ledger.ledger import State
from n8n_scraper.ledger.retrying import retry_failed
from n8n_scraper.policies.run.progress import duration
from n8n_scraper.reports.items import Ended, ItemReport, RunDetails, items, run_details
from n8n_scraper.reports.runs import run_id_of, run_report, run_reports
from n8n_scraper.sources import source_of

_USAGE = "write: scrapy runs list, show RUN, items RUN, or retry-failed RUN"


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> None:
    """Do what was asked."""
    if args[:1] != ["items"] and (opts.state or opts.outcome or opts.limit):
        refuse("--state, --outcome and --limit belong to: scrapy runs items RUN")
    try:
        source = source_of(opts.source).name if opts.source else None
        match args:
            case ["list"]:
                _list(settings, source, as_json=opts.json)
            case ["show", name]:
                _show(settings, name, source, as_json=opts.json)
            case ["items", name]:
                _items(settings, name, source, opts)
            case ["retry-failed", name]:
                _retry_failed(settings, name, source, as_json=opts.json)
            case _:
                refuse(_USAGE)
    except BadInput as error:
        refuse(error)
    except BrokenPipeError:
        # Whoever read us has seen enough; nothing may be left to be flushed at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _list(settings: BaseSettings, source: str | None, *, as_json: bool) -> None:
    by_hand = database_by_hand(settings)
    with Asking(settings) as database:
        found = [run.asked_in(by_hand) for run in run_reports(database, source=source)]
    if as_json:
        say(json.dumps([run.as_json() for run in found], ensure_ascii=False))
        return
    for run in found:
        say(run_row(run))
    if not found:
        say("No run is in this database yet.")


def _show(settings: BaseSettings, name: str, source: str | None, *, as_json: bool) -> None:
    with Asking(settings) as database:
        details = run_details(database, run_id_of(database, name, source))
    details = replace(details, run=details.run.asked_in(database_by_hand(settings)))
    if as_json:
        say(json.dumps(details.as_json(), ensure_ascii=False))
        return
    say("\n".join([*map(as_started, run_lines(details.run)), *_details(details)]))


def _details(details: RunDetails) -> list[str]:
    run = details.run
    lines = _section("Arguments", [f"{name}: {value}" for name, value in run.arguments.items()])
    lines += _section("Settings", [f"{name}: {value}" for name, value in details.settings.items()])
    lines += _section("Versions", [f"{name}: {value}" for name, value in details.versions.items()])
    lines += _section("Workers", list(map(worker_line, run.workers)))
    lines += _section("Outcomes", [_ended(one) for one in details.by_category])
    slowest = [f"{one.item_id:>7}  {duration(one.duration)}" for one in details.slowest]
    lines += _section("Slowest", slowest)
    failures = [item_line(one) for one in details.failures]
    if details.failed > len(failures):
        more = details.failed - len(failures)
        command = as_started(f"scrapy runs items {run.run_id} --state failed")
        failures.append(f"and {more} more: {command}")
    return lines + _section(f"Not had in full ({details.failed})", failures)


def _section(title: str, lines: list[str]) -> list[str]:
    return ["", title, *(f"  {line}" for line in lines)] if lines else []


def _ended(kind: Ended) -> str:
    why = f", {kind.category}" if kind.category else ""
    return f"{kind.number:>7}  {kind.outcome}{why}"


def _items(settings: BaseSettings, name: str, source: str | None, opts: argparse.Namespace) -> None:
    state = _one_of("--state", opts.state, list(State))
    outcome = _one_of("--outcome", opts.outcome, list(Outcome))
    limit = how_many("--limit", opts.limit, example=20)
    form = _json_line if opts.json else item_line
    with Asking(settings) as database:
        run_id = run_id_of(database, name, source)
        for page in items(database, run_id, state, outcome, limit):
            say("\n".join(map(form, page)))


def _json_line(item: ItemReport) -> str:
    return json.dumps(item.as_json(), ensure_ascii=False)


def _one_of(option: str, word: str | None, known: list[Any]) -> str | None:
    if word is not None and word not in known:
        refuse(f"{option} {word}: write one of {', '.join(map(str, known))}.")
    return word


def _retry_failed(settings: BaseSettings, name: str, source: str | None, *, as_json: bool) -> None:
    with Asking(settings) as database:
        run_id = run_id_of(database, name, source)
        retried = database.do(lambda session: retry_failed(session, run_id))
        run = run_report(database, retried.run_id).asked_in(database_by_hand(settings))
    if as_json:
        say(json.dumps(run.as_json() | {"retried": retried.number}, ensure_ascii=False))
    elif retried.number:
        again = f"{run.noun.so_many(retried.number)} of run {run.run_id} pending again"
        say(as_started(f"{again}; {run.going_on.with_what_is_left()}"))
    else:
        say(f"Nothing of run {run.run_id} failed: there is nothing to try again.")
