"""What a later run finds out about what an archive has: new, changed, renamed, removed, back."""

import signal
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.item import broken_promises
from n8n_scraper.sources.n8n.replica.changes import Changes
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import Ran, crawl, rows, scrapy, started, stored, wait_until

pytestmark = [pytest.mark.full_speed, pytest.mark.further_on("postgresql")]

UPDATE = ("-a", "mode=update")
SIZES = [("sqlite", 90), ("postgresql", 90), pytest.param("sqlite", 500, marks=pytest.mark.long)]
QUICK = 'RETRY_RULES={"server_error": {"base_seconds": 0.01}}'


def update(stand_in: RunningStandIn, url: str, *more: str) -> tuple[Ran, int]:
    """Update an archive; give how it ended, and how many requests the site saw."""
    stand_in.reset()
    ran = crawl(stand_in, url, *UPDATE, *more)
    return ran, len(stand_in.log())


def events(url: str, after: int = 0) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for number, kind, workflow_id in rows(url, "SELECT id, kind, item_id FROM item_events"):
        if number > after:
            found.setdefault(str(kind), set()).add(str(workflow_id))
    return found


def one(url: str, query: str) -> int:
    [(value,)] = rows(url, query)
    return int(value)


def last_event(url: str) -> int:
    return one(url, "SELECT max(id) FROM item_events")


@pytest.mark.parametrize(("database_url", "size"), SIZES, indirect=["database_url"])
def test_an_update_finds_exactly_what_has_changed(database_url: str, size: int) -> None:
    url = database_url
    with running_stand_in(templates=size) as stand_in:
        # Given an archive of everything
        assert crawl(stand_in, url, "-a", "chain=lean").status == 0
        assert {kind: len(ids) for kind, ids in events(url).items()} == {"new": size}
        assert one(url, "SELECT count(*) FROM item_versions") == size
        before = last_event(url)

        # When nothing has changed, then an update keeps to its budget and finds nothing
        ran, requests = update(stand_in, url, "-a", "budget=50")
        assert ran.status == 0, ran.err
        assert 45 <= requests <= 50
        assert one(url, "SELECT count(*) FROM item_versions") == size
        assert last_event(url) == before
        assert one(url, "SELECT count(*) FROM scrape_run_items WHERE state = 'pending'") == 0

        # When some have changed, then exactly those are found
        ids = stand_in.ids
        edited = {ids[place]: 1 for place in (10, 20, 30, 40, 50)}
        removed, renamed = frozenset({ids[60], ids[70]}), {ids[80]: "Quite another title"}
        changes = Changes(edited=edited, added=3, removed=removed, renamed=renamed)
        stand_in.control(changes=changes)
        ran, requests = update(stand_in, url)
        assert ran.status == 0, ran.err
        # One of them says nothing about itself, so that its page is asked for too.
        assert requests == 3 + size + 1 + 1
        found = events(url, after=before)
        assert found == {
            "changed": {str(number) for number in edited},
            "new": {str(number) for number in stand_in.ids[-3:]},
            "removed": {str(number) for number in removed},
            "renamed": {str(number) for number in renamed},
        }
        assert one(url, "SELECT count(*) FROM item_versions") == size + 5 + 1 + 3
        gone = rows(url, "SELECT workflow_id FROM workflows WHERE removed_at IS NOT NULL")
        assert {workflow_id for (workflow_id,) in gone} == found["removed"]

        # When one of the removed is there again, then it has returned, and nothing else happened
        before = last_event(url)
        stand_in.control(
            changes=Changes(edited=edited, added=3, removed=frozenset({ids[60]}), renamed=renamed)
        )
        ran, requests = update(stand_in, url, "-a", "budget=20")
        assert (ran.status, requests <= 20) == (0, True), ran.err
        assert events(url, after=before) == {"returned": {str(ids[70])}}
        assert one(url, "SELECT count(*) FROM workflows WHERE removed_at IS NOT NULL") == 1


