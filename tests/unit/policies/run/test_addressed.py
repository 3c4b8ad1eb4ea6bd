"""Which source a domain means, and which item an address."""

from dataclasses import replace

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Division, Ids, ItemAddress, Noun, Source
from n8n_scraper.policies.run.addressed import address_of, item_at, source_meant

WORDS = Source(
    name="words",
    spider="words",
    noun=Noun("word", "words"),
    key="word_id",
    ids=Ids("[a-z]+", "letters", "a,b"),
    parts=("text",),
    bases=("WORDS_URL",),
    inventory_requests=1,
    settings={},
    home="nowhere",
    stand_in="nowhere",
    page="/w/{id}",
    addresses=(ItemAddress("WORDS_URL", r"/w/(?P<id>[a-z]+)(?:/(?P<tongue>[a-z]+))?/?"),),
)
OTHER = replace(WORDS, name="other", bases=("OTHER_URL",), addresses=(), page="#{id}")
SETTINGS = {"WORDS_URL": "https://www.words.example/dic", "OTHER_URL": "http://127.0.0.1:8000"}
BOTH = (WORDS, OTHER)


@pytest.mark.parametrize(
    "domain", ["words.example", "www.words.example", "WORDS.example", "https://words.example/x"]
)
def test_a_source_is_known_by_its_domain_however_that_is_written(domain: str) -> None:
    assert source_meant(domain, BOTH, SETTINGS) is WORDS


def test_a_port_that_is_named_has_to_be_the_sources() -> None:
    assert source_meant("127.0.0.1", BOTH, SETTINGS) is OTHER
    assert source_meant("127.0.0.1:8000", BOTH, SETTINGS) is OTHER
    assert source_meant("127.0.0.1:8001", BOTH, SETTINGS) is None


def test_of_two_sources_at_one_domain_the_one_is_meant_that_is_named() -> None:
    both_here = dict.fromkeys(SETTINGS, "http://127.0.0.1:8000")

    assert source_meant("127.0.0.1", BOTH, both_here, named="other") is OTHER
    with pytest.raises(BadInput, match="words and other are both at 127"):
        source_meant("127.0.0.1", BOTH, both_here)


def test_an_address_stands_for_an_item_with_what_it_says_of_it() -> None:
    url = "https://words.example/dic/w/bread/english/?from=feed"

    found = item_at(url, WORDS, SETTINGS)

    assert found is not None
    assert (found.item_id, found.listing, found.url) == ("bread", {"tongue": "english"}, url)


@pytest.mark.parametrize(
    "url",
    [
        "https://words.example/dic/w/7",
        "https://words.example/w/bread",
        "https://words.example.evil.example/dic/w/bread",
        "https://words.example:99/dic/w/bread",
        "https://words.example:port/dic/w/bread",
        "https://[words/dic/w/bread",
    ],
)
def test_another_address_stands_for_none(url: str) -> None:
    assert item_at(url, WORDS, SETTINGS) is None


@pytest.mark.parametrize(
    ("source", "written"),
    [(WORDS, "https://www.words.example/dic/w/bread"), (OTHER, "http://127.0.0.1:8000#bread")],
)
def test_an_item_has_the_address_that_stands_for_it(source: Source, written: str) -> None:
    found = item_at(written, source, SETTINGS)

    assert address_of("bread", source, SETTINGS) == written
    assert found is not None
    assert found.item_id == "bread"


def test_a_source_of_many_places_is_nowhere_until_one_is_named() -> None:
    many = replace(WORDS, settings={"WORDS_URL": ""}, divided_by="tongue")

    assert many.places({"WORDS_URL": ""}) == []
    assert address_of("a", many, {"WORDS_URL": ""}) is None
    assert many.places(SETTINGS) == ["https://www.words.example/dic"]
    assert many.division({"tongue": "english"}) == Division("tongue", "english")
    assert many.division({}) is WORDS.division({"tongue": "english"}) is None
