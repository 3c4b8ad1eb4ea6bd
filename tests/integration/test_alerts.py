"""Real crawls and the command for cron tell a service when something is wrong."""

import json
import signal
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import crawl, rows, scrapy, started, wait_until
from tests.webhook import SECRET, Webhook

pytestmark = pytest.mark.full_speed


def test_a_crawl_that_was_killed_is_told_by_cron_and_its_end_by_the_one_that_goes_on(
    tmp_path: Path,
) -> None:
    pytest.importorskip("apprise")
    url, state = f"sqlite:///{tmp_path}/a.db", ("-s", f"JOBDIR={tmp_path}/state")
    with running_stand_in(templates=12, latency_ms=30) as stand_in, Webhook().running() as hook:
        told = {"ALERT_URLS": hook.url, "ALERT_STALE_AFTER": "0"}
        # Given a crawl that is killed in the middle
        with started(stand_in, url, *state, **told) as process:
            wait_until(lambda: stand_in.stats()["requests"] > 10)
            process.send_signal(signal.SIGKILL)
            process.wait()
        run_id = rows(url, "SELECT run_id FROM scrape_runs")[0][0]

        # When something looks again and again
        looks = [
            scrapy("alerts", "check", environment={"DATABASE_URL": url, **told}) for _ in range(2)
        ]

        # Then it is told once
        assert [look.status for look in looks] == [10, 10]
        assert f"run_stale:{run_id}" in looks[1].out
        assert hook.titles == [f"run_stale:{run_id}"]

        # And when the same command has gone on, that is told as well
        ran = crawl(stand_in, url, *state, **told)
        assert ran.status == 0, ran.err
        assert hook.titles == [f"run_stale:{run_id}", f"run_stale:{run_id} is well again"]
        listed = scrapy("alerts", "list", "--json", environment={"DATABASE_URL": url, **told})
        assert [(one["firing"], one["times"]) for one in json.loads(listed.out)] == [(False, 1)]
        assert SECRET not in ran.err + listed.out + "".join(look.out for look in looks)


def test_a_crawl_whose_items_cannot_be_had_tells_so_itself(tmp_path: Path) -> None:
    pytest.importorskip("apprise")
    url, faults = f"sqlite:///{tmp_path}/a.db", [{"kind": "500", "path": "^/api/|^/workflows/"}]
    once = json.dumps({"server_error": {"attempts": 1}})
    with running_stand_in(templates=24, faults=faults) as stand_in, Webhook().running() as hook:
        ran = crawl(
            stand_in, url, ALERT_URLS=hook.url, RETRY_RULES=once, CIRCUIT_BREAKER_FAILURES="1000"
        )

        assert ran.status == 3, ran.err
        assert "error_rate:n8n" in hook.titles
        assert "24 of 24 templates could not be had (100.0 %" in str(hook.heard)
        assert "nothing:n8n" in hook.titles


def test_a_test_tells_of_each_address_whether_it_works(tmp_path: Path) -> None:
    pytest.importorskip("apprise")
    with Webhook().running() as hook:
        good = scrapy("alerts", "test", environment={"ALERT_URLS": hook.url})
        both = scrapy(
            *("alerts", "test", "--json"),
            environment={"ALERT_URLS": f"{hook.url} json://127.0.0.1:1/{SECRET}"},
        )

    assert (good.status, hook.titles) == (0, ["a test", "a test"])
    assert "taken" in good.out
    assert both.status == 10
    assert [one["taken"] for one in json.loads(both.out)] == [True, False]
    assert SECRET not in good.out + both.out + both.err


@pytest.mark.parametrize(
    ("words", "given", "line"),
    [
        (("test",), {}, "ALERT_URLS is empty"),
        (("check",), {"ALERT_URLS": "secret"}, "number 1 is no address"),
        (("nonsense",), {}, "write: scrapy alerts"),
        (("check",), {"ALERT_COVERAGE": "[1]"}, "ALERT_COVERAGE"),
    ],
)
def test_what_makes_no_sense_costs_one_line(
    tmp_path: Path, words: tuple[str, ...], given: dict[str, str], line: str
) -> None:
    ran = scrapy(
        "alerts", *words, environment={"DATABASE_URL": f"sqlite:///{tmp_path}/a.db", **given}
    )

    assert ran.status == 2
    assert line in ran.err
    assert len(ran.err.strip().splitlines()) == 1


def test_without_an_address_what_is_wrong_is_shown_and_nobody_told(
    stand_in: RunningStandIn, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    crawl(stand_in, url, "-a", "limit=1")
    bars = {"ALERT_COVERAGE": '{"n8n": {"purchase_url": 1}}', "DATABASE_URL": url}

    wrong = scrapy("alerts", "check", environment=bars)
    well = scrapy("alerts", "check", "--json", environment={"DATABASE_URL": url})

    assert wrong.status == 10
    assert "ALERT_URLS is empty: nobody is told." in wrong.out
    assert (well.status, json.loads(well.out)) == (0, {"wrong": [], "unsent": []})
    assert rows(url, "SELECT count(*) FROM outbox") == [(0,)]
