"""Compute what follows from an event's content: what it is, and how much of it is there."""

from __future__ import annotations

import hashlib
import json

from n8n_scraper.core.source import Computed
from n8n_scraper.policies.announced.classify import LOOKED_AT, classify
from n8n_scraper.sources.events.item import REQUIRED, Quality, SiteEvent, Taken
from n8n_scraper.sources.events.rules.change import AUTHORED_FIELDS, content_of

SOURCE = "computed"
"""What `sources` says of such fields."""


def measure_coverage(event: SiteEvent) -> None:
    """Say which of the required fields are there."""
    missing = [name for name in REQUIRED if getattr(event, name) is None]
    coverage = round(1 - len(missing) / len(REQUIRED), 4)
    event.observe("quality", Quality(coverage=coverage, missing=missing), SOURCE)


def say_what_it_is(event: SiteEvent) -> None:
    """Say whether it is an event, an attraction, or nothing at all."""
    found = classify(event.model_dump(mode="json"))
    reasons = list(found.reasons)
    taken = Taken(kind=found.kind, confidence=found.confidence, reasons=reasons)
    event.observe("classification", taken, SOURCE)


def take_fingerprint(event: SiteEvent) -> None:
    """Fingerprint what its authors can edit."""
    content = content_of(event.model_dump(mode="json"))
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    event.observe("content_hash", hashlib.sha256(canonical.encode()).hexdigest(), SOURCE)


COMPUTED: tuple[Computed[SiteEvent], ...] = (
    Computed("content_hash", take_fingerprint, of=AUTHORED_FIELDS, not_yet="not computed yet"),
    Computed("classification", say_what_it_is, of=LOOKED_AT, not_yet="not classified yet"),
    Computed("quality", measure_coverage, of=REQUIRED, not_yet="not measured yet"),
)
"""The one table of what is computed of an event, in its order."""
