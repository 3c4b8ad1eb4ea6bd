"""The events of the open data, fetched by a real crawl from a server that has the three files."""

import json
from pathlib import Path

from n8n_scraper.sources.hk_events.invented import InventedEvents
from n8n_scraper.testing.hostile_site import HostileSite, Says, hostile_site
from tests.crawling import Ran, scrapy


def files_of(stock: InventedEvents) -> dict[str, Says]:
    xml = {"Content-Type": "application/xml"}
    return {
        "/venues.xml": Says(stock.venues_file(), headers=xml),
        "/eventDates.xml": Says(stock.dates_file(), headers=xml),
        "/events.xml": Says(stock.events_file(), headers=xml),
    }


def crawl(site: HostileSite, feed: Path) -> Ran:
    here = {"HK_EVENTS_URL": site.url, "RATE_LIMIT_RATE": "0"}
    return scrapy("crawl", "hk_events", "-O", str(feed), environment=here)


def test_every_event_of_the_stock_is_in_the_feed_after_three_requests(tmp_path: Path) -> None:
    stock, feed = InventedEvents(60), tmp_path / "events.jsonl"
    with hostile_site(files_of(stock)) as site:
        ran = crawl(site, feed)

    assert ran.status == 0, ran.err
    assert site.paths == ["/venues.xml", "/eventDates.xml", "/events.xml"]
    items = {item["event_id"]: item for item in map(json.loads, feed.read_text().splitlines())}
    assert set(items) == set(stock.events)
    one = next(event for event in stock.events.values() if event.start)
    assert items[one.event_id]["venue"]["venue_id"] == one.venue_id
    assert items[one.event_id]["start"].endswith("Z")


def test_a_page_in_place_of_a_file_gives_no_event_and_ends_with_its_reason(tmp_path: Path) -> None:
    answers = files_of(InventedEvents(20))
    dates = answers["/eventDates.xml"]
    answers["/eventDates.xml"] = Says(b"<html><body>Maintenance</body></html>", 200, dates.headers)
    with hostile_site(answers) as site:
        ran = crawl(site, tmp_path / "events.jsonl")

    assert ran.status == 3
    assert "eventDates.xml could not be had: status 200, but bad content" in ran.err
    assert "Traceback" not in ran.err
    assert not (tmp_path / "events.jsonl").exists() or not (tmp_path / "events.jsonl").read_text()


def test_another_file_in_place_of_one_gives_no_event_and_ends_with_its_reason(
    tmp_path: Path,
) -> None:
    answers = files_of(InventedEvents(20))
    answers["/events.xml"] = answers["/venues.xml"]
    with hostile_site(answers) as site:
        ran = crawl(site, tmp_path / "events.jsonl")

    assert ran.status == 1
    assert "the open data cannot be read: a <venues> where <events> was expected" in ran.err
    assert "Traceback" not in ran.err
