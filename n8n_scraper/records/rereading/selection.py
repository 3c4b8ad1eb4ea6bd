"""Which stored items to read anew: what a person typed, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.since import moment
from n8n_scraper.core.source import Source

_ARGUMENTS = ("ids", "since")


@dataclass(frozen=True, slots=True)
class Selection:
    """All items of a source, or these, or those that were scraped then or later."""

    ids: tuple[str, ...] = ()
    since: str | None = None
    typed: Mapping[str, str] = field(default_factory=dict)
    """As a person would give it again."""

    @classmethod
    def parse(cls, source: Source, given: Mapping[str, str], now: str) -> Selection:
        """Read the arguments as they are typed; whatever makes no sense is named in one line."""
        if unknown := next((name for name in given if name not in _ARGUMENTS), None):
            raise BadInput(f"-a {unknown}=… is no argument of this command; it takes ids or since.")
        if len(given) > 1:
            raise BadInput("-a ids and -a since exclude each other; give one of them.")
        ids, since = source.ids_in(given.get("ids")), _since(given.get("since"), now)
        return cls(ids, since, dict(given))


def _since(text: str | None, now: str) -> str | None:
    if text is None:
        return None
    if (since := moment(text, now)) is None:
        raise BadInput(f"-a since={text}: write a day such as 2026-01-31, or a span such as 7d.")
    return since
