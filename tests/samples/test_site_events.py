"""What is kept of recorded pages of events says of each event what the page did."""

from dataclasses import replace
from pathlib import Path

import pytest

from n8n_scraper.sources.events.cutting import cut
from n8n_scraper.sources.events.found import Hints
from n8n_scraper.sources.events.listing import Answered, Asked, read_list
from n8n_scraper.sources.events.pieces import Piece
from tests.unit.sources.events.given import HINTS, LIST_URL

SEVERAL = {
    "songkick_elysianfields.html": 4,
    "songkick_elysianfields_1.html": 4,
    "cityscrapers_chi_low_income_housing_trust_fund.ics": 30,
}
"""How many events a recorded page has that has several."""


@pytest.fixture(params=SEVERAL)
def page(request: pytest.FixtureRequest, samples: Path) -> Answered:
    """A recorded page of several events."""
    file = samples / "events" / request.param
    if not file.is_file():
        pytest.skip(f"no recorded {file.name} here")
    return Answered(LIST_URL, None, None, file.read_bytes())


def test_each_event_of_a_recorded_page_is_kept_alone_and_says_the_same(
    page: Answered, request: pytest.FixtureRequest
) -> None:
    hints: Hints = replace(HINTS, timezone="America/Chicago", currency=None)
    whole = Piece(page.url, page.content_type, hints, page.body)
    founds = whole.founds()

    pieces = cut(whole, founds)

    assert len(founds) == SEVERAL[request.node.callspec.params["page"]]
    assert [one.founds() for one in pieces] == [[found] for found in founds]
    assert max(len(one.body) for one in pieces) < len(whole.body) / 4
    # And each has an id of its own
    listing = read_list(page, [], Asked("city", hints, ("title", "start")))
    assert len({one.event_id for one in listing.events}) == len(founds)
