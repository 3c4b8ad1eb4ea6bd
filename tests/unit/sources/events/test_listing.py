"""A page of a list says which events there are, where each is told, and what comes next."""

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.policies.tools.coverage import coverage_of
from n8n_scraper.sources.events.ids import id_of_address
from n8n_scraper.sources.events.listing import Answered, Asked, Listing, read_list
from n8n_scraper.sources.events.pieces import Piece
from tests.unit.sources.events.given import HINTS, LIST_URL, a_page, linked_data

REQUIRED = ("title", "start", "location", "description")
ASKED = Asked("city", HINTS, REQUIRED)
FOLLOWED = replace(ASKED, follow="a[href*='/event/']", next="a.next")


def page(body: bytes, url: str = LIST_URL) -> Answered:
    return Answered(url, "text/html; charset=utf-8", "utf-8", body)


def data(said: object) -> Answered:
    url = "https://city.example/data"
    return Answered(url, "application/json", None, json.dumps(said).encode())


def coverage(listing: Listing) -> float:
    return coverage_of([one.draft for one in listing.events], REQUIRED).share


def details(listing: Listing) -> list[str | None]:
    return [Piece.read(one.piece).detail for one in listing.events]


def test_an_event_that_the_list_says_all_of_is_asked_for_no_more() -> None:
    listing = read_list(page(a_page(linked_data())), [], ASKED)

    [event] = listing.events
    assert event.title == "Lanterns"
    assert event.event_id == id_of_address("city", "https://city.example/event/lanterns")
    assert (coverage(listing), details(listing), listing.next) == (1.0, [None], None)


def test_an_event_that_lacks_something_required_is_asked_for_at_its_own_page() -> None:
    listing = read_list(page(a_page(linked_data(description=None))), [], ASKED)

    assert details(listing) == ["https://city.example/event/lanterns"]


def test_the_page_of_an_event_on_another_site_is_not_asked_for() -> None:
    elsewhere = linked_data(description=None, url="https://tickets.example/7")

    assert details(read_list(page(a_page(elsewhere)), [], ASKED)) == [None]


def test_links_are_followed_once_each_on_the_same_site() -> None:
    body = """<a href="/event/1">One</a><a href="/event/1?utm_source=x">Learn More</a>
        <a href="https://tickets.example/event/1">Tickets</a><a href="/event/2#top">Two</a>
        <a href="javascript:go('/event/')">Three</a><a class="next" href="?page=2">Next</a>"""

    listing = read_list(page(a_page(body=body)), [], FOLLOWED)

    assert details(listing) == ["https://city.example/event/1", "https://city.example/event/2"]
    assert listing.next == "https://city.example/events?page=2"
    # a link stands for all that its page will be asked for
    assert coverage(listing) == 1.0


def test_an_event_of_the_list_and_the_link_to_its_page_are_one() -> None:
    body = '<a href="/event/lanterns">Lanterns</a><a href="/event/other">Other</a>'

    listing = read_list(page(a_page(linked_data(), body=body)), [], FOLLOWED)

    assert [one.title for one in listing.events] == ["Lanterns", None]
    assert details(listing) == [
        "https://city.example/event/lanterns",
        "https://city.example/event/other",
    ]


def test_what_the_page_has_fetched_counts_where_it_says_more_than_the_page() -> None:
    drawn = a_page(body="<h2>Lanterns</h2><h2>Drummers</h2>")
    told = [linked_data(name="Lanterns"), linked_data(name="D", url="/d")]
    plain = [{name: said for name, said in one.items() if name[0] != "@"} for one in told]
    fetched = data({"events": plain})

    assert [one.title for one in read_list(page(drawn), [fetched], ASKED).events] == [
        "Lanterns",
        "D",
    ]
    whole = a_page(*(linked_data(name=name, url=f"/{name}") for name in "ABC"))
    assert [one.title for one in read_list(page(whole), [fetched], ASKED).events] == list("ABC")


def test_the_same_event_twice_on_a_page_is_one() -> None:
    again = linked_data(description="In more words.")

    listing = read_list(page(a_page(linked_data(), linked_data(), again)), [], ASKED)

    assert len(listing.events) == 1


@given(st.binary(max_size=400), st.sampled_from((None, "utf-8", "big5", "no-such-encoding")))
def test_whatever_the_bytes_are_reading_a_list_raises_nothing(
    body: bytes, encoding: str | None
) -> None:
    answers = [Answered(LIST_URL, f"text/html; charset={encoding}", encoding, body)]
    start = b'<a href="/event/1">' + body

    listing = read_list(replace(answers[0], body=start), answers, FOLLOWED)

    assert all(one.event_id.startswith("city-") for one in listing.events)


def test_a_page_without_an_event_has_none() -> None:
    for body in (b"", b"\xff\xfe", b"<html><nav><h3>Hotels</h3></nav></html>", b'{"events": []}'):
        assert read_list(page(body), [data([])], FOLLOWED) == Listing((), None)
