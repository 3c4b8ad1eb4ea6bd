"""A real scrapyd: deploy the egg, list it, run it, look at what it stored."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.postgres import free_port
from tests.crawling import child, rows, site, wait_until
from tests.integration.test_for_scraper_engineers import checkout_copy

pytestmark = pytest.mark.full_speed

SCRIPTS = Path(sys.executable).parent


def ask(url: str, **values: str) -> dict:
    data = urllib.parse.urlencode(values).encode() if values else None
    with urllib.request.urlopen(url, data, timeout=10) as answer:
        return json.load(answer)


@pytest.fixture
def scrapyd(stand_in: RunningStandIn, tmp_path: Path) -> Iterator[str]:
    """Run a scrapyd in an empty folder; its crawls ask the stand-in."""
    port = free_port()
    (tmp_path / "scrapyd.conf").write_text(
        f"[scrapyd]\nhttp_port = {port}\npoll_interval = 0.2\nbind_address = 127.0.0.1\n"
    )
    environment = {**os.environ, **site(stand_in), "DATABASE_URL": f"sqlite:///{tmp_path}/a.db"}
    log = (tmp_path / "scrapyd.log").open("w")
    with log, child([SCRIPTS / "scrapyd"], cwd=tmp_path, env=environment, stdout=log, stderr=log):
        url = f"http://127.0.0.1:{port}"
        wait_until(lambda: answers(url))
        yield url


def answers(url: str) -> bool:
    try:
        return ask(f"{url}/daemonstatus.json")["status"] == "ok"
    except OSError:
        return False


def test_a_real_scrapyd_lists_and_runs_what_is_deployed(scrapyd: str, tmp_path: Path) -> None:
    # Given the project as somebody has checked it out
    project = checkout_copy(tmp_path)
    shutil.copy(Path(__file__).parents[2] / "scrapy.cfg", project)
    target = (project / "scrapy.cfg").read_text().replace("http://127.0.0.1:6800", scrapyd)
    (project / "scrapy.cfg").write_text(target)

    # When it is deployed and a crawl is scheduled, as the how-to says
    deployed = subprocess.run(
        [SCRIPTS / "scrapyd-deploy", "local"],
        cwd=project, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert '"status": "ok"' in deployed.stdout, deployed.stdout + deployed.stderr
    listed = ask(f"{scrapyd}/listspiders.json?project=n8n_scraper")
    job = ask(
        f"{scrapyd}/schedule.json", project="n8n_scraper", spider="workflows", limit="3",
        setting=f"JOBDIR={tmp_path}/state",
    )  # fmt: skip

    # Then it runs to its end and stores what it was to store
    assert listed["spiders"] == ["events", "hk_events", "workflows"]
    assert job["status"] == "ok"
    wait_until(lambda: finished(scrapyd), seconds=60)
    assert rows(f"sqlite:///{tmp_path}/a.db", "SELECT count(*) FROM workflows") == [(3,)]
    assert rows(f"sqlite:///{tmp_path}/a.db", "SELECT status FROM scrape_runs") == [("finished",)]


def finished(url: str) -> bool:
    time.sleep(0.1)  # scrapyd is another process, and looks for jobs five times a second
    return bool(ask(f"{url}/listjobs.json?project=n8n_scraper")["finished"])
