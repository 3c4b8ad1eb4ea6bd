"""The recorded open data of Hong Kong's leisure department, and golden values read by hand."""

import json
from pathlib import Path

import pytest

from n8n_scraper.sources.hk_events.item import Event, broken_promises
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
