"""Whatever a page is made of, reading it gives a list, and takes no longer than it is long."""

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from n8n_scraper.sources.events.adapters import found_in
from n8n_scraper.sources.events.found import Found, Hints
from tests.unit.sources.events.hostile import page

CARDS = Hints(
    "Asia/Macau",
    "MOP",
    {"item": ".c", "title": "h3", "date": "p", "venue": "p", "price": "p", "image": "img"},
    date(2025, 8, 20),
)
TITLES = Hints("Asia/Macau", "MOP", {"title": "h3", "date": "p"}, date(2025, 8, 20))

ENCODINGS = st.sampled_from(
    [
        *("utf-8", "utf-16", "big5", "gbk", "cp1252", "iso-2022-jp", "utf-7", "punycode", "idna"),
        *("base64", "rot13", "unicode_escape", "undefined", "nonsense", "", "hex", "\0"),
    ]
)
PIECES = st.sampled_from(
    [
        *('<div class="c">', "<h3>", "Jazz", "</h3>", "<p>", "1 Sep 2025", "</p>", "</div>"),
        *('<script type="application/ld+json">', '{"@type":"Event","name":"x","startDate":"', '"}'),
        *(
            '<p itemscope itemtype="http://schema.org/Event">',
            '<b itemprop="startDate">',
            "From $1",
        ),
        *('{"events":[', '{"title":"x","date":"2025-09-01","venue":{', "}]}", "[", "]", "null"),
        *(
            "BEGIN:VCALENDAR\n",
            "BEGIN:VEVENT\n",
            "SUMMARY:x\n",
            "DTSTART:20250901\n",
            "RRULE:FREQ=",
        ),
        *("<!DOCTYPE rss [<!ENTITY e 'x'>]>", "</item>", "</title>", "<link>"),
        *(
            "<?xml version='1.0'?>",
            "<rss>",
            "<item>",
            "<?x y?>",
            "<!--x-->",
            "&e;",
            "<title>",
            "</script>",
            "\0",
            "é",
            "&#0;",
        ),
        *("<img src='http://[x'>", "<a href='//['>", "年9月", "\ud83d\ude00", '"offers":{"price":'),
        *(
            "<script>window.abc = ",
            "<img srcset='a 1x, b'>",
            '"location":[[{}]],',
            "<base href='//['>",
        ),
    ]
)


def read(body: bytes, known: Hints = CARDS, kind: str | None = None) -> list[Found]:
    return found_in(body, "https://a.example/", kind, known)


@given(st.binary(max_size=200), st.sampled_from([None, "text/xml", "application/json", "x"]))
def test_any_bytes_give_a_list(body: bytes, kind: str | None) -> None:
    assert isinstance(read(body, kind=kind), list)


@given(st.binary(max_size=40), ENCODINGS, ENCODINGS, ENCODINGS)
def test_whatever_encoding_is_named_there_is_a_list(
    body: bytes, given_: str, told: str, own: str
) -> None:
    known = Hints("Asia/Macau", None, {"title": "h3"}, date(2025, 8, 20), given_)
    page = f'<meta charset="{own}"><h3>'.encode() + body

    for kind in (None, f"text/html; charset={told}"):
        assert isinstance(read(page, known, kind), list)


@given(st.lists(PIECES, max_size=25), st.sampled_from([CARDS, TITLES]))
def test_any_pieces_of_pages_give_whole_events(pieces: list[str], known: Hints) -> None:
    for event in read("".join(pieces).encode("utf-8", "replace"), known):
        assert event.title
        assert event.start is None or event.start == event.occurrences[0].start
        assert (event.start is None) == (event.occurrences == ())
        assert "title" in event.sources


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
        lambda inner: st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["title", "name", "date", "start", "venue", "price", "image", "url", "events",
                 "location", "offers", "sections", "id", "dates", "geo", "timezone", "status"]
            ),
            inner,
            max_size=5,
        ),
        max_leaves=15,
    )
)  # fmt: skip
def test_any_json_gives_a_list(data: object) -> None:
    import json

    read(json.dumps({"events": [data, {"title": "x", "date": data}]}).encode())


@pytest.mark.parametrize("name", ["cards", "headings", "data", "comments", "prices", "quotes"])
def test_a_page_that_is_made_to_take_long_does_not(name: str) -> None:
    assert seconds(page(name, 200_000), CARDS) < 5


def seconds(body: bytes, known: Hints) -> float:
    """How many seconds of CPU it takes to read a page."""
    before = time.process_time()
    found_in(body, "https://a.example/", None, known)
    return time.process_time() - before