def test_a_budget_is_kept_when_requests_fail_and_have_to_be_repeated(sqlite_url: str) -> None:
    # Given a site that fails every other time
    faults = [{"kind": "500", "path": "^/api/", "share": 0.4, "times": 1}]
    with running_stand_in(templates=40) as stand_in:
        assert crawl(stand_in, sqlite_url, "-a", "chain=lean").status == 0
        stand_in.control(faults=faults)

        ran, requests = update(stand_in, sqlite_url, "-a", "budget=30", "-s", QUICK)

    # Then never a request more is sent, and nothing is left pending
    assert 20 < requests <= 30
    assert ran.status in (0, 3), ran.err
    assert one(sqlite_url, "SELECT count(*) FROM scrape_run_items WHERE state = 'pending'") == 0
    statuses = rows(sqlite_url, "SELECT status FROM scrape_runs ORDER BY started_at")
    assert statuses == [("finished",), ("finished",)]
    assert one(sqlite_url, "SELECT count(*) FROM item_events WHERE kind <> 'new'") == 0


def test_a_budget_for_whole_chains_buys_a_third_of_the_templates(sqlite_url: str) -> None:
    with running_stand_in(templates=40) as stand_in:
        ran, requests = update(stand_in, sqlite_url, "-a", "budget=33", "-a", "chain=full")

        assert ran.status == 0, ran.err
        assert requests == 33
        assert len(stored(sqlite_url)) == 10

        # And the next one goes on with those that are new
        ran, requests = update(stand_in, sqlite_url, "-a", "budget=33", "-a", "chain=full")
        assert (ran.status, requests, len(stored(sqlite_url))) == (0, 33, 20)


def test_the_oldest_are_seen_again_first(sqlite_url: str) -> None:
    with running_stand_in(templates=12) as stand_in:
        crawl(stand_in, sqlite_url, "-a", "chain=lean")
        first = {number for (number,) in rows(sqlite_url, "SELECT workflow_id FROM workflows")}

        for _ in range(2):
            ran, _ = update(stand_in, sqlite_url, "-a", "budget=9")
            assert ran.status == 0, ran.err

    seen = rows(sqlite_url, "SELECT workflow_id, count(*) FROM view_samples GROUP BY workflow_id")
    assert {number for number, _ in seen} == first
    assert {times for _, times in seen} == {2}


@pytest.mark.further
def test_an_update_of_whole_templates_by_single_requests_loses_nothing(sqlite_url: str) -> None:
    # Given templates with all that their pages have
    with running_stand_in(templates=15) as stand_in:
        assert crawl(stand_in, sqlite_url).status == 0
        before = stored(sqlite_url)

        ran, requests = update(stand_in, sqlite_url)

    # Then what only the page has is still there, and nothing counts as changed
    assert (ran.status, requests) == (0, 3 + 15), ran.err
    after = stored(sqlite_url)
    for number, template in after.items():
        assert not broken_promises(template)
        assert template.last_update_text == before[number].last_update_text
        assert template.price == before[number].price
        assert template.sources["price"] == before[number].sources["price"]
    assert set(events(sqlite_url)) == {"new"}


def test_a_narrowed_crawl_says_nothing_of_what_it_did_not_ask_for(sqlite_url: str) -> None:
    with running_stand_in(templates=10) as stand_in:
        crawl(stand_in, sqlite_url, "-a", "chain=lean")
        stand_in.control(changes=Changes(removed=frozenset({stand_in.ids[2]})))

        for narrow in ("limit=3", f"ids={stand_in.ids[0]}", "category=AI"):
            crawl(stand_in, sqlite_url, "-a", narrow, "-a", "chain=lean")
        assert "removed" not in events(sqlite_url)

        crawl(stand_in, sqlite_url, "-a", "chain=lean")
    assert len(events(sqlite_url)["removed"]) == 1


