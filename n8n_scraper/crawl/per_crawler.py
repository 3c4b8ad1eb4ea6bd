"""Share one object among all components of a crawl, whoever asks for it first."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

T = TypeVar("T")

_PLACE = "_shared_by_components"


class PerCrawler(Generic[T]):
    """Builds the object at the first call for a crawler, and gives the same one ever after.

    The crawler itself holds it: what knows its crawler would keep any table of ours full for ever.
    """

    def __init__(self, build: Callable[[Crawler], T]) -> None:
        self._build = build

    def __call__(self, crawler: Crawler) -> T:
        """Give this crawler's own."""
        built: dict[PerCrawler[Any], Any] = vars(crawler).setdefault(_PLACE, {})
        if self not in built:
            built[self] = self._build(crawler)
        return cast("T", built[self])
