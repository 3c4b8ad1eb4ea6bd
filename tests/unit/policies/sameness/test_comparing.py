"""The three tiers, what is near and not the same, and what holds of any two."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from n8n_scraper.core.occasion import Occasion
from n8n_scraper.policies.sameness.comparing import compare, prepare
from n8n_scraper.policies.sameness.evidence import Tier, evidence_of
from tests.thoroughness import at_length
from tests.unit.policies.sameness.given import CONCERT, compared, elsewhere, made, occasions

PAGE = "https://www.tickets.example/nocturnes/?utm_source=guide"


def test_the_same_title_day_and_venue_is_exact() -> None:
    found = compared(titles=("NOCTURNES  by lamplight",), moment=None)

    assert found is not None
    assert found.tier is Tier.EXACT
    assert found.title.other == "NOCTURNES  by lamplight"
    assert found.title.similarity == 1
    assert found.days == ("2026-03-07", "2026-03-07")
    assert (found.address, found.minutes_apart) == (None, None)


def test_nearly_the_same_title_a_day_and_a_room_apart_is_fuzzy() -> None:
    found = compared(
        titles=("Nocturnes by Lamplights",),
        day="2026-03-08",
        moment="2026-03-07T16:00:00Z",
        venues=("Harbour Theatre (Foyer)",),
    )

    assert found is not None
    assert found.tier is Tier.FUZZY
    assert 0.92 <= found.title.similarity < 1
    assert found.venue is not None
    assert found.venue.similarity >= 0.6
    assert found.venue.other == "Harbour Theatre (Foyer)"
    assert found.minutes_apart == 240


def test_the_same_page_is_told_in_other_words_and_without_a_venue() -> None:
    found = compared(titles=("Lamplight: nocturnes, an evening",), venues=(), addresses=(PAGE,))

    assert found is not None
    assert found.tier is Tier.ADDRESS
    assert found.address == "tickets.example/nocturnes"
    assert found.venue is None


def test_the_same_page_is_told_in_another_script() -> None:
    chinese: dict[str, Any] = {"titles": ("燈下夜曲",), "venues": (), "addresses": (PAGE,)}

    same = compared(**chinese)
    a_day_later = compared(**chinese, day="2026-03-08")

    assert same is not None
    assert same.tier is Tier.ADDRESS
    assert a_day_later is None


@pytest.mark.parametrize(
    "changed",
    [
        {"day": "2026-03-09"},
        {"titles": ("Nocturnes by Daylight",)},
        {"titles": ("Nocturnes by Lamplight II",)},
        {"venues": ("Hill Theatre",)},
        {"venues": ()},
        {"titles": ("Storytelling for Children",), "addresses": (PAGE,)},
        {"titles": ("Nocturnes by Lamplight",), "day": "2026-03-14", "addresses": (PAGE,)},
    ],
)
def test_what_is_near_is_not_the_same(changed: dict[str, Any]) -> None:
    assert compared(**changed) is None


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"city": "Hong Kong"}, {"city": "Macao"}),
        ({"venues": ("Hong Kong City Theatre",)}, {"venues": ("Macau City Theatre",)}),
        ({"position": (22.28, 114.16)}, {"position": (22.19, 113.54)}),
    ],
)
def test_the_same_title_in_two_cities_is_not_the_same(
    ours: dict[str, Any], theirs: dict[str, Any]
) -> None:
    one = made(**ours, addresses=(PAGE,))

    assert compare(one, elsewhere(**theirs, addresses=(PAGE,))) is None
    assert compare(one, elsewhere(**ours, addresses=(PAGE,))) is not None


@pytest.mark.parametrize(
    "changed",
    [
        {"day": "2026-03-08", "moment": "2026-03-08T12:00:00Z"},
        {"moment": "2026-03-07T06:30:00Z"},
        {"moment": None},
        {"venues": ("Harbour Theatre (Foyer)",)},
    ],
)
def test_what_one_site_tells_apart_is_not_the_same(changed: dict[str, Any]) -> None:
    assert compare(made(), made(**changed)) is None
    assert compare(made(), elsewhere(**changed)) is not None


def test_what_one_site_lists_twice_with_the_same_time_and_room_is_the_same() -> None:
    twice = compare(made(), made(addresses=()))
    misspelt = compare(made(), made(titles=("Nocturnes by Lamplights",)))
    without_a_time = compare(
        made(moment=None), made(moment=None, titles=("Nocturnes by Lamplights",))
    )

    assert twice is not None
    assert twice.tier is Tier.EXACT
    assert misspelt is not None
    assert misspelt.tier is Tier.FUZZY
    assert without_a_time is None
    # ... and where no hour is known, two pages are of two
    assert compare(made(moment=None), made(moment=None)) is not None
    elsewhere_here = ("https://tickets.example/other",)
    assert compare(made(moment=None), made(moment=None, addresses=elsewhere_here)) is None


@pytest.mark.parametrize(
    "changed", [{"titles": ()}, {"titles": ("--", "")}, {"day": None}, {"day": "next week"}]
)
def test_what_has_no_title_or_no_day_is_never_compared(changed: dict[str, Any]) -> None:
    assert prepare(replace(CONCERT, **changed)) is None


@given(occasions, occasions)
@settings(max_examples=at_length(120), deadline=None)
def test_from_both_sides_it_looks_the_same(one: Occasion, other: Occasion) -> None:
    ours, theirs = prepare(one), prepare(other)
    if ours is None or theirs is None:
        return

    found, turned = compare(ours, theirs), compare(theirs, ours)

    assert (found and found.turned()) == turned
    if found is not None:
        assert evidence_of(found.as_json()) == found
        assert found.address or (one.venues and other.venues)
