"""Take the secrets out of whatever leaves the house, where that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from importlib import import_module
from typing import Any

from n8n_scraper.policies.safety.redaction import Redaction

Redact = Callable[[Any], Any]
"""Takes an item of any kind, and gives one of the same."""


def redactor(redaction: Redaction, kept: Collection[str]) -> Redact:
    """Give what an item passes on its way into an export or a feed, by `REDACT`.

    What is kept are the fields in which nobody writes text.
    """
    if redaction != Redaction.REPLACE:
        return lambda item: item
    # Only who blacks out needs the detector and its patterns.
    redacted: Any = import_module("n8n_scraper.policies.safety.secrets").redacted
    return partial(redacted, kept=kept)
