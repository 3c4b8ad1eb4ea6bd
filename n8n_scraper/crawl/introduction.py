"""Say who we are, and how whoever runs the crawl is reached."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from n8n_scraper import __version__
from n8n_scraper.core.typed_settings import Given, TypedSettings, text


@dataclass(frozen=True, slots=True)
class Introduction(TypedSettings):
    """How a crawl introduces itself to a site."""

    contact: str
    words: str
    """The `USER_AGENT` that was given; an empty one stands for ours."""

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `CONTACT` and `USER_AGENT`."""
        return cls(text(settings, "CONTACT"), text(settings, "USER_AGENT"))

    @property
    def user_agent(self) -> str:
        """What the site is told."""
        return self.words or _ours(self.contact)

    @property
    def is_anonymous(self) -> bool:
        """Whether the site does not learn how to reach whoever runs the crawl."""
        return self.user_agent == _ours("")


def _ours(contact: str) -> str:
    return f"n8n-scraper/{__version__} ({contact or 'archive of public data'})"
