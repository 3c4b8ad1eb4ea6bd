"""Keep of a page what speaks of one event, with all that has to be known to read it anew.

A piece is a line of JSON, and behind it the page, or what was cut out of it, byte by byte as the
site gave it. So it is read by the same readers at any time, whatever the site's entry says by then.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from typing import Self

from n8n_scraper.core.errors import BadContent
from n8n_scraper.sources.events.adapters import found_in
from n8n_scraper.sources.events.found import Found, Hints


@dataclass(frozen=True, slots=True)
class Piece:
    """What a page, or a part of one, is and says."""

    url: str
    content_type: str | None
    hints: Hints
    body: bytes = b""
    """Empty where nothing but a link speaks of the event."""
    detail: str | None = None
    """The address of the event's own page, where that is to be asked for."""

    def founds(self) -> list[Found]:
        """Give the events that it holds."""
        return found_in(self.body, self.url, self.content_type, self.hints) if self.body else []

    def written(self) -> bytes:
        """Write it as it is kept."""
        told = {
            "url": self.url,
            "content_type": self.content_type,
            "timezone": self.hints.timezone,
            "currency": self.hints.currency,
            "selectors": dict(self.hints.selectors),
            "today": self.hints.today.isoformat(),
            "encoding": self.hints.encoding,
            "detail": self.detail,
        }
        return json.dumps(told).encode() + b"\n" + self.body

    @classmethod
    def read(cls, kept: bytes) -> Self:
        """Read what is kept; BadContent where it is none."""
        line, _, body = kept.partition(b"\n")
        try:
            told = json.loads(line)
            hints = Hints(
                timezone=told["timezone"],
                currency=told["currency"],
                selectors=told["selectors"],
                today=date.fromisoformat(told["today"]),
                encoding=told["encoding"],
            )
            return cls(told["url"], told["content_type"], hints, body, told["detail"])
        except (ValueError, LookupError, TypeError) as error:
            raise BadContent(f"no piece of a page: {error}") from None
