"""What is kept of a page is what speaks of one event, and is read as the page is."""

import json
from typing import Any

import pytest

from n8n_scraper.sources.events.cutting import cut
from n8n_scraper.sources.events.found import Hints
from n8n_scraper.sources.events.pieces import Piece
from tests.unit.sources.events.given import HINTS, a_page, a_piece, linked_data

TWO = [linked_data(name=name, url=f"/event/{name}") for name in ("Lanterns", "Drummers")]
PLAIN = [{name: said for name, said in one.items() if name[0] != "@"} for one in TWO]
CARDS = "".join(
    f"<li><h3>{name}</h3><p>{day} December 2026, 8:00pm</p></li>"
    for name, day in (("Lanterns", 5), ("Drummers", 6))
)
CALENDAR = (
    b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n"
    + b"".join(
        b"BEGIN:VEVENT\r\nUID:%d\r\nSUMMARY:Lanterns %d\r\nDTSTART:20261205T120000Z\r\n"
        b"END:VEVENT\r\n" % (number, number)
        for number in (1, 2)
    )
    + b"END:VCALENDAR\r\n"
)


def with_selectors(**selectors: str) -> Hints:
    return Hints(HINTS.timezone, HINTS.currency, selectors, HINTS.today)


@pytest.mark.parametrize(
    "piece",
    [
        a_piece(a_page(*TWO, body="<p>and more</p>" * 20)),
        a_piece(a_page({"@context": "https://schema.org", "@graph": TWO})),
        a_piece(json.dumps({"data": {"events": PLAIN}}).encode(), content_type="application/json"),
        a_piece(json.dumps(TWO).encode(), content_type="application/ld+json"),
        a_piece(json.dumps({"html": a_page(*TWO).decode()}).encode()),
        a_piece(CALENDAR, content_type="text/calendar"),
        a_piece(a_page(body=f"<ul>{CARDS}</ul>"), hints=with_selectors(title="h3", date="p")),
        a_piece(
            a_page(body=f"<ul>{CARDS}</ul>"),
            hints=with_selectors(item="ul li", title="h3", date="p"),
        ),
        a_piece("<ul>{}</ul>".format(CARDS.replace("Lanterns", "燈會")).encode("big5"),
                hints=Hints("Asia/Macau", None, {"title": "h3", "date": "p"}, HINTS.today, "big5")),
    ],
    ids=[
        *("json-ld", "graph", "json", "json-ld by itself", "html in json", "calendar"),
        *("titles", "items", "big5"),
    ],
)  # fmt: skip
def test_each_event_has_a_piece_of_its_own_that_says_the_same(piece: Piece) -> None:
    founds = piece.founds()
    assert len(founds) == 2

    pieces = cut(piece, founds)

    assert [one.founds() for one in pieces] == [[found] for found in founds]
    assert piece not in pieces


def test_what_says_something_else_alone_is_kept_with_the_whole_page() -> None:
    # Given two events whose venue stands beside them
    place: dict[str, Any] = {"@type": "Place", "@id": "#hall", "name": "Harbour Hall"}
    events = [one | {"location": {"@id": "#hall"}} for one in TWO]
    piece = a_piece(a_page({"@context": "https://schema.org", "@graph": [place, *events]}))
    founds = piece.founds()
    assert [one.venue.name for one in founds if one.venue] == ["Harbour Hall"] * 2

    assert cut(piece, founds) == [piece, piece]


def test_a_page_of_one_event_is_its_own_piece() -> None:
    piece = a_piece(a_page(TWO[0]))

    assert cut(piece, piece.founds()) == [piece]
    assert cut(piece, []) == []
