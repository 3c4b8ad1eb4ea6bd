"""An event has the same id in each crawl, by the best that its site tells of it."""

import re

from n8n_scraper.sources.events.ids import event_id, id_of_address, plain, site_of
from n8n_scraper.sources.events.source import SOURCE
from tests.unit.sources.events.given import LIST_URL, START, a_found

OWN = "https://city.example/event/7"


def test_the_id_of_the_site_goes_before_the_address_and_that_before_the_words() -> None:
    by_id = event_id("city", a_found(source_event_id="7", url=OWN), LIST_URL)
    by_address = event_id("city", a_found(url=OWN), LIST_URL)
    by_words = event_id("city", a_found(), LIST_URL)

    assert len({by_id, by_address, by_words}) == 3
    assert by_id == event_id("city", a_found(source_event_id="7", title="Renamed"), LIST_URL)
    assert by_address == event_id("city", a_found(url=OWN, title="Renamed", start=None), LIST_URL)
    assert by_address == id_of_address("city", OWN)
    assert by_words == event_id("city", a_found(description="New"), LIST_URL)
    assert by_words != event_id("city", a_found(start=START.replace(day=6)), LIST_URL)


def test_an_id_names_its_site_and_is_written_as_the_source_says() -> None:
    found = event_id("city-hall_2", a_found(), LIST_URL)

    assert re.fullmatch(SOURCE.ids.pattern, found)
    assert site_of(found) == "city-hall_2"
    assert all(re.fullmatch(SOURCE.ids.pattern, one) for one in SOURCE.ids.example.split(","))


def test_the_address_of_the_list_is_no_event_s_own() -> None:
    at_the_list = a_found(url=f"{LIST_URL}/#lanterns")

    assert event_id("city", at_the_list, LIST_URL) == event_id("city", a_found(), LIST_URL)


def test_what_tells_who_has_followed_a_link_is_no_part_of_its_address() -> None:
    assert plain("HTTPS://City.example/event/7/?utm_source=x&lang=en#top") == (
        "https://city.example/event/7?lang=en"
    )
    assert plain("http://[broken") == "http://[broken"
