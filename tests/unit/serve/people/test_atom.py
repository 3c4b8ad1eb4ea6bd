from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from n8n_scraper.serve.people.atom import Entry, Feed, as_xml

NAMES = {"a": "http://www.w3.org/2005/Atom"}


def feed(*entries: Entry) -> Feed:
    return Feed("New", "http://h/templates", "http://h/feed.atom", "2026-01-01T00:00:00Z", entries)


def entry(text: str = "x", updated: str = "2026-02-01T00:00:00Z") -> Entry:
    return Entry(f"http://h/{text}", text, f"http://h/{text}", updated, text, text)


def test_an_entry_has_what_a_reader_of_feeds_needs() -> None:
    root = etree.fromstring(as_xml(feed(entry())))

    (one,) = root.findall("a:entry", NAMES)
    for name in ("id", "title", "updated", "summary"):
        assert one.findtext(f"a:{name}", namespaces=NAMES)
    assert one.find("a:link", NAMES).get("href") == "http://h/x"
    assert one.findtext("a:author/a:name", namespaces=NAMES) == "x"


def test_a_feed_was_changed_when_its_newest_entry_was() -> None:
    root = etree.fromstring(as_xml(feed(entry(updated="2026-03-01"), entry(updated="2026-02-01"))))

    assert root.findtext("a:updated", namespaces=NAMES) == "2026-03-01"


def test_without_entries_it_is_a_feed_all_the_same() -> None:
    root = etree.fromstring(as_xml(feed()))

    assert root.findtext("a:updated", namespaces=NAMES) == "2026-01-01T00:00:00Z"


@given(st.text())
def test_whatever_a_stranger_wrote_it_is_well_formed(text: str) -> None:
    root = etree.fromstring(as_xml(feed(entry(text))))

    assert len(root.findall("a:entry", NAMES)) == 1
    assert not root.findall(".//a:script", NAMES)
