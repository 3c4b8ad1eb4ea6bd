"""How politely a crawl behaves, by the site's own log."""

import re
import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import rows, scrapy
from tests.politeness import (
    ARCHIVE,
    TRANSIENT,
    WITH_MOMENTS,
    category_is_right,
    crawl_judged,
    templates_with_faults,
    warm_up,
)
from tests.server_side import overdraft, statuses, usual_gap

pytestmark = pytest.mark.full_speed
READ_AS_USUAL = {"COMPUTE_PROCESS_AFTER": "0.1"}
"""For answers that cannot be read: in a process beside the crawl, as they are where nobody says."""


@pytest.fixture(autouse=True)
def archive(tmp_path: Path, tables_of_sqlite: Path) -> None:
    """The archive of a crawl that is judged, with its tables: making them takes a fifth of it."""
    shutil.copy(tables_of_sqlite, tmp_path / ARCHIVE)


@pytest.mark.timed
def test_the_pace_is_exactly_what_is_allowed(tmp_path: Path) -> None:
    with running_stand_in(templates=10) as stand_in:
        warm_up(stand_in)

        # What a crawl does wrong it does each time; a busy machine holds its first request up once
        for folder in (tmp_path, tmp_path / "again", tmp_path / "and again"):
            folder.mkdir(exist_ok=True)  # with a bucket of its own, which is full
            stand_in.reset()
            judged = crawl_judged(stand_in, folder, RATE_LIMIT_RATE=10)
            if overdraft(judged.log, 10, 5) <= 0.05:
                break

    assert judged.ran.status == 0, judged.ran.err
    assert len(judged.log) == 3 + 3 * 10
    assert overdraft(judged.log, 10, 5) <= 0.05
    assert usual_gap(judged.log) == pytest.approx(1 / 10, rel=0.05)


@pytest.mark.timed
def test_a_restart_does_not_refill_the_bucket(tmp_path: Path) -> None:
    # Given a crawl that has emptied the bucket
    with running_stand_in(templates=3) as stand_in:
        crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=4)
        # When another one starts right after it
        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=4)

    # Then the site sees one crawl that kept its pace
    assert len(judged.log) == 24
    assert overdraft(judged.log, 4, 5) < 1


@pytest.mark.timed
def test_a_limit_that_nobody_told_us_is_met_without_a_request_inside_its_windows(
    tmp_path: Path,
) -> None:
    with running_stand_in(
        templates=12, enforce_rate=10, enforce_burst=5, retry_after="1"
    ) as stand_in:
        judged = crawl_judged(stand_in, tmp_path, *WITH_MOMENTS, RATE_LIMIT_RATE=50)

    assert judged.ran.status == 0, judged.ran.err
    assert judged.outcomes() == {"complete": 12}
    assert judged.inside_windows(1.0) == 0
    # No more than can be under way at once when the first of them comes
    assert 1 <= statuses(judged.log)[429] <= 8


@pytest.mark.parametrize("word", ["date", "-5", "garbage", ""])
def test_an_odd_retry_after_harms_nobody(word: str, tmp_path: Path) -> None:
    if word == "date":
        word = "Wed, 21 Oct 2015 07:28:00 GMT"  # long past
    faults = [{"kind": "429", "times": 1, "path": "^/api/templates"}]
    with running_stand_in(templates=1, faults=faults, retry_after=word) as stand_in:
        judged = crawl_judged(stand_in, tmp_path)

    assert judged.outcomes() == {"complete": 1}


def test_waiting_at_the_servers_word_costs_no_attempt(tmp_path: Path) -> None:
    # Given a site that says "not yet" four times to each request, more often than we try
    faults = [{"kind": "429", "times": 4, "path": "^/api/templates"}]
    with running_stand_in(templates=1, faults=faults, retry_after="0") as stand_in:
        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=50)

    assert judged.outcomes() == {"complete": 1}


def test_transient_faults_of_every_kind_are_overcome_in_their_own_category(
    tmp_path: Path,
) -> None:
    with running_stand_in(
        templates=40,
        faults=[{"kinds": TRANSIENT, "share": 0.15, "times": 1, "path": "/workflows/"}],
        drip_s=0.2,
    ) as stand_in:
        judged = crawl_judged(
            stand_in, tmp_path, "-s", "DOWNLOAD_TIMEOUT=1.5", LOG_LEVEL="DEBUG", **READ_AS_USUAL
        )

    assert judged.ran.status == 0, judged.ran.err
    assert judged.outcomes() == {"complete": 40}
    faults = [record for record in judged.log if record["fault"]]
    assert len({record["fault"] for record in faults}) >= 8
    for record in faults:
        assert category_is_right(record, judged.ran.err)


