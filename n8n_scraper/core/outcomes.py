"""What a template's three layers are, and how each of them and the whole template can end.

These names stand apart from the items that are made of them, because every command needs them and
only few need the items.
"""

from __future__ import annotations

from enum import StrEnum


class Layer(StrEnum):
    """One of the three answers that a template is made of."""

    METADATA = "metadata"
    JSON = "json"
    EXPLAINER = "explainer"


class LayerStatus(StrEnum):
    """How the request for one layer ended."""

    OK = "ok"
    MISSING = "missing"  # the site says that it has none
    FAILED = "failed"  # it could not be had
    SKIPPED = "skipped"  # it was not asked for


class Outcome(StrEnum):
    """How a template ended: exactly one for every id of the inventory."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    GONE = "gone"
    BLOCKED = "blocked"
    FAILED = "failed"
