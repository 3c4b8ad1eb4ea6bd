"""The base class of the formats: something that takes one item after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Generic, Self, TypeVar

from scrapy.exporters import BaseItemExporter

from n8n_scraper.core.item import Item

I = TypeVar("I", bound=Item)  # noqa: E741 - an item


def holds_something(file: BinaryIO) -> bool:
    """Whether what is written to a file now comes behind what is in it already."""
    return bool(file.seekable() and file.tell())


class IntoAPipe:
    """A file in which nobody can go back, that tells how much has gone into it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._written = 0

    def write(self, some: bytes) -> int:
        """Pass it on."""
        self._file.write(some)
        self._written += len(some)
        return len(some)

    def tell(self) -> int:
        """Say how many bytes there were."""
        return self._written

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class Writer(ABC, Generic[I]):
    """Writes items to a path as they come."""

    @abstractmethod
    def write(self, item: I) -> None:
        """Add an item."""

    @abstractmethod
    def finish(self) -> dict[str, Any]:
        """Write what is left, and give the counts that only this format has."""

    def close(self) -> None:
        """Let go of open files, also in the middle of the work."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ItemWriter(Writer[Item]):
    """Writes one file through one of Scrapy's item exporters, or of ours."""

    def __init__(self, path: Path, exporter: Callable[[BinaryIO], BaseItemExporter]) -> None:
        self._file: Any = path.open("wb")
        if not self._file.seekable():
            self._file = IntoAPipe(self._file)
        self._exporter = exporter(self._file)
        self._exporter.start_exporting()

    def write(self, item: Item) -> None:
        """Add an item."""
        self._exporter.export_item(item)

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
