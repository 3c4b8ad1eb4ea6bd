"""Tell whether a crawl has brought what its site must give."""

from __future__ import annotations

from collections.abc import Mapping


def shortfalls(
    found: int, at_least: int, shares: Mapping[str, float], required: Mapping[str, float]
) -> tuple[str, ...]:
    """Say in words what is lacking; nothing where all is there.

    The shares are those of the items in which a field holds something; a field of which none is
    known is not judged.
    """
    if found < at_least:
        return (f"{found} found, {at_least} expected at least",)
    if not found:
        return ()
    return tuple(
        f"{field} in {_percent(shares[field])} of them, {_percent(wanted)} required"
        for field, wanted in required.items()
        if field in shares and shares[field] < wanted
    )


def _percent(share: float) -> str:
    """Write a share so that less than all is never written as all."""
    percent = round(100 * share, 1)
    return f"{99.9 if percent == 100 and share < 1 else percent:g} %"