def test_back_off_is_one_second_then_two(tmp_path: Path) -> None:
    with running_stand_in(
        templates=1, faults=[{"kind": "503", "times": 2, "path": "^/api/templates"}],
        retry_after=None,
    ) as stand_in:  # fmt: skip
        judged = crawl_judged(stand_in, tmp_path, LOG_LEVEL="DEBUG")

    # What was decided, and that the site was left alone for as long; longer, where we were busy
    said = re.findall(r"Again in ([\d.]+) s: \S+/templates/workflows/", judged.ran.err)
    decided = [float(seconds) for seconds in said]
    assert decided == [pytest.approx(1, abs=0.2), pytest.approx(2, abs=0.3)]
    tries = next(asked for path, asked in judged.asked().items() if "/templates/workflows" in path)
    gaps = [later["t"] - earlier["ended"] for earlier, later in pairwise(tries)]
    assert all(gap >= wait - 0.1 for gap, wait in zip(gaps, decided, strict=True))


def test_a_failure_that_stays_is_tried_three_times_and_told(tmp_path: Path) -> None:
    with running_stand_in(
        templates=2, faults=[{"kind": "500", "path": "^/api/workflows/"}]
    ) as stand_in:
        judged = crawl_judged(stand_in, tmp_path)

    assert judged.ran.status == 3
    assert judged.outcomes() == {"partial": 2}
    for path, asked in judged.asked().items():
        assert len(asked) == (3 if path.startswith("/api/workflows/") else 1)
    assert rows(judged.url, "SELECT DISTINCT category, state FROM scrape_run_items") == [
        ("server_error", "failed")
    ]


@pytest.mark.parametrize(
    ("status", "outcome", "exit_status"),
    [(404, "gone", 0), (410, "gone", 0), (401, "blocked", 3), (403, "blocked", 3)],
)
def test_what_asking_again_does_not_change_is_asked_once(
    status: int, outcome: str, exit_status: int, tmp_path: Path
) -> None:
    with running_stand_in(templates=3) as stand_in:
        number = stand_in.ids[1]
        if status == 404:
            stand_in.control(dead_ids=[number])
        else:
            stand_in.control(auth_ids={number: status})

        judged = crawl_judged(stand_in, tmp_path)

    assert judged.ran.status == exit_status
    assert judged.outcomes() == {"complete": 2, outcome: 1}
    about = [path for path in judged.asked() if path.endswith(f"/{number}")]
    assert about == [f"/api/templates/workflows/{number}"]
    assert all(len(asked) == 1 for asked in judged.asked().values())


def test_a_wall_with_status_200_is_blocked_and_a_word_about_captchas_is_not(
    tmp_path: Path,
) -> None:
    with running_stand_in(templates=4) as stand_in:
        walled, talking = stand_in.ids[0], stand_in.ids[1]
        stand_in.control(
            faults=[
                {"kind": "captcha", "path": f"^/workflows/{walled}-"},
                {"kind": "captcha_word", "path": f"^/workflows/{talking}-"},
            ]
        )

        judged = crawl_judged(stand_in, tmp_path)

    query = "SELECT item_id, outcome, category FROM scrape_run_items WHERE outcome <> 'complete'"
    assert rows(judged.url, query) == [(str(walled), "partial", "blocked")]


def test_an_outage_opens_the_circuit_and_nothing_fails_because_of_it(tmp_path: Path) -> None:
    # Given a site that goes away in mid-crawl, and is back after fourteen requests
    outage = {"kind": "503", "path": "/workflows/", "after": 20, "in_all": 14}
    with running_stand_in(templates=20, faults=[outage]) as stand_in:
        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=12, CIRCUIT_BREAKER_HOLD=0.5)

    # Then ten failures raised a doubt, a page that had been answered confirmed it, and so on
    assert judged.ran.status == 0, judged.ran.err
    assert judged.outcomes() == {"complete": 20}
    failed = [record for record in judged.log if record["status"] == 503]
    assert len(failed) == 14
    answered = {record["path"] for record in judged.log if record["t"] < failed[0]["t"]}
    witnesses = [record for record in failed if record["path"] in answered]
    assert 1 <= len(witnesses) <= 4  # what was on the wire at the tenth cannot be called back
    gaps = [later["t"] - earlier["ended"] for earlier, later in pairwise(witnesses)]
    assert all(gap >= hold for gap, hold in zip(gaps, (0.5, 1, 2), strict=False))
    # ... until the first probe after it found the site again
    back = judged.log[judged.log.index(failed[-1]) + 1]
    assert back["status"] == 200
    assert back["path"] in answered


