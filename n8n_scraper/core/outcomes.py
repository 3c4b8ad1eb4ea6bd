"""How the parts of an item and the whole item can end.

These names stand apart from the items, because every command needs them and only few need the
items.
"""

from __future__ import annotations

from enum import StrEnum


class PartStatus(StrEnum):
    """How the request for one part ended."""

    OK = "ok"
    MISSING = "missing"  # the site says that it has none
    FAILED = "failed"  # it could not be had
    SKIPPED = "skipped"  # it was not asked for


class Outcome(StrEnum):
    """How an item ended: exactly one for every id of the inventory."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    GONE = "gone"
    BLOCKED = "blocked"
    FAILED = "failed"
