"""What programs read of runs and items, page by page, over real HTTP."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.reports.history import item_history
from n8n_scraper.reports.items import items
from n8n_scraper.reports.runs import run_report, sources_of_runs
from n8n_scraper.sources import source_of
from tests import templates
from tests.unit.ledger.given import NEW, a_run, close, plan
from tests.unit.making import dossier, template
from tests.unit.serve.api.conftest import Api

N8N = source_of("n8n")
STORED = ("7", "70", "8", "900")


@pytest.fixture(scope="module")
def archive(api: Api) -> Api:
    """An archive with templates, one of them in two versions, and a run."""
    for one in STORED:
        item, answers = template(one), list(dossier(one).answers.values())
        api.database.do(lambda session, item=item, raw=answers: templates.save(session, item, raw))
    edited = template("7").model_copy(update={"title": "Another title", "scraped_at": "2026-12-01"})
    api.database.do(lambda session: templates.save(session, edited, []))
    return api


def all_pages(api: Api, path: str, limit: int) -> list[Any]:
    """Put the pages of a list together."""
    found: list[Any] = []
    after = ""
    while True:
        page = api.get(f"{path}{'&' if '?' in path else '?'}limit={limit}{after}")
        found += page["data"]
        if page["next"] is None:
            return found
        after = f"&after={page['next']}"


def test_a_run_is_told_with_the_figures_of_the_terminal(api: Api) -> None:
    run_id = a_run(api.database, "1", "2", "3")
    close(api.database, run_id, "1", Outcome.COMPLETE)
    close(api.database, run_id, "2", Outcome.FAILED, reason="down", category="timeout")

    told = api.get(f"runs/{run_id}")

    report = run_report(api.database, run_id)
    figures = report.as_json()
    assert told["counts"]["total"] == figures["total"] == 3
    assert told["counts"]["done"] == figures["processed"] == 2
    assert told["counts"]["outcomes"] == figures["outcomes"]
    assert (told["status"], told["standing"]) == (figures["status"], figures["standing"])
    assert (told["source"], told["site"]) == ("n8n", NEW.site)
    assert [one["worker"] for one in told["workers"]] == [one.worker for one in report.workers]
    assert api.get(f"runs/{run_id}/workers")["data"] == told["workers"]
    [failure] = api.get(f"failures?run={run_id}")["data"]
    assert (failure["item_id"], failure["category"], failure["reason"]) == ("2", "timeout", "down")
    assert any(one["run_id"] == run_id for one in api.get("workers")["data"])


def test_the_beginning_of_a_runs_id_is_no_run(api: Api) -> None:
    run_id = a_run(api.database, "1")

    assert api.ask("GET", f"runs/{run_id[:8]}")[0] == 404


@given(
    first=st.lists(st.integers(1, 10**6), min_size=1, max_size=12, unique=True),
    meanwhile=st.lists(st.integers(1, 10**6), max_size=6, unique=True),
    limit=st.integers(1, 5),
    state=st.sampled_from(["", "state=pending"]),
)
@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_pages_put_together_are_the_list_whatever_comes_meanwhile(
    api: Api, first: list[int], meanwhile: list[int], limit: int, state: str
) -> None:
    # Given a run, and the first page of its items
    run_id = a_run(api.database, *map(str, first))
    path = f"runs/{run_id}/items?{state}"
    page = api.get(f"{path}&limit={limit}")

    # When more are planned before the next pages are asked for
    plan(api.database, run_id, *map(str, meanwhile))
    rest: list[Any] = []
    place = page["next"]
    while place:
        further = api.get(f"{path}&limit={limit}&after={place}")
        rest += further["data"]
        place = further["next"]

    # Then what was there is told once, and nothing twice
    told = [one["item_id"] for one in page["data"] + rest]
    assert len(told) == len(set(told))
    assert set(map(str, first)) <= set(told) <= set(map(str, first + meanwhile))
    everything = [one.item_id for page in items(api.database, run_id) for one in page]
    assert sorted(one["item_id"] for one in all_pages(api, path, limit)) == sorted(everything)


def test_runs_come_page_by_page_the_newest_first(api: Api) -> None:
    made = [a_run(api.database, new=replace(NEW, source="hk_events")) for _ in range(5)]

    told = all_pages(api, "runs?source=hk_events", 2)

    assert sorted(one["run_id"] for one in told) == sorted(made)
    starts = [one["started_at"] for one in told]
    assert starts == sorted(starts, reverse=True)


@pytest.mark.parametrize("base", ["sources/n8n/items", "templates"])
def test_items_are_told_under_their_source_and_under_their_noun(archive: Api, base: str) -> None:
    listed = all_pages(archive, base, 3)
    whole = archive.get(f"{base}/7")

    assert [one["item_id"] for one in listed] == sorted(STORED)
    assert (whole["source"], whole["item"]["title"]) == ("n8n", "Another title")
    assert whole["item"]["workflow_id"] == "7"
    assert listed[0]["url"] == whole["item"]["url"]


def test_what_an_item_was_and_what_has_happened_to_it(archive: Api) -> None:
    versions = archive.get("templates/7/versions")["data"]
    events = archive.get("templates/7/events")["data"]
    old = archive.get("templates/7/versions/1")["content"]

    history = item_history(archive.database, N8N, "7")
    assert [one["number"] for one in versions] == [one.number for one in history.versions] == [1, 2]
    assert [one["kind"] for one in events] == [one.kind for one in history.events]
    assert old["title"] == template("7").title
    assert archive.ask("GET", "templates/7/versions/3")[0] == 404


def test_what_is_followed_over_time_has_the_name_that_people_give_it(archive: Api) -> None:
    views = archive.get("templates/7/views")
    samples = archive.get("sources/n8n/items/7/samples")

    assert views == samples
    assert views["data"][0]["views"] == template("7").views


def test_changes_come_page_by_page_the_oldest_first(archive: Api) -> None:
    everything = all_pages(archive, "changes", 2)

    assert [one["id"] for one in everything] == sorted(one["id"] for one in everything)
    assert {one["item_id"] for one in everything} == set(STORED)
    assert archive.get("changes?kind=removed")["data"] == []
    assert archive.get("changes?since=2999-01-01&source=n8n") == {"data": [], "next": None}


def test_removed_items_are_told_apart(archive: Api) -> None:
    gone = template("900").model_copy(update={"removed_at": "2026-11-19T00:00:00.000Z"})
    archive.database.do(lambda session: templates.save(session, gone, []))

    assert [one["item_id"] for one in archive.get("templates?removed=true")["data"]] == ["900"]
    assert len(archive.get("templates?removed=false")["data"]) == len(STORED) - 1


def test_sources_say_where_they_are_and_what_the_archive_has_of_them(archive: Api) -> None:
    listed = archive.get("sources")["data"]
    counted = archive.get("sources/n8n")

    assert {one["name"]: one["places"] for one in listed}["n8n"][0] == "https://n8n.io"
    assert (counted["items"], counted["versions"]) == (len(STORED), len(STORED) + 1)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("sources/none", 404),
        ("sources/none/items", 404),
        ("changes?source=none", 404),
        ("templates/none", 404),
        ("templates/none/versions", 404),
        ("templates/none/views", 404),
        ("templates/7/versions/0", 400),
        ("templates/7/versions/999999999999999999999999", 400),
        ("templates?limit=0", 400),
        ("templates?limit=2&limit=3", 400),
        ("templates?colour=red", 400),
        ("templates?after=bm9uc2Vuc2U", 422),
        ("templates?after=%C3%BC", 400),
        ("changes?since=2026-02-30", 422),
        ("changes?since=null", 400),
        ("runs/none", 404),
        ("runs/none/items", 404),
        ("runs?source=null", 200),
        ("templates/%00", 400),
        ("domains", 200),
        ("nothing", 404),
    ],
)
def test_each_answer_has_the_status_that_programs_expect(
    archive: Api, path: str, status: int
) -> None:
    answered, content = archive.ask("GET", path)

    assert answered == status, content
    if status != 200:
        assert content["status"] == status
        assert content["detail"].endswith(".")


def test_an_archive_of_both_kinds_is_read_alike(database: Database, tmp_path: Path) -> None:
    """The same questions to SQLite and PostgreSQL: the columns' types are theirs."""
    from tests.serving import served

    run_id = a_run(database, "1", "2")
    close(database, run_id, "1", Outcome.FAILED, category="timeout")
    database.do(lambda session: templates.save(session, template("7"), []))
    paths = (f"runs/{run_id}", f"runs/{run_id}/items", "failures", "changes", "templates/7")
    with closing(database), served(database.url.render_as_string(hide_password=False)) as server:
        answers = [server.get(f"/api/{path}") for path in (*paths, "templates/7/views", "runs")]

    assert [answer.status_code for answer in answers] == [200] * 7


def test_a_run_that_only_others_work_on_makes_no_source(api: Api) -> None:
    body = {"domain": "shop.example", "workedBy": "orchestrator"}
    _, run = api.ask("POST", "scrape-runs", body)

    assert "foreign" not in sources_of_runs(api.database)
    assert api.get(f"runs/{run['id']}")["source"] == "foreign"
