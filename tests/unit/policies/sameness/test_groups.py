"""Groups of one happening, and which announcement of it is kept."""

from collections.abc import Mapping
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from n8n_scraper.core.occasion import Occasion
from n8n_scraper.policies.sameness.comparing import Prepared, contradict, prepare
from n8n_scraper.policies.sameness.groups import Group, Match, Standing, groups
from n8n_scraper.policies.sameness.pairing import pairs
from tests.unit.policies.sameness.given import elsewhere, made, occasions

PAGE = ("https://tickets.example/nocturnes",)
SUNDAY = {"day": "2026-03-08", "moment": "2026-03-08T12:00:00Z"}


def grouped(
    ready: Mapping[str, Prepared], standings: Mapping[str, Standing] | None = None
) -> list[Group[str]]:
    matches = [Match(*pair) for pair in pairs(ready)]
    alike = dict.fromkeys(
        ready, Standing(is_rejected=False, is_gone=False, missing=0.0, priority=1)
    )
    return groups(matches, ready, alike | dict(standings or {}))


def test_the_days_of_a_series_are_grouped_day_by_day() -> None:
    series = {
        "a1": made(),
        "a2": made(**SUNDAY),
        "b1": elsewhere(),
        "b2": elsewhere(**SUNDAY),
    }

    found = grouped(series)

    assert [one.members for one in found] == [("a1", "b1"), ("a2", "b2")]
    assert all(len(one.matches) == 1 for one in found)


def test_two_showings_on_one_day_are_grouped_by_their_hours() -> None:
    late = {"moment": "2026-03-07T16:00:00Z"}

    found = grouped({"a1": made(), "a2": made(**late), "b2": elsewhere(**late), "b1": elsewhere()})

    assert [one.members for one in found] == [("a1", "b1"), ("a2", "b2")]


def test_two_cities_are_not_joined_by_a_site_that_names_none() -> None:
    found = grouped(
        {
            "here": made(city="Hong Kong"),
            "there": elsewhere(city="Macao"),
            "somewhere": made(site="blog", addresses=()),
        }
    )

    assert [len(one.members) for one in found] == [2]
    assert found[0].members[0] in ("here", "somewhere")


def test_the_one_to_keep_is_there_is_known_best_and_comes_from_the_site_that_is_believed() -> None:
    told = {name: made(site=name) for name in ("gone", "no", "poor", "rich", "richer", "second")}
    standings = {
        "no": Standing(is_rejected=True, is_gone=False, missing=0.0, priority=1),
        "gone": Standing(is_rejected=False, is_gone=True, missing=0.0, priority=1),
        "poor": Standing(is_rejected=False, is_gone=False, missing=0.5, priority=1),
        "rich": Standing(is_rejected=False, is_gone=False, missing=0.1, priority=1),
        "richer": Standing(is_rejected=False, is_gone=False, missing=0.0, priority=2),
        "second": Standing(is_rejected=False, is_gone=False, missing=0.1, priority=2),
    }

    [found] = grouped(told, standings)

    assert found.members == ("richer", "rich", "second", "poor", "gone", "no")
    assert len(found.matches) == 15


@given(st.lists(occasions, max_size=10), st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_groups_are_the_same_in_whatever_order_and_hold_no_contradiction(
    told: list[Occasion], seed: int
) -> None:
    ready = {
        f"{number:02}": one
        for number, each in enumerate(told)
        if (one := prepare(each)) is not None
    }
    shuffled = list(ready.items())
    Random(seed).shuffle(shuffled)

    found = grouped(ready)

    assert [one.members for one in grouped(dict(shuffled))] == [one.members for one in found]
    members = [one for group in found for one in group.members]
    assert len(members) == len(set(members))
    assert not any(
        contradict(ready[one], ready[other])
        for group in found
        for one in group.members
        for other in group.members
        if one != other
    )
