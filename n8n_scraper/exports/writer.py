"""What every format is to those who export: something that takes one template after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Self

from scrapy.exporters import BaseItemExporter

from n8n_scraper.sources.n8n.item import Template


def holds_something(file: BinaryIO) -> bool:
    """Whether what is written to a file now comes behind what is in it already."""
    return bool(file.seekable() and file.tell())


class Writer(ABC):
    """Writes templates to a path as they come."""

    @abstractmethod
    def write(self, template: Template) -> None:
        """Add a template."""

    @abstractmethod
    def finish(self) -> dict[str, Any]:
        """Write what is left, and give the counts that only this format has."""

    def close(self) -> None:  # noqa: B027 - not every format holds something open
        """Let go of open files, also in the middle of the work."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ItemWriter(Writer):
    """Writes one file through one of Scrapy's item exporters, or of ours."""

    def __init__(self, path: Path, exporter: Callable[[BinaryIO], BaseItemExporter]) -> None:
        self._file = path.open("wb")
        self._exporter = exporter(self._file)
        self._exporter.start_exporting()

    def write(self, template: Template) -> None:
        """Add a template."""
        self._exporter.export_item(template)

    def finish(self) -> dict[str, Any]:
        """End the file."""
        self._exporter.finish_exporting()
        self._file.close()
        counts: dict[str, Any] = getattr(self._exporter, "counts", {})
        return counts

    def close(self) -> None:
        """Let go of the file."""
        if not self._file.closed and (abandon := getattr(self._exporter, "abandon", None)):
            abandon()
        self._file.close()
