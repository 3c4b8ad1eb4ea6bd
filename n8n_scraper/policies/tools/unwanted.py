"""Say what a page asks for that its data does not need: pictures, films, fonts, and trackers."""

from __future__ import annotations

from n8n_scraper.policies.pace.domain import registrable_domain

HEAVY = frozenset({"image", "media", "font"})
"""Kinds of resources, in a browser's words."""

TRACKERS = frozenset(
    {
        "adnxs.com",
        "amplitude.com",
        "clarity.ms",
        "criteo.com",
        "criteo.net",
        "doubleclick.net",
        "fullstory.com",
        "google-analytics.com",
        "googleadservices.com",
        "googlesyndication.com",
        "googletagmanager.com",
        "hotjar.com",
        "hotjar.io",
        "hs-analytics.net",
        "intercom.io",
        "mixpanel.com",
        "mouseflow.com",
        "newrelic.com",
        "nr-data.net",
        "optimizely.com",
        "outbrain.com",
        "quantserve.com",
        "scorecardresearch.com",
        "segment.com",
        "segment.io",
        "taboola.com",
    }
)
"""Registrable domains that only watch whoever looks at a page."""


def is_unwanted(url: str, kind: str) -> bool:
    """Tell whether a page is drawn as well without this."""
    return kind in HEAVY or registrable_domain(url) in TRACKERS