@pytest.mark.parametrize("mode", ["update", pytest.param("full", marks=pytest.mark.further)])
def test_a_short_list_removes_nothing_and_is_told_at_the_end(mode: str, sqlite_url: str) -> None:
    again = ("-a", f"mode={mode}", "-a", "chain=lean")
    with running_stand_in(templates=20) as stand_in:
        # Given an archive, and a site that lists a fourth of it and something new
        crawl(stand_in, sqlite_url, "-a", "chain=lean")
        missing = frozenset(stand_in.ids[5:])
        stand_in.control(changes=Changes(removed=missing, added=1))

        # When it is crawled again, then all that is listed is had, and nothing counts as removed
        ran = crawl(stand_in, sqlite_url, *again)
        assert ran.status == 0, ran.err
        assert {kind: len(ids) for kind, ids in events(sqlite_url).items()} == {"new": 21}
        assert ran.err.count("WARNING The site's list of templates lacks 15 of the 20") == 1

        # And who knows better has the last word
        ran = crawl(stand_in, sqlite_url, *again, "-s", "MOST_REMOVED=1")
    assert ran.status == 0, ran.err
    assert events(sqlite_url)["removed"] == {str(number) for number in missing}
    assert "lacks" not in ran.err


def test_the_changes_can_be_read_at_a_terminal(sqlite_url: str) -> None:
    with running_stand_in(templates=8) as stand_in:
        crawl(stand_in, sqlite_url, "-a", "chain=lean")
        number = stand_in.ids[3]
        stand_in.control(changes=Changes(edited={number: 1}))
        update(stand_in, sqlite_url)

    said = scrapy(
        "changes", "--since", "1h", "--kind", "changed", environment={"DATABASE_URL": sqlite_url}
    )
    assert len(said.out.splitlines()) == 1
    assert "description, workflow (1 node edited, 1 wire added)" in said.out
    told = scrapy("diff", str(number), environment={"DATABASE_URL": sqlite_url})
    assert "parameters.revision: nothing → 1" in told.out
    assert "+Revision 1 adds a way back to the first step." in told.out


def test_a_stopped_update_goes_on_within_what_is_left_of_its_budget(
    sqlite_url: str, tmp_path: Path
) -> None:
    job = ("-s", f"JOBDIR={tmp_path}/state", "-a", "mode=update", "-a", "budget=40")
    with running_stand_in(templates=60) as stand_in:
        stand_in.reset()
        first = crawl(stand_in, sqlite_url, *job, "-s", "CLOSESPIDER_ITEMCOUNT=10")
        assert first.status != 0
        sent = len(stand_in.log())

        second = crawl(stand_in, sqlite_url, *job)

        assert second.status == 0, second.err
        # The second process asks for robots.txt once more; that was set aside
        assert sent < len(stand_in.log()) <= 40
    assert one(sqlite_url, "SELECT count(*) FROM scrape_runs") == 1
    assert 20 <= len(stored(sqlite_url)) <= 37


def test_a_killed_update_stays_within_its_budget_over_all_its_starts(
    database_url: str, tmp_path: Path
) -> None:
    # Given a site on two hosts, each with a robots.txt of its own
    job = ("-s", f"JOBDIR={tmp_path}/state", "-a", "mode=update", "-a", "budget=60")
    with running_stand_in(templates=80, latency_ms=20) as stand_in:
        api = stand_in.url.rstrip("/").replace("127.0.0.1", "localhost")
        assert api != stand_in.url.rstrip("/")

        # When it is killed while it reads the inventory, and twice in the middle
        for further in (3, 12, 8):
            enough = stand_in.stats()["requests"] + further
            with started(stand_in, database_url, *job, N8N_API_URL=api) as process:
                wait_until(lambda enough=enough: stand_in.stats()["requests"] >= enough)
                process.send_signal(signal.SIGKILL)
                process.wait()
        ran = crawl(stand_in, database_url, *job, N8N_API_URL=api)

        # Then all its starts together have sent no more than that, and not much less
        assert ran.status == 0, ran.err
        assert 30 <= len(stand_in.log()) <= 60
    assert one(database_url, "SELECT count(*) FROM scrape_runs") == 1


def test_a_budget_that_the_inventory_alone_spends_is_bad_input(sqlite_url: str) -> None:
    # Given an inventory of so many files that five requests do not read it
    with running_stand_in(templates=60, sitemap="split") as stand_in:
        ran, requests = update(stand_in, sqlite_url, "-a", "budget=5")

    assert (ran.status, requests) == (2, 5), ran.err
    assert ran.err.strip().endswith("has spent the whole budget: give a larger one.")
