"""Read which sources file is meant."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Self

from n8n_scraper.core.project_folder import in_project
from n8n_scraper.core.typed_settings import Given, TypedSettings, text
from n8n_scraper.sources_file.reading import DEFAULT, read_sources
from n8n_scraper.sources_file.sources import Sources


@dataclass(frozen=True, slots=True)
class SourcesFileSettings(TypedSettings):
    """Where the sites are named."""

    path: Traversable

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `SOURCES_FILE`; empty is the file that comes with the package."""
        given = text(settings, "SOURCES_FILE")
        return cls(Path(in_project(given)) if given else DEFAULT)


def sources_of(settings: Given) -> Sources:
    """Read the file that the settings name, or raise BadInput with a line for each fault."""
    return read_sources(SourcesFileSettings.from_settings(settings).path)
