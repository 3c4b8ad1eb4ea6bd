"""The sources: one folder each, with everything that is known about it; nothing names one here."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import ITEMS, Noun, Source


@cache
def all_sources() -> tuple[Source, ...]:
    """Give every source that has a folder here: in the order that they ask for, then by name."""
    found = (import_module(home).SOURCE for home in _modules("source"))
    return tuple(sorted(found, key=lambda source: (source.place, source.name)))


def spider_modules() -> tuple[str, ...]:
    """Name the modules of the sources' spiders."""
    return _modules("spider")


def source_of(name: str) -> Source:
    """Give the source of this name."""
    if source := known(name):
        return source
    names = ", ".join(source.name for source in all_sources())
    raise BadInput(f"{name!r} is no source; there are: {names}.")


def known(name: str) -> Source | None:
    """Give the source of this name; None of one that is not here, or not any more."""
    return next((source for source in all_sources() if source.name == name), None)


def noun_of(name: str) -> Noun:
    """Say what the items of a source are called, also of one that is not here any more."""
    source = known(name)
    return source.noun if source else ITEMS


def source_of_item(item: object) -> Source | None:
    """Give the source that an item is one of; None where it is none of ours."""
    with_key = (one for one in all_sources() if one.id_of(item) is not None)
    return next((one for one in with_key if isinstance(item, one.kind().item)), None)


def source_with_key_in(fields: Collection[str]) -> Source:
    """Give the source whose items are told apart by one of these fields.

    Of several that call it the same, it is the one whose items have most of the others.
    """
    meant = [source for source in all_sources() if source.key in fields]
    if len(meant) > 1:
        return max(meant, key=lambda one: len(one.kind().item.model_fields.keys() & {*fields}))
    if meant:
        return meant[0]
    keys = " or ".join(dict.fromkeys(source.key for source in all_sources()))
    raise BadInput(f"these are no items of any source: they have no {keys}.")


def command_folders() -> list[str]:
    """Give the folders of commands that only one source has."""
    found = (find_spec(f"{commands}.cli") for commands in _modules("commands"))
    return [path for cli in found if cli for path in cli.submodule_search_locations or ()]


def _modules(name: str) -> tuple[str, ...]:
    """Name the modules that are called so, of all folders that have one."""
    folders = sorted(found.name for found in iter_modules(__path__, f"{__name__}.") if found.ispkg)
    return tuple(module for folder in folders if find_spec(module := f"{folder}.{name}"))
