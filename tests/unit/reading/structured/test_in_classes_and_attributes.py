"""RDFa, Open Graph and microformats, as far as events need them."""

from n8n_scraper.reading.structured.document import tree_of
from n8n_scraper.reading.structured.microformats import microformats
from n8n_scraper.reading.structured.open_graph import dublin_core, open_graph
from n8n_scraper.reading.structured.rdfa import rdfa

URL = "https://a.example/"


def test_things_in_rdfa_know_each_other_by_their_addresses() -> None:
    root = tree_of("""
        <div vocab="http://schema.org/" typeof="Event">
          <b property="name">Jazz</b><time property="startDate" datetime="2025-09-27">Sat</time>
          <div property="location" typeof="Place"><i property="name">Hall</i></div>
        </div>""")
    assert root is not None

    event, place = rdfa(root, URL)

    assert event["@type"] == ["http://schema.org/Event"]
    assert event["http://schema.org/name"] == [{"@value": "Jazz"}]
    assert event["http://schema.org/startDate"] == [{"@value": "2025-09-27"}]
    assert event["http://schema.org/location"] == [{"@id": place["@id"]}]
    assert place["http://schema.org/name"] == [{"@value": "Hall"}]


def test_an_event_in_classes_is_read_in_both_ways_to_write_it() -> None:
    root = tree_of("""
        <div class="card h-event"><a class="p-name u-url" href="/jazz">Jazz</a>
          <time class="dt-start" datetime="2025-09-27T20:00">Sat</time>
          <span class="h-adr p-location"><b class="p-name">Hall</b></span></div>
        <div class="vevent"><b class="summary">Rock</b>
          <abbr class="dtstart" title="2025-09-28">Sun</abbr></div>
        <div class="prevented">no</div>""")
    assert root is not None

    assert [one["properties"] for one in microformats(root)] == [
        {"name": ["Jazz"], "url": ["/jazz"], "start": ["2025-09-27T20:00"], "location": ["Hall"]},
        {"name": ["Rock"], "start": ["2025-09-28"]},
    ]


def test_a_page_says_what_it_is_about_in_its_head() -> None:
    root = tree_of("""<head><meta property="og:title" content="Jazz">
        <meta property="og:title" content="Jazz"><meta property="twitter:x" content="no">
        <meta name="DC.date" content="2025"><meta name="viewport" content="no"></head>""")
    assert root is not None

    assert open_graph(root)[0]["properties"] == [["og:title", "Jazz"]]
    assert [one["name"] for one in dublin_core(root)[0]["elements"]] == ["DC.date"]
