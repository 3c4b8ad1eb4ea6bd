"""Gives the events of a page, from the best place that has them.

Structured data come first: what a page says to programs it says once and without decoration.
"""

from __future__ import annotations

from collections.abc import Callable

from n8n_scraper.sources.events.found import Found, Hints

Adapter = Callable[[bytes, str, str | None, Hints], list[Found]]

ADAPTERS: tuple[Adapter, ...] = ()
"""From the best place to the last."""


def found_in(body: bytes, url: str, content_type: str | None, hints: Hints) -> list[Found]:
    """Give the events that an answer holds, in its order; none is an empty list.

    Whatever the bytes are, nothing is raised.
    """
    return [one for adapter in ADAPTERS for one in adapter(body, url, content_type, hints)]
