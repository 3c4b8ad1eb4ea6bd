"""The invented stock, read back: the files say what is true of each event."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from n8n_scraper.sources.hk_events.clock import as_text
from n8n_scraper.sources.hk_events.invented import Changes, InventedEvents, Showing
from tests.unit.sources.hk_events.given import events_in

HONG_KONG = ZoneInfo("Asia/Hong_Kong")


@pytest.mark.parametrize("seed", range(5))
def test_every_invented_event_is_read_as_it_was_meant(seed: int) -> None:
    stock = InventedEvents(40, seed)

    found = events_in(stock)

    assert set(found) == set(stock.events)
    for event_id, truth in stock.events.items():
        event = found[event_id]
        assert event.start == (as_text(truth.start) if truth.start else None)
        assert [one.start for one in event.occurrences] == [start_of(one) for one in truth.showings]
        assert [one.end for one in event.occurrences] == [end_of(one) for one in truth.showings]
        amounts = event.price.amounts if event.price else None
        assert amounts == (None if truth.amounts is None else list(truth.amounts))
        assert (event.price.is_free if event.price else None) is truth.is_free
        assert (event.date_disagreement is None) is bool(truth.showings)


def test_what_changed_in_the_stock_changes_in_the_files() -> None:
    before = InventedEvents(10)
    gone, other = list(before.events)[:2]

    after = events_in(
        InventedEvents(10, changes=Changes(2, frozenset({gone}), {other: "A New Name"}))
    )

    assert set(after) - set(before.events) == {"180011", "180012"}
    assert set(before.events) - set(after) == {gone}
    assert after[other].title == "A New Name"


def start_of(showing: Showing) -> str:
    return as_text(datetime.combine(showing.day, showing.start or time(), HONG_KONG))


def end_of(showing: Showing) -> str | None:
    midnight = datetime.combine(showing.day, time(), HONG_KONG)
    if showing.start is None:
        return as_text(midnight + timedelta(days=1))
    return as_text(datetime.combine(showing.day, showing.end, HONG_KONG)) if showing.end else None
