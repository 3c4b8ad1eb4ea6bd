"""Names of one venue, and of others that sound like it."""

import pytest

from n8n_scraper.policies.sameness.venues import (
    SAME_VENUE,
    Venue,
    city_in,
    city_named,
    read_venue,
    similarity,
)


def venues(one: str, other: str) -> tuple[Venue, Venue]:
    ready = read_venue(one), read_venue(other)
    assert ready[0] is not None
    assert ready[1] is not None
    return ready[0], ready[1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Concert Hall, Hong Kong Cultural Centre", "Hong Kong Cultural Centre (Concert Hall)"),
        ("Hong Kong Coliseum", "Hong Kong Coliseum, Hung Hom"),
        ("HK Coliseum", "香港體育館"),
        ("Galaxy Arena", "Galaxy Arena, Galaxy Macau, Cotai"),
        ("Ko Shan Theatre", "Ko Shan Theatre New Wing (Auditorium)"),
        ("沙田大會堂", "沙田大會堂 (演奏廳)"),
        ("The Venetian Theater", "The Venetian Theatre"),
    ],
)
def test_one_venue_by_several_names(one: str, other: str) -> None:
    assert similarity(*venues(one, other)) >= SAME_VENUE
    assert similarity(*venues(one, other)) == similarity(*venues(other, one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Sha Tin Town Hall", "Tuen Mun Town Hall"),
        ("Tsuen Wan Public Library", "Chai Wan Public Library"),
        ("Wan Chai Community Hall", "Chai Wan Community Hall"),
        ("Kowloon City Public Library", "Sai Kung Public Library"),
        ("City Hall", "Town Hall"),
        ("沙田大會堂", "屯門大會堂"),
    ],
)
def test_venues_that_share_only_what_many_have(one: str, other: str) -> None:
    assert similarity(*venues(one, other)) < SAME_VENUE


def test_a_city_is_known_by_its_names_and_its_parts() -> None:
    assert city_in("Cotai Arena") == city_in("澳門文化中心") == city_named("MACAO") == "macau"
    assert city_in("Hong Kong Cultural Centre") == "hong kong"
    assert city_in("Canton Road Theatre") is None
    assert city_in("From Hong Kong to Macau") is None
    assert city_named("Reykjavík") == "reykjavik"


@pytest.mark.parametrize("text", ["", "--", "…"])
def test_what_has_no_words_is_no_venue(text: str) -> None:
    assert read_venue(text) is None


def test_a_name_that_is_a_city_alone_can_be_compared() -> None:
    assert similarity(*venues("Hong Kong", "Macau")) == 0
