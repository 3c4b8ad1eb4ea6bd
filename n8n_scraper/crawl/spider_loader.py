"""Find the spiders, those of the sources and a person's own; a broken one does not stop others."""

from __future__ import annotations

import traceback
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

from scrapy import Request
from scrapy.spiderloader import SpiderLoader

from n8n_scraper.core.console import refuse, warn
from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources import spider_modules


class SturdySpiderLoader(SpiderLoader):
    """Scrapy's own, which knows the spiders of the sources as well.

    A module that cannot be imported is named in one line, and the others can be used. A package
    that SPIDER_MODULES names has to be there.
    """

    def _load_all_spiders(self) -> None:
        for package in self.spider_modules:
            self._load_within(import_module(package))
        for module in spider_modules():
            self._load(module)
        self._check_name_duplicates()

    def find_by_request(self, request: Request) -> list[str]:
        """Name the spiders that a request is for; what keeps one from knowing costs a line."""
        try:
            return super().find_by_request(request)
        except BadInput as error:
            refuse(error)

    def _load_within(self, package: ModuleType) -> None:
        self._load_spiders(package)
        paths, prefix = getattr(package, "__path__", ()), f"{package.__name__}."
        for found in walk_packages(paths, prefix, onerror=_is_told_anyway):
            self._load(found.name)

    def _load(self, module: str) -> None:
        try:
            self._load_spiders(import_module(module))
        except Exception as error:  # noqa: BLE001 - whatever a module does while it is imported
            _tell(module, _reason(error))


def _is_told_anyway(_name: str) -> None:
    """Pass over what is in a package that cannot be imported; it is told when it is loaded."""


@cache  # Scrapy makes a loader several times
def _tell(module: str, reason: str) -> None:
    warn(f"{module} cannot be imported, and its spiders are left out: {reason}")


def _reason(error: Exception) -> str:
    """Say what was wrong, and where."""
    words = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, SyntaxError):
        return words  # which names the file and the line
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{words} ({place.filename}, line {place.lineno})"
