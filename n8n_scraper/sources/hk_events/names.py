"""Clean the texts of the open data: entities, spaces that mean nothing, words for "none"."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping

from n8n_scraper.sources.hk_events.item import EventStatus

# What is entered where a field must not be empty.
_NOTHING = frozenset({"", "-", "--", "---", "n/a", "nil", "not applicable", "不適用"})
_STATUS = {
    EventStatus.CANCELLED: re.compile(r"\((?:cancelled|canceled)\)|[(（]取消[)）]", re.IGNORECASE),
    EventStatus.POSTPONED: re.compile(r"\(postponed\)|[(（](?:延期|改期)[)）]", re.IGNORECASE),
}


def line(text: str | None) -> str | None:
    """One line of words, or None for what is said where there is nothing to say."""
    words = " ".join(html.unescape(text or "").split())
    return None if words.lower() in _NOTHING else words


def lines(text: str | None) -> str | None:
    """Several lines of words, without empty ones in a row."""
    kept = (" ".join(part.split()) for part in html.unescape(text or "").splitlines())
    words = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    return None if words.lower() in _NOTHING else words


def title_of(record: Mapping[str, str]) -> str | None:
    """The English title of an event's record, else the Chinese one."""
    return line(record.get("titlee")) or line(record.get("titlec"))


def status(*titles: str | None) -> EventStatus:
    """What the titles say has become of the event: the word stands in brackets behind them."""
    for state, sign in _STATUS.items():
        if any(title and sign.search(title) for title in titles):
            return state
    return EventStatus.ACTIVE
