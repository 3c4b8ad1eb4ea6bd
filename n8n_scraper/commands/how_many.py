"""The options of commands that say how many."""

from __future__ import annotations

from n8n_scraper.core.console import refuse


def how_many(option: str, typed: str | None, *, example: int) -> int | None:
    """Read a number from one on, None where nothing is typed; refuse all else, with an example."""
    if typed is None:
        return None
    if not typed.isdecimal() or not int(typed):
        refuse(f"{option} {typed}: write how many, as in {option} {example}.")
    return int(typed)
