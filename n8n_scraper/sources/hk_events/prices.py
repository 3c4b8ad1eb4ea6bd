"""Read what admission costs; an amount without a currency is in that of Hong Kong."""

from __future__ import annotations

from n8n_scraper.reading import prices
from n8n_scraper.sources.hk_events.item import Price


def read_price(text: str) -> Price | None:
    """Turn the words into a price; None where there are none."""
    found = prices.read_price(text, "HKD")
    if found is None:
        return None
    if found.currency not in ("HKD", None):
        return Price(text=found.text, amounts=None, currency=None, is_free=None)
    amounts = None if found.amounts is None else list(found.amounts)
    return Price(
        text=found.text,
        amounts=amounts,
        currency="HKD" if found.currency else None,
        is_free=found.is_free,
    )
