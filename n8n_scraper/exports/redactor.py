"""Take the secrets out of whatever leaves the house, where that is wanted."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, TypeAlias

from n8n_scraper.policies.safety.redaction import Redaction

if TYPE_CHECKING:
    from n8n_scraper.sources.n8n.item import Template

Redact: TypeAlias = "Callable[[Template], Template]"


def redactor(redaction: Redaction) -> Redact:
    """Give what a template passes on its way into an export or a feed, by `REDACT`."""
    if redaction != Redaction.REPLACE:
        return lambda template: template
    # Only who blacks out needs the detector and its patterns.
    redacted: Redact = import_module("n8n_scraper.policies.safety.secrets").redacted
    return redacted
