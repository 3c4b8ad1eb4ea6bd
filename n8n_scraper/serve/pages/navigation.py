"""The links at the head of every page, in the order in which the capabilities bring them."""

from __future__ import annotations

from dataclasses import dataclass

from aiohttp import web


@dataclass(frozen=True, slots=True)
class Link:
    """A page that can be gone to from everywhere."""

    path: str
    title: str

    def leads_to(self, path: str) -> bool:
        """Whether a page is this one, or lies below it."""
        return path == self.path or (self.path != "/" and path.startswith(f"{self.path}/"))


LINKS: web.AppKey[list[Link]] = web.AppKey("LINKS", list[Link])


def add_link(app: web.Application, path: str, title: str) -> None:
    """Put a page into the navigation."""
    app[LINKS].append(Link(path, title))


def links_of(app: web.Application) -> tuple[Link, ...]:
    """Give all of them."""
    links: list[Link] = app[LINKS]
    return tuple(links)