def test_an_outage_that_lasts_ends_the_crawl_and_the_next_start_goes_on(tmp_path: Path) -> None:
    state = ("-s", f"JOBDIR={tmp_path}/state")
    limits = {"CIRCUIT_BREAKER_HOLD": 1, "CIRCUIT_BREAKER_WAIT_LIMIT": 2}
    with running_stand_in(templates=10) as stand_in:
        stand_in.control(faults=[{"kind": "503", "path": "/workflows/"}])

        first = crawl_judged(stand_in, tmp_path, *state, **limits)
        stand_in.control(faults=[])
        stand_in.reset()
        listed = scrapy("breaker", "list", environment={"DATABASE_URL": first.url})
        scrapy("breaker", "reset", "127.0.0.1", environment={"DATABASE_URL": first.url})
        second = crawl_judged(stand_in, tmp_path, *state, **limits)

    assert first.ran.status == 5
    assert "The site does not answer now; " in first.ran.err
    assert "To go on: scrapy crawl workflows" in first.ran.err
    assert "127.0.0.1: open" in listed.out
    assert "server_error" in listed.out
    assert second.ran.status == 0, second.ran.err
    assert second.outcomes() == {"complete": 10}
    assert rows(second.url, "SELECT count(*) FROM scrape_runs") == [(1,)]
    assert "/sitemap_index.xml" not in second.asked()  # the inventory was known


def test_paths_that_always_fail_stop_no_healthy_site(tmp_path: Path) -> None:
    # Given more templates with a doomed path than have a place at the same time
    doomed = {"kind": "500", "share": 0.6, "path": "^/api/templates/workflows/"}
    with running_stand_in(templates=24, faults=[doomed]) as stand_in:
        judged = crawl_judged(stand_in, tmp_path, seconds=60)

    # Then each ends by its own attempts, and nobody is left alone because of it
    failed = {record["path"] for record in judged.log if record["status"] == 500}
    assert len(failed) > 8
    assert judged.ran.status == 3, judged.ran.err
    assert judged.outcomes() == {"complete": 24 - len(failed), "partial": len(failed)}
    assert "left alone" not in judged.ran.err
    assert all(len(judged.asked()[path]) <= 4 for path in failed)


def test_lasting_faults_of_every_kind_cost_only_the_templates_that_have_them(
    tmp_path: Path,
) -> None:
    kinds = [*TRANSIENT, "bad_gzip", "captcha", "soft_404", "401", "403", "410"]
    faults = [{"kinds": kinds, "share": 0.15, "path": "/workflows/"}]
    with running_stand_in(templates=30, faults=faults, drip_s=0.2, retry_after="1") as stand_in:
        judged = crawl_judged(
            stand_in,
            tmp_path,
            "-s",
            "DOWNLOAD_TIMEOUT=1.5",
            RATE_LIMIT_RATE=20,
            seconds=100,
            **READ_AS_USUAL,
        )

    hit = templates_with_faults(judged)
    assert len({record["fault"] for record in judged.log if record["fault"]}) >= 6
    assert judged.ran.status == 3, judged.ran.err
    assert rows(judged.url, "SELECT count(*) FROM scrape_run_items WHERE state = 'pending'") == [
        (0,)
    ]
    unharmed = rows(judged.url, "SELECT item_id FROM scrape_run_items WHERE outcome = 'complete'")
    assert {str(number) for (number,) in unharmed} == {str(one) for one in stand_in.ids} - hit


@pytest.mark.parametrize("word", ["0", pytest.param("1", marks=pytest.mark.further)])
def test_a_path_that_is_always_refused_ends_by_its_own_attempts(word: str, tmp_path: Path) -> None:
    # Given one template whose metadata is always refused, and others that are answered well
    with running_stand_in(templates=30, retry_after=word) as stand_in:
        refused = f"/api/templates/workflows/{stand_in.ids[3]}"
        stand_in.control(faults=[{"kind": "429", "path": f"^{refused}$"}])

        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=20, seconds=80)

    assert judged.ran.status == 3, judged.ran.err
    assert judged.outcomes() == {"complete": 29, "partial": 1}
    assert 4 <= len(judged.asked()[refused]) <= 8
    # and what it said of itself taught the whole site no slower pace worth the name
    learned = rows(judged.url, "SELECT coalesce(learned_rate, 20) FROM domains")
    assert learned[0][0] >= 10


