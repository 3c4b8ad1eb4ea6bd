"""A page and the API say where the same happening is announced as well."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from lxml import html

from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.events.source import SOURCE
from tests import storing
from tests.serving import Served, served
from tests.unit.records.announcing import put_events
from tests.unit.sources.events.test_announcing import CITY, event


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path_factory.mktemp('matches')}/a.db"
    with closing(Database(url)) as database:
        put_events(database)
        database.do(lambda session: storing.save(session, SOURCE, event(CITY), []) and None)
    with served(url) as server:
        yield server


def test_the_page_of_an_item_links_to_the_other(site: Served) -> None:
    shown = html.fromstring(site.get("/events/7").text)

    [link] = shown.cssselect("section[aria-labelledby=announced] a")
    assert link.get("href") == f"/site_events/{CITY}"
    assert "exact, title 100 %, venue 100 %" in link.getparent().text_content()
    assert site.get(f"/site_events/{CITY}").status_code == 200
    # ... and where nothing is announced elsewhere, nothing is said
    assert "Announced elsewhere" not in site.get("/events/8").text


def test_the_page_of_an_item_says_what_it_is(site: Served) -> None:
    [told] = html.fromstring(site.get(f"/site_events/{CITY}").text).cssselect(
        "section[aria-labelledby=fields] pre"
    )

    assert f"event_id: {CITY}" in told.text.splitlines()
    assert any(line.startswith("start: 2") for line in told.text.splitlines())


def test_programs_are_told_the_evidence(site: Served) -> None:
    told = site.get("/api/sources/events/items/" + CITY + "/matches").json()

    assert told["item"]["title"] == "NOCTURNES by Lamplight"
    [other] = told["matched"]
    assert (other["announcement"]["source"], other["announcement"]["item_id"]) == ("hk_events", "7")
    assert other["evidence"]["tier"] == "exact"
    assert other["evidence"]["venue"]["other"] == "City Hall (Concert Hall)"
    assert sorted(told["happening"]) == [["events", CITY], ["hk_events", "7"]]
    assert site.get("/api/events/8/matches").json()["matched"] == []


@pytest.mark.parametrize("path", ["sources/n8n/items/7/matches", "events/9/matches"])
def test_what_is_not_matched_or_not_there_is_told_so(site: Served, path: str) -> None:
    answer = site.get(f"/api/{path}")

    assert answer.status_code == 404
