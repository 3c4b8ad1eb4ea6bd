"""`scrapy sources`: real crawls of sites on this machine, each a process of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.sources.events.source import SOURCE as EVENTS
from n8n_scraper.sources.n8n.source import SOURCE as N8N
from n8n_scraper.testing.hostile_site import Says, hostile_site
from tests.crawling import PROJECT, Ran, child, rows, scrapy, wait_until
from tests.unit.rounds.test_round import is_alive

pytestmark = pytest.mark.full_speed


class Sites:
    """A sources file, a database, and the command that works with both."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.url = f"sqlite:///{folder}/archive.db"
        self.file = folder / "sources.toml"
        self.file.write_text("")

    def add(self, name: str, address: str, *lines: str, kind: str = EVENTS.name) -> None:
        entry = [f"[sources.{name}]", f'title = "{name}"', f'address = "{address}"']
        entry += [f'kind = "{kind}"', "rate = 100", 'schedule = "2h"', *lines, ""]
        entry += ['timezone = "Asia/Macau"', ""] if kind == EVENTS.name else []
        self.file.write_text(self.file.read_text() + "\n".join(entry))

    @property
    def environment(self) -> dict[str, str]:
        return {"DATABASE_URL": self.url, "SOURCES_FILE": str(self.file)}

    def run(self, *words: str) -> Ran:
        ran = scrapy("sources", *words, environment=self.environment)
        assert "Traceback" not in ran.err
        return ran

    def came(self, *words: str) -> dict[str, Any]:
        """What came of each site of a round, and its exit status."""
        ran = self.run("run", "--json", *words)
        told = json.loads(ran.out)
        assert told["exit_status"] == ran.status
        return {"status": ran.status, **{one["site"]: one for one in told["sites"]}}


@pytest.fixture
def sites(tmp_path: Path) -> Sites:
    return Sites(tmp_path)


@pytest.fixture
def silent() -> Iterator[str]:
    """A site that takes every connection, and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def page(*events: dict[str, Any]) -> Says:
    """A page that says its events to programs."""
    data = [{"@context": "https://schema.org", "@type": "Event"} | one for one in events]
    told = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    body = f"<html><body><h1>Events</h1>{told}</body></html>"
    return Says(body.encode(), headers={"Content-Type": "text/html; charset=utf-8"})


CONCERT = {"name": "A Concert", "startDate": "2027-01-05T20:00:00+08:00"}
PLAY = {"name": "A Play", "startDate": "2027-01-06T20:00:00+08:00", "description": "Of two acts"}


def test_a_round_crawls_all_sites_and_tells_what_came_of_each(sites, stand_in):
    # Given a site that gives what it must, two that give less, and one that is broken
    pages = {"/whole": page(CONCERT, PLAY), "/poor": page(CONCERT, PLAY)}
    with hostile_site(pages) as site:
        sites.add("whole", f"{site.url}/whole", "required = {title = 1.0, start = 1.0}")
        sites.add("poor", f"{site.url}/poor", "required = {title = 1.0, description = 0.9}")
        sites.add("few", stand_in.url, 'arguments = {limit = "2"}', "at_least = 3", kind=N8N.name)
        sites.add("broken", f"{site.url}/broken", "priority = 1")

        # When all are crawled
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("N8N_API_URL", stand_in.url.rstrip("/"))
            ran = sites.run("run", "--max-concurrent", "2", "--logs", str(sites.folder / "logs"))

    # Then the most urgent began first, and whoever failed left the others alone
    began, summary = ran.out.splitlines()[0], ran.out.splitlines()[-4:]
    assert began.startswith("broken: run ")
    assert summary[0].startswith("broken  failed    0 found, 0 new, 0 changed · ")
    assert "the list of events was not whole" in summary[0]
    assert summary[1].startswith("whole   good      2 found, 2 new, 0 changed · 100 % of what ")
    assert summary[2].startswith("poor    failed    2 found, 2 new, 0 changed · 75 % of what ")
    assert summary[2].endswith("description in 50 % of them, 90 % required")
    assert summary[3].startswith("few     failed    2 found, 2 new, 0 changed · ")
    assert summary[3].endswith("2 found, 3 expected at least")
    assert ran.status == ExitStatus.FAILURES

    # And what each crawl said is in a file of its own
    assert {one.name for one in (sites.folder / "logs").iterdir()} == {
        *("whole.log", "poor.log", "few.log", "broken.log"),
    }

    # And afterwards each is due in two hours, however it ended
    listed = json.loads(sites.run("list", "--json").out)
    assert {one["name"]: one["failures_in_a_row"] for one in listed} == {
        "broken": 1,
        "whole": 0,
        "poor": 1,
        "few": 1,
    }
    assert {one["came"] for one in sites.came("--due").values() if isinstance(one, dict)} == {
        "left out"
    }


def test_a_site_that_is_crawled_already_is_left_out_and_ctrl_c_ends_the_crawl(sites, silent):
    # Given a round under way
    sites.add("slow", silent, "timeouts = {http = 1}")
    command = [sys.executable, "-m", "scrapy", "sources", "run"]
    told = {**os.environ, **sites.environment}
    with child(command, cwd=PROJECT, env=told, stdout=subprocess.PIPE) as going:
        wait_until(lambda: workers(sites))

        # When another one begins, and names the site
        came = sites.came("--only", "slow")

        # Then it leaves it out
        assert came["slow"]["came"] == "left out"
        assert "is crawled already" in came["slow"]["why"]
        assert came["status"] == ExitStatus.DONE

        # And Ctrl-C ends the first one, with its crawl
        [worker] = workers(sites)
        going.send_signal(signal.SIGINT)
        out, _ = going.communicate(timeout=20)
        assert going.returncode == ExitStatus.WORK_LEFT
        assert "slow  stopped" in out.splitlines()[-1]
        assert not is_alive(worker)


def test_a_round_that_is_killed_leaves_no_crawl_behind(sites, silent):
    sites.add("slow", silent, "timeouts = {http = 1}")
    command = [sys.executable, "-m", "scrapy", "sources", "run"]
    told = {**os.environ, **sites.environment}
    with child(command, cwd=PROJECT, env=told) as going:
        wait_until(lambda: workers(sites))
        [worker] = workers(sites)
        assert is_alive(worker)

        going.kill()
        going.wait()

        wait_until(lambda: not is_alive(worker))

    # And nobody is held up by what it has begun
    [site] = json.loads(sites.run("list", "--json").out)
    assert site["under_way"] is None
    assert site["last"]["verdict"] == "nothing"


def workers(sites: Sites) -> list[int]:
    """The processes at work on runs in the database."""
    if not (sites.folder / "archive.db").exists():
        return []
    try:
        found = rows(sites.url, "SELECT worker FROM scrape_workers WHERE ended_at IS NULL")
    except Exception:  # noqa: BLE001 - there are no tables yet
        return []
    return [int(str(worker).split(":")[1]) for (worker,) in found]