def test_a_robots_txt_that_is_always_refused_is_done_without(tmp_path: Path) -> None:
    faults = [{"kind": "429", "path": "^/robots.txt$"}]
    with running_stand_in(templates=5, faults=faults, retry_after="0") as stand_in:
        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=20, seconds=60)

    assert judged.ran.status == 0, judged.ran.err
    assert judged.outcomes() == {"complete": 5}
    assert len(judged.asked()["/robots.txt"]) == 3


def test_a_site_that_complains_even_of_the_slowest_pace_ends_the_crawl(tmp_path: Path) -> None:
    # Given a site that bears less than the least that we would go down to
    with running_stand_in(
        templates=10, enforce_rate=0.2, enforce_burst=10, retry_after="0"
    ) as stand_in:
        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=8, RATE_LIMIT_FLOOR=4, seconds=80)

    assert judged.ran.status == 5, judged.ran.err
    assert "(RATE_LIMIT_FLOOR): giving up for now" in judged.ran.err


def test_robots_may_ask_for_more_distance(tmp_path: Path) -> None:
    with running_stand_in(templates=2, robots_crawl_delay=0.3) as stand_in:
        judged = crawl_judged(stand_in, tmp_path, "-a", "chain=lean")

    log = judged.log[1:]  # the first is robots.txt itself
    # Each comes in its turn; one that a busy machine holds up is followed the sooner by the next
    assert usual_gap(log) >= 0.29
    assert log[-1]["t"] - log[0]["t"] >= 0.3 * (len(log) - 1) - 0.1


def test_what_robots_forbids_is_not_asked_and_keeps_nobody_waiting(tmp_path: Path) -> None:
    # Given a site that forbids its API and nothing else, and more templates than have a place
    with running_stand_in(templates=20, robots_disallow=["/api/"]) as stand_in:
        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=20, seconds=40)

    # Then each is blocked by the site's own word, and the crawl ends
    assert judged.ran.status == 3, judged.ran.err
    assert judged.outcomes() == {"blocked": 20}
    assert not [path for path in judged.asked() if path.startswith("/api/")]


@pytest.mark.timed
def test_a_slow_and_limited_domain_does_not_hold_up_another(tmp_path: Path) -> None:
    # Given two sites, the first slow and limited to three requests a second
    with running_stand_in(templates=3, latency_ms=300) as slow, running_stand_in(40) as quick:
        script = Path(__file__).with_name("two_sites_spider.py")
        ran = scrapy(
            "runspider", str(script),
            "-a", f"slow={slow.url}", "-a", f"quick={quick.url.replace('127.0.0.1', 'localhost')}",
            environment={
                "RATE_LIMITS": '{"127.0.0.1": {"rate": 3, "burst": 2}}',
                "RATE_LIMIT_RATE": "20", "RATE_LIMIT_BURST": "5",
                "DATABASE_URL": f"sqlite:///{tmp_path}/{ARCHIVE}",
            },
        )  # fmt: skip
        slow_log, quick_log = slow.log(), quick.log()

    # Then the second keeps its full pace
    assert ran.status == 0, ran.err
    assert len(slow_log) == 12
    assert overdraft(slow_log, 3, 2) < 1
    assert usual_gap(quick_log) == pytest.approx(1 / 20, rel=0.05)


@pytest.mark.timed
def test_autothrottle_does_not_slow_a_healthy_site(tmp_path: Path) -> None:
    # Given a site that takes its time, as sites do
    with running_stand_in(templates=15) as stand_in:
        warm_up(stand_in)
        stand_in.control(latency_ms=60, latency_jitter_ms=40)

        judged = crawl_judged(stand_in, tmp_path, RATE_LIMIT_RATE=10)

    # Then the bucket is still what binds, once the inventory is read
    crawl = [record for record in judged.log if "/workflows/" in record["path"]]
    assert usual_gap(crawl) == pytest.approx(1 / 10, rel=0.1)
    assert overdraft(judged.log, 10, 5) < 1
