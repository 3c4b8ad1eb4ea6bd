"""The source whose items a crawl is about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from n8n_scraper.core.source import ITEMS
from n8n_scraper.policies.pace.domain import registrable_domain

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from n8n_scraper.core.source import ItemKind, Noun, Source


def source_of_crawl(crawler: Crawler) -> Source | None:
    """Give it; None where the spider is a person's own, with items of no source."""
    source: Source | None = getattr(crawler.spidercls, "source", None)
    return source


def noun_of_crawl(crawler: Crawler) -> Noun:
    """Say what the crawl's items are called."""
    source = source_of_crawl(crawler)
    return ITEMS if source is None else source.noun


def domains_of_crawl(crawler: Crawler) -> set[str]:
    """Name the domains that the crawl's items come from."""
    source = source_of_crawl(crawler)
    return set(map(registrable_domain, source.places(crawler.settings))) if source else set()


def kind_of_crawl(crawler: Crawler) -> ItemKind[Any] | None:
    """Give what is done with the items of the crawl's source; None where there is none."""
    source = source_of_crawl(crawler)
    return None if source is None else source.kind()
