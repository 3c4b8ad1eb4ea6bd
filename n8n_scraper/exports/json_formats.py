"""JSON in two forms: an item a line, and one document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from scrapy.exporters import BaseItemExporter

from n8n_scraper.core.source import ItemKind
from n8n_scraper.exports.json_text import json_bytes
from n8n_scraper.sources import source_with_key_in


class LinesExporter(BaseItemExporter):
    """Writes an item a line, every field of it."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self.file = file

    def export_item(self, item: Any) -> None:
        """Add a line."""
        self.file.write(json_bytes(item) + b"\n")


class DocumentExporter(BaseItemExporter):
    """Writes `{"manifest": …, "templates": […]}`, or what else the items are; one a line."""

    def __init__(self, file: BinaryIO, about: Mapping[str, Any], items: str) -> None:
        super().__init__()
        self.file = file
        self._about = about
        self._items = items
        self._between = b""

    def start_exporting(self) -> None:
        """Say first what the document is."""
        about, items = json_bytes(self._about), json_bytes(self._items)
        self.file.write(b'{"manifest":' + about + b",\n" + items + b":[\n")

    def export_item(self, item: Any) -> None:
        """Add a line to the list."""
        self.file.write(self._between + json_bytes(item))
        self._between = b",\n"

    def finish_exporting(self) -> None:
        """Close the list and the document."""
        self.file.write(b"\n]}\n")


def read_jsonl(path: Path | str) -> Iterator[Any]:
    """Give what is in a JSON Lines export back as the items they were, one at a time."""
    kind: ItemKind[Any] | None = None
    with Path(path).open("rb") as file:
        for line in file:
            record = json.loads(line)
            kind = kind or source_with_key_in(record).kind()
            yield kind.item.model_validate(record)
