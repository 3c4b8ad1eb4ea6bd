"""Tell what `scrapy preflight` sees of the services; the database has lines of its own."""

from __future__ import annotations

from collections.abc import Iterator

from scrapy.settings import BaseSettings

from n8n_scraper.doctor.finding import Finding, bad, ok
from n8n_scraper.stack import stack_of
from n8n_scraper.stack.health import State

_DATABASE = "database"


def look(settings: BaseSettings) -> Iterator[Finding]:
    """Ask each of them once, and start nothing."""
    unneeded = []
    for one in stack_of(settings).look():
        name, health = one.service.name, one.health
        if name == _DATABASE:
            continue
        if health.state is State.NOT_NEEDED:
            unneeded.append(name)
        elif health.is_ready:
            yield ok(name, health.words)
        else:
            words = f"{health.words}; without it {one.service.prevents}"
            yield bad(name, words, one.service.remedy or "scrapy stack up")
    if unneeded:
        yield ok("services", f"not needed, as things are set: {', '.join(unneeded)}")
