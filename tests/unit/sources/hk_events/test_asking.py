"""What would be asked for an event: nothing of its own."""

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.source import Step
from n8n_scraper.sources.hk_events.kind import KIND

SITE = {"HK_EVENTS_URL": "https://site.example/event"}


def test_every_event_comes_with_the_same_three_files() -> None:
    assert KIND.asking is not None
    event = Dossier.opened(Planned("180001"), started=0.0)

    assert KIND.asking.steps(SITE, event) == {
        "full": (
            Step("venues.xml", "https://site.example/event/venues.xml"),
            Step("eventDates.xml", "https://site.example/event/eventDates.xml"),
            Step("events.xml", "https://site.example/event/events.xml"),
        )
    }


def test_no_address_is_one_events() -> None:
    assert KIND.asking is not None

    assert KIND.asking.item_at(SITE, "https://site.example/event/events.xml") is None
