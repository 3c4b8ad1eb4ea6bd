"""A run that a program has created over HTTP, worked on by processes as they are."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.testing.redis import OwnRedis
from tests.crawling import crawl, scrapy, site, stored
from tests.dispatching import works
from tests.serving import BEARER, WITH_TOKEN, Served, served

if TYPE_CHECKING:
    from n8n_scraper.sources.n8n.replica.running import RunningStandIn


@contextmanager
def api_at(url: str, stand_in: "RunningStandIn") -> Iterator[Served]:
    """Serve an archive of a stand-in, as `scrapy serve` with these settings would."""
    with served(url, replace(WITH_TOKEN, told=site(stand_in))) as server:
        yield server


def create(server: Served, stand_in: "RunningStandIn", *ids: str) -> str:
    """Create a run with these templates."""
    base = stand_in.url.rstrip("/")
    items = [{"url": f"{base}/workflows/{one}/"} for one in ids]
    domain = base.partition("://")[2]
    answer = server.ask(
        "POST", "/api/scrape-runs", json={"domain": domain, "items": items}, headers=BEARER
    )
    assert answer.status_code == 201, answer.text
    return str(answer.json()["_id"])


def told(server: Served, run_id: str) -> Any:
    """Read what the API tells of a run."""
    return server.get(f"/api/scrape-runs/{run_id}").json()


def report(server: Served, run_id: str, item: str) -> int:
    """Say that an item is done."""
    body = {"updateItem": {"item": item, "done": True}}
    path = f"/api/scrape-runs/{run_id}"
    return server.ask("PATCH", path, json=body, headers=BEARER).status_code


def test_a_crawl_works_on_what_is_left_of_a_run_that_a_program_created(
    stand_in: "RunningStandIn", tmp_path: Path
) -> None:
    # Given a run of three templates, one of which the program has done itself
    url = f"sqlite:///{tmp_path}/archive.db"
    ids = [str(one) for one in stand_in.ids[:3]]
    with api_at(url, stand_in) as server:
        run_id = create(server, stand_in, *ids)
        assert report(server, run_id, ids[0]) == 200

        # When a crawl works on it
        ran = crawl(stand_in, url, "-a", f"run={run_id}")

        # Then it has brought the others, and the run is over for all who ask
        assert ran.status == ExitStatus.DONE, ran.err
        run = told(server, run_id)
    assert (run["status"], run["statistics"]["completed"]) == ("completed", 3)
    assert sorted(stored(url)) == sorted(ids[1:])
    assert [one["url"] for one in run["items"]] == [
        f"{stand_in.url.rstrip('/')}/workflows/{one}/" for one in ids
    ]


def test_a_run_that_only_others_work_on_is_refused_to_a_crawl(
    stand_in: "RunningStandIn", tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/archive.db"
    with api_at(url, stand_in) as server:
        body = {"domain": "shop.example", "workedBy": "orchestrator"}
        run = server.ask("POST", "/api/scrape-runs", json=body, headers=BEARER).json()

    ran = crawl(stand_in, url, "-a", f"run={run['_id']}")
    shown = scrapy("status", environment={"DATABASE_URL": url})

    assert ran.status == ExitStatus.BAD_INPUT
    assert "is of shop.example, which no source here knows how to ask" in ran.err
    assert shown.status == ExitStatus.DONE
    assert "the program that reports on it goes on with it" in shown.out


@pytest.mark.further
@pytest.mark.full_speed
def test_dispatched_workers_work_on_a_run_that_a_program_created(
    stand_in: "RunningStandIn", redis: OwnRedis, tmp_path: Path
) -> None:
    pytest.importorskip("celery")
    # Given a run of a few templates
    url = f"sqlite:///{tmp_path}/archive.db"
    ids = [str(one) for one in stand_in.ids[:4]]
    with api_at(url, stand_in) as server, works(url, redis, stand_in, tmp_path) as them:
        run_id = create(server, stand_in, *ids)

        # When it is handed out
        them.start_worker()
        ran = them.dispatch("workflows", "-a", f"run={run_id}", "--wait")

        # Then it is brought to its end
        assert ran.status == ExitStatus.DONE, ran.err
        assert told(server, run_id)["status"] == "completed"
    assert sorted(stored(url)) == sorted(ids)
