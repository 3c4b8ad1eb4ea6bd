"""The sources: one folder each, with everything that is known about it; nothing names one here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source


@cache
def all_sources() -> tuple[Source, ...]:
    """Give every source that has a folder here, by name."""
    return tuple(import_module(home).SOURCE for home in _modules("source"))


def spider_modules() -> tuple[str, ...]:
    """Name the modules of the sources' spiders."""
    return _modules("spider")


def source_of(name: str) -> Source:
    """Give the source of this name."""
    for source in all_sources():
        if source.name == name:
            return source
    names = ", ".join(source.name for source in all_sources())
    raise BadInput(f"{name!r} is no source; there are: {names}.")


def source_of_spider(name: str) -> Source | None:
    """Give the source that a spider of this name crawls; None where it is none of ours."""
    return next((source for source in all_sources() if source.spider == name), None)


def _modules(name: str) -> tuple[str, ...]:
    """Name the modules that are called so, of all folders that have one."""
    folders = sorted(found.name for found in iter_modules(__path__, f"{__name__}.") if found.ispkg)
    return tuple(module for folder in folders if find_spec(module := f"{folder}.{name}"))
