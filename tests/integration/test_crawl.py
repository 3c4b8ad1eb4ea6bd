"""A whole crawl, from the inventory to the database, by the command that people use."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.testing.stand_in import running_stand_in
from tests.crawling import Ran, crawl, rows, scrapy, site, started, stored, wait_until

pytestmark = [pytest.mark.usefixtures("reads_as_usual"), pytest.mark.further_on("postgresql")]


@pytest.fixture(autouse=True)
def _fresh_log(stand_in: RunningStandIn) -> None:
    stand_in.reset()


def paths(stand_in: RunningStandIn) -> list[str]:
    return [record["path"] for record in stand_in.log()]


@dataclass(frozen=True)
class Whole:
    """What a crawl without a limit leaves behind, and what the site saw of it."""

    url: str
    ran: Ran
    asked: list[str]


@pytest.fixture(scope="module")
def whole(
    stand_in: RunningStandIn, url_of_module: str, tmp_path_factory: pytest.TempPathFactory
) -> Whole:
    """A crawl of the whole stand-in into each kind of database."""
    return crawled_whole(stand_in, url_of_module, tmp_path_factory.mktemp("whole"))


def crawled_whole(stand_in: RunningStandIn, url: str, folder: Path) -> Whole:
    stand_in.reset()
    ran = crawl(stand_in, url, "-s", f"JOBDIR={folder}/state")
    assert ran.status == 0, ran.err
    return Whole(url, ran, [path for path in paths(stand_in) if "/workflows/" in path])


def test_every_template_of_the_inventory_is_stored_as_it_is(
    whole: Whole, stand_in: RunningStandIn
) -> None:
    found = stored(whole.url)
    assert set(found) == {str(number) for number in stand_in.ids}
    for number in stand_in.ids:
        truth, template = stand_in.truth(number), found[str(number)]
        assert template.workflow == truth.workflow
        assert template.title == truth.title
        assert template.description == truth.description
        assert template.slug == truth.slug
        assert template.node_count == truth.node_count
        assert template.note_count == truth.note_count
        assert template.views == truth.views
        assert template.categories == list(truth.categories)
        assert template.outcome == "complete"


def test_templates_without_a_limit_are_counted_exactly(whole: Whole) -> None:
    assert_counted(whole, 60)


@pytest.mark.long
@pytest.mark.full_speed
def test_five_hundred_are_counted_as_exactly(database_url: str, tmp_path: Path) -> None:
    with running_stand_in(templates=500) as stand_in:
        assert_counted(crawled_whole(stand_in, database_url, tmp_path), 500)


def assert_counted(whole: Whole, number: int) -> None:
    assert "ERROR" not in whole.ran.err
    assert len(whole.asked) == len(set(whole.asked)) == 3 * number
    for table, each in (("workflows", 1), ("raw_answers", 3), ("scrape_run_items", 1)):
        assert rows(whole.url, f"SELECT count(*) FROM {table}") == [(each * number,)]  # noqa: S608
    query = "SELECT DISTINCT state, outcome FROM scrape_run_items"
    assert rows(whole.url, query) == [("done", "complete")]


@pytest.mark.real_start
def test_each_template_costs_three_chained_requests(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:
    number = stand_in.ids[4]
    slug = stand_in.truth(number).slug

    ran = crawl(stand_in, sqlite_url, "-a", f"ids={number}")

    assert ran.status == 0, ran.err
    assert paths(stand_in) == [
        "/robots.txt",
        "/sitemap_index.xml",
        "/sitemap-workflows.xml",
        f"/api/templates/workflows/{number}",
        f"/api/workflows/templates/{number}",
        f"/workflows/{number}-{slug}/",
    ]


def test_a_lean_chain_asks_only_for_what_is_still_lacking(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:

    ran = crawl(stand_in, sqlite_url, "-a", "chain=lean", "-a", "limit=10")

    assert ran.status == 0, ran.err
    assert len([path for path in paths(stand_in) if "/workflows/" in path]) == 10
    template = next(iter(stored(sqlite_url).values()))
    assert template.outcome == "complete"
    assert template.workflow is not None
    assert template.layers["json"].status == "skipped"
    assert template.layers["json"].reason == "metadata brought the workflow"
    assert "skipped" in template.unobserved["last_update_text"]


def test_an_id_that_is_not_listed_is_tried_and_ends_by_itself(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:
    listed = stand_in.ids[0]

    ran = crawl(stand_in, sqlite_url, "-a", f"ids=99999999,{listed}")

    assert ran.status == 0, ran.err
    assert rows(
        sqlite_url,
        "SELECT item_id, state, outcome, category, in_inventory, http_status"
        " FROM scrape_run_items ORDER BY in_inventory",
    ) == [
        ("99999999", "gone", "gone", "not_found", 0, 404),
        (str(listed), "done", "complete", None, 1, None),
    ]
    assert set(stored(sqlite_url)) == {str(listed)}
    assert paths(stand_in).count("/api/templates/workflows/99999999") == 1


def test_a_category_is_found_by_search_and_brings_the_prices(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:

    ran = crawl(stand_in, sqlite_url, "-a", "category=AI", "-a", "limit=5")

    assert ran.status == 0, ran.err
    found = stored(sqlite_url)
    assert found
    assert any(path.startswith("/api/templates/search?category=AI") for path in paths(stand_in))
    for template in found.values():
        truth = stand_in.truth(int(template.workflow_id))
        if truth.price is not None:
            assert (template.price, template.sources["price"]) == (truth.price, "search")


def test_a_category_that_the_site_does_not_know_is_bad_input_with_the_names_that_it_has(
    stand_in: RunningStandIn, sqlite_url: str
) -> None:
    ran = crawl(stand_in, sqlite_url, "-a", "category=Lead Generatoin")

    assert ran.status == 2, ran.err
    last = ran.err.strip().splitlines()[-1]
    assert "is it Lead Generation? Its categories are: AI, AI Chatbot, " in last


@pytest.mark.parametrize("shape", ["index", "flat", "gzip", "split"])
def test_the_inventory_may_come_in_any_shape(shape: str, sqlite_url: str) -> None:
    with running_stand_in(templates=12, sitemap=shape) as stand_in:
        ran = crawl(stand_in, sqlite_url, "-a", "chain=lean")

        assert ran.status == 0, ran.err
        assert len(stored(sqlite_url)) == 12


def test_crawling_again_stores_nothing_twice_and_keeps_the_raw_answers(
    stand_in: RunningStandIn, database_url: str
) -> None:
    first = crawl(stand_in, database_url, "-a", "limit=5")
    second = crawl(stand_in, database_url, "-a", "limit=5")

    assert (first.status, second.status) == (0, 0)
    assert rows(database_url, "SELECT count(*) FROM workflows") == [(5,)]
    assert rows(database_url, "SELECT count(*) FROM raw_answers") == [(15,)]
    assert rows(database_url, "SELECT count(*) FROM scrape_runs") == [(2,)]
    assert rows(database_url, "SELECT status, count(*) FROM scrape_runs GROUP BY status") == [
        ("finished", 2)
    ]


def test_a_feed_carries_the_same_fields_as_the_table(
    stand_in: RunningStandIn, sqlite_url: str, tmp_path: Path
) -> None:
    feed = tmp_path / "items.jsonl"

    crawl(stand_in, sqlite_url, "-a", "limit=3", "-O", str(feed))

    lines = [json.loads(line) for line in feed.read_text().splitlines()]
    found = stored(sqlite_url)
    assert {line["workflow_id"] for line in lines} == set(found)
    for line in lines:
        assert line == found[line["workflow_id"]].model_dump(mode="json")


def test_a_template_that_the_site_lists_and_does_not_have_is_gone(sqlite_url: str) -> None:
    with running_stand_in(templates=8) as stand_in:
        dead = stand_in.ids[2]
        stand_in.control(dead_ids=[dead])

        ran = crawl(stand_in, sqlite_url)

        assert ran.status == 0, ran.err
        assert len(stored(sqlite_url)) == 7
        query = "SELECT item_id FROM scrape_run_items WHERE outcome = 'gone'"
        assert rows(sqlite_url, query) == [(str(dead),)]
        asked = [path for path in paths(stand_in) if str(dead) in path.split("/")[-1]]
        assert asked == [f"/api/templates/workflows/{dead}"]


def test_a_missing_page_with_status_200_is_missing_all_the_same(sqlite_url: str) -> None:
    faults = [{"kind": "soft_404", "path": "^/workflows/"}]
    with running_stand_in(templates=3, faults=faults) as stand_in:
        ran = crawl(stand_in, sqlite_url)

    assert ran.status == 0, ran.err
    for template in stored(sqlite_url).values():
        assert template.outcome == "partial"
        assert template.layers["explainer"].status == "missing"
        assert template.layers["explainer"].category == "not_found"


def test_an_answer_about_another_template_is_never_taken(sqlite_url: str) -> None:
    with running_stand_in(templates=3, faults=[{"kind": "wrong_id", "path": "^/api/"}]) as stand_in:
        ran = crawl(stand_in, sqlite_url)

    assert ran.status == 3
    for template in stored(sqlite_url).values():
        assert template.layers["metadata"].status == "failed"
        assert template.layers["metadata"].category == "bad_content"
        assert template.description is None
        assert "asked for template" in template.unobserved["description"]


def test_a_second_crawl_of_a_directory_is_refused_in_one_line(
    stand_in: RunningStandIn, sqlite_url: str, tmp_path: Path
) -> None:
    # Given a crawl at work in a directory
    state = ("-s", f"JOBDIR={tmp_path}/state")
    with started(stand_in, sqlite_url, *state, RATE_LIMIT_RATE="5") as first:
        wait_until(lambda: (tmp_path / "state" / "run.json").exists())

        second = crawl(stand_in, f"sqlite:///{tmp_path}/b.db", *state)

    assert second.status == 2
    assert f"is in use by process {first.pid}" in second.err
    assert len(second.err.strip().splitlines()) == 1
    assert not (tmp_path / "b.db").exists()


WHAT_VARIES = 2_000_000
"""Bytes by which the peaks of two equal crawls differ."""


@pytest.mark.full_speed
@pytest.mark.parametrize(
    "number",
    [
        8_000,
        pytest.param(20_000, marks=pytest.mark.further),
        pytest.param(100_000, marks=pytest.mark.long),
    ],
)
def test_a_large_inventory_does_not_sit_in_memory(tmp_path: Path, number: int) -> None:
    # Given an inventory far larger than what is under way at any time, and a small one
    peaks = {}
    for templates in (100, number):
        url = f"sqlite:///{tmp_path}/{templates}.db"
        with running_stand_in(templates=templates) as stand_in:
            # When only the first few are let through
            ran = scrapy(
                *("crawl", "workflows", "-a", "chain=lean", "-s", "CLOSESPIDER_ITEMCOUNT=5"),
                environment={**site(stand_in), "DATABASE_URL": url},
                tell_memory=True,
            )

        # Then all are planned, none is left taken out
        assert ran.status == 1, ran.err  # closed from outside, with work left
        assert "closespider_itemcount" in ran.err
        query = "SELECT count(*), count(CASE state WHEN 'claimed' THEN 1 END) FROM scrape_run_items"
        assert rows(url, query) == [(templates, 0)]
        peaks[templates] = int(ran.out.split()[-1]) * 1024

    # And what each of them costs is less than its line of the inventory and its plan
    assert peaks[number] - peaks[100] < number * 1000 + WHAT_VARIES


def test_without_a_network_a_person_reads_lines_and_no_traceback(sqlite_url: str) -> None:
    nowhere = "http://no-such-host.invalid"

    ran = scrapy(
        *("crawl", "workflows"),
        environment={
            "N8N_SITE_URL": nowhere,
            "N8N_API_URL": nowhere,
            "DATABASE_URL": sqlite_url,
            "RETRY_RULES": '{"dns": {"attempts": 1}}',
            "LOG_LEVEL": "INFO",
        },
    )

    assert ran.status == 7
    assert "Traceback" not in ran.err
    last = ran.err.splitlines()[-1]
    assert re.search(
        r"WARNING no-such-host\.invalid could not be reached \(.*\)\. To go on: ", last
    )
    assert "JOBDIR" not in last


def test_names_from_before_go_on_to_work_and_are_told_once_each(
    stand_in: RunningStandIn, sqlite_url: str, tmp_path: Path
) -> None:
    # Given one of them as a variable, and one on the command line of a crawl with a directory
    log = tmp_path / "crawl.log"
    by_hand = ("-s", "N8N_TEMPLATES_UNDER_WAY=2", "-s", f"JOBDIR={tmp_path}/state")
    ids = ("-a", f"ids={stand_in.ids[0]}")

    ran = crawl(
        *(stand_in, sqlite_url, *ids, *by_hand, "-s", f"LOG_FILE={log}"),
        N8N_CHECKPOINT_DIR=f"{tmp_path}/there",
    )

    assert ran.status == 0, ran.err
    said = log.read_text()
    assert said.count("N8N_TEMPLATES_UNDER_WAY is called ITEMS_UNDER_WAY by now.") == 1
    assert said.count("N8N_CHECKPOINT_DIR is called CHECKPOINT_DIR by now.") == 1
    assert any((tmp_path / "there").iterdir())
    ((command,),) = rows(sqlite_url, "SELECT command FROM scrape_runs")
    assert "-s ITEMS_UNDER_WAY=2" in command
    assert "N8N_TEMPLATES_UNDER_WAY" not in command


def test_an_old_and_a_new_name_with_two_values_are_refused_in_one_line() -> None:
    ran = scrapy(*("crawl", "workflows", "-s", "N8N_REDACT=off", "-s", "REDACT=replace"))

    assert ran.status == 2
    assert ran.err.splitlines() == [
        "scrapy: N8N_REDACT is called REDACT by now, and both are given, with different values: "
        "leave N8N_REDACT out."
    ]
