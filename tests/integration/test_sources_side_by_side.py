"""All sources at once in the hands of workers: each has a run, a pace and a progress of its own."""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from n8n_scraper.testing.redis import OwnRedis
from tests import toy
from tests.copying import copied, served
from tests.crawling import rows, wait_until
from tests.dispatching import works
from tests.server_side import Log, achieved, overdraft

pytest.importorskip("celery")
pytestmark = [pytest.mark.full_speed, pytest.mark.timeout(300), pytest.mark.further]

SIZES = {"n8n": 15, "hk_events": 30, toy.NAME: 25}
HOSTS = {"n8n": "127.0.0.1", "hk_events": "127.0.0.2", toy.NAME: "127.0.0.3"}
PACES = {"n8n": (8, 2), "hk_events": (0.5, 1), toy.NAME: (4, 2)}
ITEMS_WITH_DATA = "SELECT run_id, count(*) FROM scrape_run_items WHERE state = 'done' GROUP BY 1"


def test_three_sources_are_crawled_side_by_side_and_one_that_fails_leaves_the_others_alone(
    redis: OwnRedis, tmp_path: Path
) -> None:
    # Given three sites, each with a pace of its own, and a worker with a process for each
    url = f"sqlite:///{tmp_path}/a.db"
    tree = copied(tmp_path / "tree", *SIZES)
    paces = {HOSTS[one]: {"rate": rate, "burst": burst} for one, (rate, burst) in PACES.items()}
    with ExitStack() as others, ExitStack() as doomed:
        sites = {
            one: (doomed if one == toy.NAME else others).enter_context(
                served(tree, one, size, HOSTS[one])
            )
            for one, size in SIZES.items()
        }
        told = {
            "PARALLEL_SCRAPING": "1",
            "RATE_LIMITS": json.dumps(paces),
            "SCRAPING_CHUNK_SIZE": "50",
            "HK_EVENTS_URL": sites["hk_events"].url,
            "QUOTES_URL": sites[toy.NAME].url,
        }
        n8n = sites["n8n"]
        here = others.enter_context(
            works(url, redis, n8n, tmp_path, processes=3, tree=tree, **told)
        )
        here.start_worker()

        # When all are dispatched
        ran = here.dispatch("--all", "--wait")

        # Then each run ends well, and has told how far it was
        assert ran.status == 0, ran.err + here.log()
        ended = dict(rows(url, "SELECT source, status FROM scrape_runs"))
        assert ended == dict.fromkeys(SIZES, "finished")
        wait_until(lambda: {job["status"] for job in here.jobs().values()} == {"COMPLETE"})
        results = {run: str(number) for run, number in rows(url, ITEMS_WITH_DATA)}
        assert {run: job["result_count"] for run, job in here.jobs().items()} == results
        assert sorted(results.values()) == sorted(map(str, SIZES.values()))

        # And by what the sites saw, all were asked at the same time, each at its pace
        logs = {one: site.log() for one, site in sites.items()}
        assert max(begin(log) for log in logs.values()) < min(end(log) for log in logs.values())
        for one, log in logs.items():
            assert (
                overdraft(log, *PACES[one]) < 1
            )  # not one request too many, however late it comes
            assert achieved(log, *PACES[one]) >= 0.8

        # When one of them is gone, then its run fails, and the others do not
        doomed.close()
        ran = here.dispatch("--all", "--wait")
        assert ran.status == 7, ran.err + here.log()
        again = rows(url, "SELECT source, status FROM scrape_runs ORDER BY started_at")[3:]
        assert dict(again) == ended | {toy.NAME: "failed"}


def begin(log: Log) -> float:
    """When a site was asked first."""
    return float(log[0]["t"])


def end(log: Log) -> float:
    """When it was asked last."""
    return float(log[-1]["t"])
