"""What only some commands and settings need, and how to install it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec

from n8n_scraper.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Extra:
    """Packages that one file of requirements brings."""

    file: str
    packages: Mapping[str, str]
    """What they are called, by the name that is imported."""

    @property
    def install(self) -> str:
        """Give the command that installs them."""
        return f"pip install -r {self.file}"

    def lacking(self) -> list[str]:
        """Name those that are not installed."""
        return [name for package, name in self.packages.items() if find_spec(package) is None]

    def missing(self) -> str | None:
        """Say in one line what is not installed and how to get it; None where all is there."""
        if not (lacking := self.lacking()):
            return None
        verb = "is" if len(lacking) == 1 else "are"
        return f"{' and '.join(lacking)} {verb} not installed: {self.install}"

    def require(self, package: str, setting: str) -> None:
        """Refuse a setting that needs a package which is not installed."""
        if not find_spec(package):
            name = self.packages[package]
            raise BadInput(f"{setting} needs {name}, which is not installed: {self.install}")


WORKERS = Extra("requirements-workers.txt", {"celery": "Celery", "redis": "redis-py"})
ALERTS = Extra("requirements-alerts.txt", {"apprise": "Apprise"})
ASSISTANTS = Extra("requirements-assistants.txt", {"mcp": "mcp"})
EXTRAS = (WORKERS, ALERTS, ASSISTANTS)
