"""The recorded open data of Hong Kong's leisure department, and golden values read by hand."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from n8n_scraper.core.classified import Announced
from n8n_scraper.core.occasion import Occasion
from n8n_scraper.policies.announced.classify import classify
from n8n_scraper.policies.announced.review import is_doubtful
from n8n_scraper.policies.sameness.comparing import Prepared, prepare
from n8n_scraper.policies.sameness.groups import Match, Standing, groups
from n8n_scraper.policies.sameness.pairing import pairs
from n8n_scraper.sources.hk_events.item import Event, broken_promises
from n8n_scraper.sources.hk_events.rules.occasion import occasion_of
from n8n_scraper.sources.hk_events.source import FILES
from tests.unit.sources.hk_events.given import events_of

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "hk-events.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def events(samples: Path) -> dict[str, Event]:
    """Every event of the recorded files."""
    folder = samples / "events"
    if not (folder / "lcsd_events.xml").is_file():
        pytest.skip("no recorded events here")
    venues, dates, events = ((folder / f"lcsd_{name}").read_bytes() for name in FILES)
    return events_of(events, dates, venues)


def announced(events: dict[str, Event]) -> dict[str, Prepared]:
    """What each of them announces, ready to be compared."""
    told = {one: occasion_of(event.model_dump(mode="json")) for one, event in events.items()}
    return {one: ready for one, each in told.items() if (ready := prepare(each)) is not None}


def test_every_recorded_event_becomes_an_item(events: dict[str, Event]) -> None:
    assert len(events) == 1019
    assert all(event.title and event.title != "--" for event in events.values())
    assert all(event.venue for event in events.values())


def test_a_field_is_either_observed_or_has_its_reason(events: dict[str, Event]) -> None:
    for event in events.values():
        assert broken_promises(event) == []


def test_nearly_all_schedules_are_understood(events: dict[str, Event]) -> None:
    not_understood = [
        event.event_id
        for event in events.values()
        if event.unobserved.get("start", "").startswith("not understood")
    ]

    assert len(not_understood) == 7


def test_the_recorded_events_are_told_apart_but_for_two_performances_announced_twice(
    events: dict[str, Event],
) -> None:
    found = [{one, other} for one, other, _ in pairs(announced(events))]

    assert found == [{"175735", "177415"}, {"175803", "177163"}]


def test_every_recorded_event_is_taken_for_one_and_few_are_doubtful(
    events: dict[str, Event],
) -> None:
    found = {one: classify(event.model_dump(mode="json")) for one, event in events.items()}

    assert {one.kind for one in found.values()} == {Announced.EVENT}
    doubtful = [events[one] for one, classified in found.items() if is_doubtful(classified)]
    assert len(doubtful) < 20
    assert all(event.start is None for event in doubtful)


@pytest.mark.parametrize(
    ("in_other_words", "share", "most_mixed"),
    [
        (lambda one: replace(one, titles=(f"{one.titles[0].upper()}!",)), 1.0, 2),
        (lambda one: replace(one, titles=one.titles[-1:], venues=one.venues[-1:]), 1.0, 2),
        (lambda one: replace(one, titles=(f"{one.titles[0].upper()}!",), moment=None), 0.93, 50),
    ],
    ids=["in capitals", "in Chinese", "without hours"],
)
def test_a_second_site_that_tells_them_in_other_words_finds_them_again(
    events: dict[str, Event],
    in_other_words: Callable[[Occasion], Occasion],
    share: float,
    most_mixed: int,
) -> None:
    # Given a site that knows neither their pages nor where on earth they take place
    little = {"site": "guide", "addresses": (), "position": None, "city": None}
    ours = announced(events)
    theirs = {
        f"guide {one}": ready
        for one, event in events.items()
        if (told := occasion_of(event.model_dump(mode="json"))).titles
        if (ready := prepare(replace(in_other_words(told), **little))) is not None
    }

    # When all are grouped
    both = ours | theirs
    matches = [Match(*one) for one in pairs(both)]
    same = Standing(is_rejected=False, is_gone=False, missing=0.0, priority=1)
    found = groups(matches, both, dict.fromkeys(both, same))

    # Then nearly each is with its own, and those that tell their hours with no other
    again = [one for group in found for one in group.members if f"guide {one}" in group.members]
    assert len(again) >= share * len(ours)
    mixed = [one for one in found if len({name.split()[-1] for name in one.members}) > 1]
    assert len(mixed) <= most_mixed


def test_no_day_is_invented(events: dict[str, Event]) -> None:
    for event in events.values():
        assert all(one.date < "2099" for one in event.occurrences)


@pytest.mark.parametrize("event_id", GOLDEN)
def test_a_strange_event_is_read_as_a_person_reads_it(
    events: dict[str, Event], event_id: str
) -> None:
    event, golden = events[event_id], GOLDEN[event_id]

    assert len(event.occurrences) == golden["occurrences"]
    assert event.start == _moment(golden["start"])
    assert event.end == _moment(golden["end"])
    assert event.all_day is golden.get("all_day", False)
    assert event.schedule_doubts == golden.get("doubts", [])
    assert event.unobserved.get("start", "").startswith(golden.get("why_no_start", ""))
    only = event.date_disagreement
    for name in ("only_in_text", "only_in_dates"):
        days = getattr(only, name) if only else []
        assert len(days) == golden.get(f"days_{name}", len(golden.get(name, [])))
        assert days == golden.get(name, days)
    for name in ("title", "languages"):
        assert getattr(event, name) == golden.get(name, getattr(event, name))


def _moment(text: str | None) -> str | None:
    return text and text.replace("Z", ":00Z")
