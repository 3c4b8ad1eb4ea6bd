"""Share one object among all components of a crawl, whoever asks for it first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

T = TypeVar("T")


class PerCrawler(Generic[T]):
    """Builds the object at the first call for a crawler, and gives the same one ever after."""

    def __init__(self, build: Callable[[Crawler], T]) -> None:
        self._build = build
        self._built: WeakKeyDictionary[Crawler, T] = WeakKeyDictionary()

    def __call__(self, crawler: Crawler) -> T:
        """Give this crawler's own."""
        if crawler not in self._built:
            self._built[crawler] = self._build(crawler)
        return self._built[crawler]
