"""Each source has addresses of its own."""

from collections import Counter

from n8n_scraper.serve.api.archive import OPERATIONS
from n8n_scraper.serve.people.places import places
from n8n_scraper.serve.segments import segments
from n8n_scraper.sources import all_sources


def test_two_sources_whose_items_are_called_the_same_go_by_two_names() -> None:
    names = segments()

    assert list(names) == [one.name for one in all_sources()]
    assert len(set(names.values())) == len(names)
    assert names["hk_events"] == "events"
    assert names["events"] == "site_events"


def test_each_source_has_pages_and_operations_of_its_own() -> None:
    addresses = Counter((one.method, one.path) for one in OPERATIONS)

    assert [one.path for one in places()] == ["/templates", "/events", "/site_events"]
    assert [one.words for one in places()] == ["Templates", "Events", "Site events"]
    assert max(addresses.values()) == 1
    assert ("GET", "/api/site_events/{item}/matches") in addresses
    assert ("GET", "/api/templates/{item}/matches") not in addresses
