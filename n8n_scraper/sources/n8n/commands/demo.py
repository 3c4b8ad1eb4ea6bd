"""`scrapy demo`: the real spider at the real pace against a local stand-in of n8n.io."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import cast

from scrapy.settings import BaseSettings

from n8n_scraper.commands.how_many import how_many
from n8n_scraper.core.console import refuse, say
from n8n_scraper.core.old_names import OLD_NAMES
from n8n_scraper.core.project_folder import in_project
from n8n_scraper.core.started import as_started
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.source import SOURCE
from n8n_scraper.testing.stand_in import running_stand_in

_FOLDER = Path(in_project("data/demo"))


def run(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Start the stand-in, crawl it, and say where the results are."""
    if args:
        refuse("write: scrapy demo [--templates N]")
    templates = how_many("--templates", opts.templates, example=70)
    shutil.rmtree(_FOLDER, ignore_errors=True)  # what an earlier demo left would be counted too
    _FOLDER.mkdir(parents=True)
    with running_stand_in(templates, source=SOURCE.name) as stand_in:
        say(f"A stand-in of n8n.io with {templates} templates answers at {stand_in.url}")
        say("The real spider now crawls it at the real pace of 2 requests a second.\n")
        status = _crawl(stand_in.url)
        refused = stand_in.stats()["by_status"].get("429", 0)
    if status == 0:
        _show_results(refused)
    else:
        say("\nThis was no whole demo, and nothing goes on with it: the next one begins anew.")
    return status


def _crawl(url: str) -> int:
    """Run `scrapy crawl workflows` as a person would, in a process of its own."""
    site = {"N8N_SITE_URL": url.rstrip("/"), "N8N_API_URL": url.rstrip("/")}
    site |= {"TRANSCRIPTS": "off", "DOWNLOAD_PICTURES": "0"}  # nothing but the stand-in
    site |= {"RATE_LIMIT_RATE": "2.0", "RATE_LIMIT_BURST": "5", "RATE_LIMITS": "{}"}
    command = [sys.executable, "-m", "scrapy", "crawl", "workflows"]
    command += ["-O", str(_FOLDER / "templates.jsonl"), "-s", f"DATABASE_URL={_database_url()}"]
    ours = {name: value for name, value in os.environ.items() if name not in OLD_NAMES}
    crawl = subprocess.Popen(command, env={**ours, **site})  # noqa: S603 - our own command
    try:
        return crawl.wait()
    except KeyboardInterrupt:
        # The terminal has told the crawl as well; it finishes what it has begun.
        crawl.wait()
        return 128 + signal.SIGINT


def _database_url() -> str:
    return f"sqlite:///{_FOLDER}/n8n.db"


def _worse(template: Template) -> tuple[float, int]:
    """What to sort by so that the best comes first; of equals the oldest."""
    score = template.quality.score if template.quality else 0.0
    return -score, int(template.workflow_id)


def _show_results(refused: int) -> None:
    database = Database(_database_url())
    stored = database.do(lambda session: list(items.load_all(session, SOURCE)))
    database.close()
    best = sorted(cast("list[Template]", stored), key=_worse)[:3]
    say(f"\n{len(stored)} templates are stored; the site said 'too many requests' {refused} times.")
    say("The best of them:")
    for one in best:
        score = f"{one.quality.score:5.1f}" if one.quality else "  ?  "
        say(f"  {score}  {one.workflow_id:>6}  {one.title}  ({one.node_count} nodes)")
    say("\nThe results:")
    say(f"  {_FOLDER}/n8n.db            the tables workflows, scrape_runs, scrape_run_items, ...")
    say(f"  {_FOLDER}/templates.jsonl   the same templates as a feed, one a line")
    by_hand = as_started("scrapy crawl workflows -s JOBDIR=trial -a limit=50")
    say(f"\nThe real site: make crawl   (or: {by_hand})")
