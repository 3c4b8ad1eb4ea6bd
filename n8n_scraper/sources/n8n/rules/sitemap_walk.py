"""Decides which sitemap is read next: each address once, none too deep, and not without end."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WalkBounds:
    """How far an inventory is followed; the site's has one index and one file in it."""

    sitemaps: int = 500
    levels: int = 3  # an index, an index in it, and a file
    templates: int = 200_000  # fifteen times what the site lists


class SitemapWalk:
    """Knows which sitemaps of an inventory were read and which are still to be read.

    They are read one after the other, so what `found` is told stands in the one that `reading`
    named last.
    """

    def __init__(self, bounds: WalkBounds = WalkBounds()) -> None:
        self._bounds = bounds
        self._levels: dict[str, int] = {}
        self._waiting: deque[str] = deque()
        self._level = 1
        self._templates = 0
        self.cut_short: str | None = None
        """Why the rest of the inventory is not read; None as long as nothing is left out."""

    def reading(self, url: str) -> None:
        """Note that a sitemap is asked for now."""
        self._level = self._levels.setdefault(url, 1)

    def found(self, sitemaps: Iterable[str], templates: int) -> None:
        """Note what the sitemap names: further sitemaps, and so many templates."""
        self._templates += templates
        if self._templates > self._bounds.templates:
            self._cut(f"lists more than {self._bounds.templates:,} templates")
        for url in sitemaps:
            if url not in self._levels:
                self._add(url)

    def following(self) -> str | None:
        """Give the address of the next sitemap, or None when there is none to read."""
        return self._waiting.popleft() if self._waiting and not self.cut_short else None

    def _add(self, url: str) -> None:
        if self._level >= self._bounds.levels:
            self._cut(f"nests its sitemaps more than {self._bounds.levels} levels deep")
        elif len(self._levels) >= self._bounds.sitemaps:
            self._cut(f"names more than {self._bounds.sitemaps:,} sitemaps")
        else:
            self._levels[url] = self._level + 1
            self._waiting.append(url)

    def _cut(self, why: str) -> None:
        self.cut_short = self.cut_short or why
