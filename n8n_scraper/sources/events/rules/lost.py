"""Tell a page that could not be had, or not be read, from one that says nothing any more."""

from __future__ import annotations

from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.policies.failure.category import Category


def was_lost(status: str, category: str | None) -> bool:
    """Whether a page may still say what it has said before, by how its part ended."""
    return status == PartStatus.FAILED or category == Category.BAD_CONTENT
