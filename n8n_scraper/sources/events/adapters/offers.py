"""Read what admission costs by the offers of schema.org."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from n8n_scraper.reading.prices import read_price
from n8n_scraper.reading.values import Price
from n8n_scraper.sources.events.adapters.page import Page
from n8n_scraper.sources.events.adapters.values import words, yes_or_no


def price_of(node: dict[str, Any], page: Page) -> Price | None:
    """Give the prices of all offers together; None where there is none."""
    free = yes_or_no(node.get("isAccessibleForFree"))
    offers = node.get("offers")
    several = [one for one in (offers if isinstance(offers, list) else [offers]) if one][:50]
    found = [price for one in several if (price := _offer(one, page))]
    if not found:
        return Price(text="isAccessibleForFree", amounts=(), is_free=True) if free else None
    told = [price for price in found if price.amounts is not None]
    currencies = {price.currency for price in told}
    if not told or len(currencies) > 1:
        return Price(text="; ".join(dict.fromkeys(price.text for price in found)), is_free=free)
    amounts = tuple(dict.fromkeys(amount for price in told for amount in price.amounts or ()))
    text = "; ".join(dict.fromkeys(price.text for price in told))
    return Price(text, amounts, currencies.pop(), is_free=not any(amounts))


def _offer(offer: Any, page: Page) -> Price | None:
    if not isinstance(offer, dict):
        price = read_price(words(offer) or "", page.hints.currency)
        return price if price and price.amounts is not None else None
    within = offer.get("priceSpecification")
    if isinstance(within, list):
        within = within[0] if within else None
    if words(offer.get("price")) is None and isinstance(within, dict):
        offer = {**within, **offer}
    currency = (words(offer.get("priceCurrency")) or "").upper() or page.hints.currency
    names = ("price", "lowPrice", "highPrice", "minPrice", "maxPrice")
    told = dict.fromkeys(text for name in names if (text := words(offer.get(name))))
    prices = [price for text in told if (price := read_price(text, currency))]
    if not prices:
        return None
    amounts = _amounts(prices)
    text = " - ".join(price.text for price in prices)
    named = next((price.currency for price in prices if price.currency), None)
    return Price(
        text, amounts, named if amounts else None, is_free=not any(amounts) if amounts else None
    )


def _amounts(prices: Iterable[Price]) -> tuple[float, ...] | None:
    found: list[float] = []
    for price in prices:
        if price.amounts is None:
            return None
        found += price.amounts or (0.0,)
    return tuple(dict.fromkeys(found))
