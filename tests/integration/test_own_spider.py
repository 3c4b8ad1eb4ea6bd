"""A second spider in the project: its items, its exit status, its JOBDIR, and our pace."""

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import PROJECT, child, scrapy, site, wait_until
from tests.server_side import overdraft

SPIDERS = ("-s", "SPIDER_MODULES=n8n_scraper.spiders,tests.integration.own_spider")
COMMAND = ("crawl", "titles", *SPIDERS)


@pytest.fixture
def at_home(tmp_path: Path) -> dict[str, str]:
    """A database that must not come into being."""
    return {"DATABASE_URL": f"sqlite:///{tmp_path}/none.db"}


def items(feed: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in feed.read_text().splitlines()]


def test_it_gives_its_own_items_and_ends_with_0_at_our_pace(
    tmp_path: Path, at_home: dict[str, str]
) -> None:
    with running_stand_in(templates=20) as stand_in:
        ran = scrapy(
            *(*COMMAND, "-O", f"{tmp_path}/titles.jsonl"),
            environment={**site(stand_in), **at_home, "RATE_LIMIT_RATE": "20"},
        )
        log = stand_in.log()

    assert ran.status == 0, ran.err
    assert "The spider finished." in ran.err
    assert len({item["url"] for item in items(tmp_path / "titles.jsonl")}) == 20
    assert overdraft(log, 20, 5) < 1
    assert not (tmp_path / "none.db").exists()


def test_its_own_error_ends_with_3_and_its_own_words(
    stand_in: RunningStandIn, at_home: dict[str, str]
) -> None:
    ran = scrapy(
        *(*COMMAND, "-a", f"broken=/workflows/{stand_in.ids[3]}-"),
        environment={**site(stand_in), **at_home},
    )

    assert ran.status == 3, ran.err
    assert "The spider finished, but not all is well: see the log for one error." in ran.err


def test_a_page_that_could_not_be_had_is_no_success(at_home: dict[str, str]) -> None:
    nowhere = {"N8N_SITE_URL": "http://127.0.0.1:9", "N8N_API_URL": "http://127.0.0.1:9"}
    once = {"RETRY_RULES": '{"network": {"attempts": 1}}', "LOG_LEVEL": "INFO"}

    ran = scrapy(*COMMAND, environment={**at_home, **nowhere, **once})

    assert ran.status == 3, ran.err
    assert "Error downloading <GET http://127.0.0.1:9/sitemap-workflows.xml>" in ran.err
    assert "Traceback" not in ran.err


def test_after_a_stop_the_same_command_goes_on_in_scrapys_own_way(
    tmp_path: Path, at_home: dict[str, str]
) -> None:
    resumable = (*COMMAND, "-s", f"JOBDIR={tmp_path}/state", "-o", f"{tmp_path}/titles.jsonl")
    with running_stand_in(templates=40, latency_ms=30) as stand_in:
        environment = {**site(stand_in), **at_home, "RATE_LIMIT_RATE": "40"}

        # Given a spider that was stopped in the middle
        with child(
            [sys.executable, "-m", "scrapy", *resumable],
            cwd=PROJECT,
            env={**os.environ, **environment},
            stderr=subprocess.PIPE,
        ) as stopped:
            wait_until(lambda: stand_in.stats()["requests"] > 10)
            stopped.send_signal(signal.SIGINT)
            said = stopped.communicate(timeout=30)[1]

        # When the same command is run again
        ran = scrapy(*resumable, environment=environment)
        pages = Counter(one["path"] for one in stand_in.log() if "/workflows/" in one["path"])

    # Then every page was asked for once, and has its item
    assert stopped.returncode == 4, said
    assert "Stopped. Run the same command again to go on." in said
    assert ran.status == 0, ran.err
    assert len(pages) == 40
    assert set(pages.values()) == {1}
    assert len({item["url"] for item in items(tmp_path / "titles.jsonl")}) == 40
