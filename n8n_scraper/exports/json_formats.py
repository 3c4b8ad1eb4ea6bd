"""JSON in two forms: a template a line, and one document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from scrapy.exporters import BaseItemExporter

from n8n_scraper.exports.json_text import json_bytes
from n8n_scraper.sources.n8n.item import Template


class LinesExporter(BaseItemExporter):
    """Writes a template a line, every field of it."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self.file = file

    def export_item(self, item: Any) -> None:
        """Add a line."""
        self.file.write(json_bytes(item) + b"\n")


class DocumentExporter(BaseItemExporter):
    """Writes `{"manifest": …, "templates": […]}`, a template a line."""

    def __init__(self, file: BinaryIO, about: Mapping[str, Any]) -> None:
        super().__init__()
        self.file = file
        self._about = about
        self._between = b""

    def start_exporting(self) -> None:
        """Say first what the document is."""
        self.file.write(b'{"manifest":' + json_bytes(self._about) + b',\n"templates":[\n')

    def export_item(self, item: Any) -> None:
        """Add a line to the list."""
        self.file.write(self._between + json_bytes(item))
        self._between = b",\n"

    def finish_exporting(self) -> None:
        """Close the list and the document."""
        self.file.write(b"\n]}\n")


def read_jsonl(path: Path | str) -> Iterator[Template]:
    """Give the templates of a JSON Lines export back as the items they were, one at a time."""
    with Path(path).open("rb") as file:
        for line in file:
            yield Template.model_validate(json.loads(line))
