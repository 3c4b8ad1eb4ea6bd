"""Read which tools may be tried, and what they are tried for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import Given, TypedSettings, listed, refuse
from n8n_scraper.policies.tools.ladder import Tool


@dataclass(frozen=True, slots=True)
class LadderSettings(TypedSettings):
    """The tools of a crawl that leaves it open, and the fields that decide."""

    tools: tuple[Tool, ...]
    required: tuple[str, ...]

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `TOOLS` and `REQUIRED_FIELDS`."""
        known = {str(tool): tool for tool in Tool}
        named = listed(settings, "TOOLS")
        if not set(named) <= set(known):
            refuse(settings, "TOOLS", f"some of {', '.join(known)}, with commas between them")
        made = cls(
            tuple(known[name] for name in dict.fromkeys(named)),
            tuple(dict.fromkeys(listed(settings, "REQUIRED_FIELDS"))),
        )
        if made.tools and not made.required:
            raise BadInput(
                "TOOLS names tools to choose from, and REQUIRED_FIELDS is empty: write which "
                "fields an item must have, as in title,start."
            )
        return made
