"""JSON in two forms: a template a line, and one document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from scrapy.exporters import JsonItemExporter, JsonLinesItemExporter

from n8n_scraper.exports.json_text import COMPACT, json_text
from n8n_scraper.items import Template

_OPTIONS: dict[str, Any] = {
    "encoding": "utf-8",
    "export_empty_fields": True,
    "separators": COMPACT,
}


def lines(file: BinaryIO) -> JsonLinesItemExporter:
    """Write a template a line, every field of it."""
    return JsonLinesItemExporter(file, **_OPTIONS)  # type: ignore[arg-type] # any binary file does


class DocumentExporter(JsonItemExporter):
    """Writes `{"manifest": …, "templates": […]}`, a template a line."""

    def __init__(self, file: BinaryIO, about: Mapping[str, Any]) -> None:
        super().__init__(file, indent=0, **_OPTIONS)  # type: ignore[arg-type] # as above
        self._about = about

    def start_exporting(self) -> None:
        """Say first what the document is."""
        self.file.write(f'{{"manifest":{json_text(self._about)},\n"templates":'.encode())
        super().start_exporting()

    def finish_exporting(self) -> None:
        """Close the list and the document."""
        super().finish_exporting()
        self.file.write(b"}\n")


def read_jsonl(path: Path | str) -> Iterator[Template]:
    """Give the templates of a JSON Lines export back as the items they were, one at a time."""
    with Path(path).open("rb") as file:
        for line in file:
            yield Template.model_validate(json.loads(line))
