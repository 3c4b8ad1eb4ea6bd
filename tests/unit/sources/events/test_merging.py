"""What several pages say of an event is joined, and the better place wins."""

from datetime import timedelta

from n8n_scraper.reading.values import Price
from n8n_scraper.sources.events.found import Found, Place
from n8n_scraper.sources.events.merging import Said, merged
from n8n_scraper.sources.events.source import DETAIL, LIST
from tests.unit.sources.events.given import START, a_found


def test_what_is_said_to_programs_goes_before_what_is_said_to_people() -> None:
    detail = a_found("selectors", title="LANTERNS!", description="By the water.")
    listed = a_found("json-ld", title="Lanterns")

    found, where = merged([Said(DETAIL, detail), Said(LIST, listed)])

    assert (found.title, where["title"]) == ("Lanterns", "list json-ld")
    assert (found.description, where["description"]) == ("By the water.", "detail selectors")


def test_of_equal_places_the_event_s_own_page_is_the_better() -> None:
    found, where = merged([Said(DETAIL, a_found(title="New")), Said(LIST, a_found(title="Old"))])

    assert (found.title, where["title"]) == ("New", "detail json-ld")


def test_times_come_from_one_place_and_are_never_mixed() -> None:
    listed = a_found("selectors", start=START, end=START + timedelta(hours=2), when="5 Dec 8pm")
    detail = a_found("json-ld", start=START + timedelta(days=1), end=None)

    found, where = merged([Said(DETAIL, detail), Said(LIST, listed)])

    assert (found.start, found.end, found.when) == (START + timedelta(days=1), None, None)
    assert "end" not in where


def test_words_that_are_not_understood_are_kept_where_nobody_tells_a_time() -> None:
    found, where = merged([Said(LIST, a_found("selectors", start=None, when="soon"))])

    assert (found.start, found.when, where["when"]) == (None, "soon", "list selectors")


def test_a_venue_is_completed_by_whoever_speaks_of_the_same() -> None:
    detail = a_found(venue=Place("Harbour Hall"))
    listed = a_found(venue=Place("Harbour Hall", city="Macau", latitude=22.1))
    other = a_found(venue=Place("Pier Seven", address="7 Pier Road"))

    found, _ = merged([Said(DETAIL, detail), Said(LIST, listed), Said(LIST, other)])

    assert found.venue == Place("Harbour Hall", city="Macau", latitude=22.1)


def test_nothing_is_made_of_nothing() -> None:
    found, where = merged([Said(LIST, Found("Asia/Macau", price=Price("")))])

    assert (found.title, found.start, found.timezone) == (None, None, "Asia/Macau")
    assert (found.price, where) == (Price(""), {})
