"""Read what has become of an event: a word in its title, or a state that a program wrote."""

from __future__ import annotations

import re

from n8n_scraper.reading.values import Status

_CANCELLED = r"cance(?:l|ll)ed|取消"
_POSTPONED = r"postponed|延期|改期"
_IN_A_TITLE = {
    Status.CANCELLED: re.compile(rf"[(（\[]\s*(?:{_CANCELLED})\s*[)）\]]", re.IGNORECASE),
    Status.POSTPONED: re.compile(rf"[(（\[]\s*(?:{_POSTPONED})\s*[)）\]]", re.IGNORECASE),
}
_IN_FRONT = {
    Status.CANCELLED: re.compile(rf"\s*(?:{_CANCELLED})\s*[-–—:：|!]", re.IGNORECASE),
    Status.POSTPONED: re.compile(rf"\s*(?:{_POSTPONED})\s*[-–—:：|!]", re.IGNORECASE),
}
# What is left of a state when its address, "event" in front and all signs are taken away.
_STATES = {
    **dict.fromkeys(("scheduled", "confirmed", "active", "onschedule"), Status.ACTIVE),
    **dict.fromkeys(("cancelled", "canceled", "取消"), Status.CANCELLED),
    **dict.fromkeys(("postponed", "延期", "改期"), Status.POSTPONED),
    "rescheduled": Status.RESCHEDULED,
    "movedonline": Status.MOVED_ONLINE,
}


def state_in_title(*titles: str | None) -> Status | None:
    """Give what a title says: in brackets behind it, or in front of it ("CANCELLED - …")."""
    for patterns, find in ((_IN_A_TITLE, "search"), (_IN_FRONT, "match")):
        for state, sign in patterns.items():
            if any(title and getattr(sign, find)(title) for title in titles):
                return state
    return None


def state_of(word: str | None) -> Status | None:
    """Read a state as programs write it, such as "https://schema.org/EventCancelled"."""
    bare = (word or "").strip().rstrip("/").rpartition("/")[2].lower()
    bare = re.sub(r"[^a-z一-鿿]", "", bare).removeprefix("event")
    return _STATES.get(bare)
