"""A page that is being read, and what holds for everything on it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit
from zoneinfo import ZoneInfo

from lxml import etree

from n8n_scraper.reading.structured.document import attribute, elements
from n8n_scraper.reading.whens import Calendar, month_first_in
from n8n_scraper.sources.events.found import Hints

_MOST_ADDRESS = 2_000


@dataclass(frozen=True, slots=True)
class Page:
    """Where a page stands, and how its days, times and prices are meant."""

    url: str
    base: str
    """What the addresses on it are relative to."""
    hints: Hints
    calendar: Calendar

    @property
    def zone(self) -> ZoneInfo:
        """The zone of times that name none."""
        return self.calendar.zone

    def absolute(self, address: str | None) -> str | None:
        """Give the whole address of a page or picture; None of what is none, such as a script."""
        if not address or len(address) > _MOST_ADDRESS or any(sign in address for sign in "<>{}"):
            return None
        try:
            whole = urljoin(self.base, " ".join(address.split()))
            return whole if urlsplit(whole).scheme in ("http", "https") else None
        except ValueError:
            return None


def page_of(text: str, url: str, hints: Hints) -> Page:
    """Say how the numbers of a page are meant, by what it has itself; else by where it is."""
    month_first = month_first_in([text])
    if month_first is None and hints.timezone.startswith(("America/", "US/")):
        calendar = Calendar(ZoneInfo(hints.timezone), hints.today, None)
    else:
        calendar = Calendar(ZoneInfo(hints.timezone), hints.today, bool(month_first))
    return Page(url, url, hints, calendar)


def base_of(root: etree._Element, url: str) -> str:
    """Give the address that those on a page are relative to."""
    bases = elements(root, "//base[@href]")
    try:
        return urljoin(url, attribute(bases[0], "href")) if bases else url
    except ValueError:
        return url
