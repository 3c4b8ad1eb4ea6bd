"""Occasions to be compared."""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from n8n_scraper.core.occasion import Occasion
from n8n_scraper.policies.sameness.comparing import Prepared, compare, prepare
from n8n_scraper.policies.sameness.evidence import Evidence

CONCERT = Occasion(
    site="tickets",
    titles=("Nocturnes by Lamplight",),
    day="2026-03-07",
    moment="2026-03-07T12:00:00Z",
    venues=("Harbour Theatre",),
    addresses=("https://tickets.example/nocturnes",),
)


def made(**changed: Any) -> Prepared:
    """The concert, otherwise than it is in some things, made ready."""
    ready = prepare(replace(CONCERT, **changed))
    assert ready is not None
    return ready


def elsewhere(**changed: Any) -> Prepared:
    """The same as another site tells it, on a page of its own."""
    page = ("https://guide.example/tonight",)
    return made(**{"site": "guide", "addresses": page} | changed)


def compared(**changed: Any) -> Evidence | None:
    """Compare the concert with what another site tells."""
    return compare(made(), elsewhere(**changed))


TITLES = (
    "Nocturnes by Lamplight",
    "NOCTURNES by Lamplight!",
    "Nocturnes by Lamplights",
    "燈下夜曲",
)
VENUES = ("Harbour Theatre", "Harbour Theatre (Foyer)", "Hill Theatre", "--")
MOMENTS = (None, "2026-03-07T12:00:00Z", "2026-03-07T06:30:00Z")
PAGES = ("https://a.example/1", "http://www.a.example/1/?utm_source=x", "https://a.example/")

occasions = st.builds(
    Occasion,
    site=st.sampled_from(["a", "b"]),
    titles=st.lists(st.sampled_from([*TITLES, "", "***"]), max_size=2).map(tuple),
    day=st.sampled_from([None, "2026-03-07", "2026-03-07", "2026-03-08", "2026-03-10", "soon"]),
    moment=st.sampled_from(MOMENTS),
    venues=st.lists(st.sampled_from(VENUES), max_size=2).map(tuple),
    city=st.sampled_from([None, None, "Hong Kong", "Macao"]),
    position=st.sampled_from([None, None, (22.28, 114.16), (22.19, 113.54)]),
    addresses=st.lists(st.sampled_from(PAGES), max_size=1).map(tuple),
)
"""Occasions of few kinds, so that many of them are the same."""
