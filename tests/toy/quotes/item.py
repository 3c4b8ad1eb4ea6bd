"""The contract: what a quotation is."""

from typing import Annotated

from pydantic import Field

from n8n_scraper.core.item import Item, Outcome, PartState

SAID_BY_NULL = frozenset(("removed_at",))


class Quote(Item):
    """A quotation, with all that every item has."""

    quote_id: str
    title: str | None
    words: str | None
    tags: list[str]
    length: int | None = None

    outcome: Annotated[Outcome, Field(strict=False)]
    parts: dict[str, PartState]
    in_inventory: bool
    removed_at: str | None = None
    unobserved: dict[str, str]
    sources: dict[str, str]
    content_hash: str | None = None
    run_id: str
    scraped_at: str
    processing_time: float


def broken_promises(quote: Quote) -> list[str]:
    """Say which field is null without a reason, or has a value and one."""
    return [
        f"{field} and its reason"
        for field in set(Quote.model_fields) - SAID_BY_NULL
        if (getattr(quote, field) is None) != (field in quote.unobserved)
    ]
