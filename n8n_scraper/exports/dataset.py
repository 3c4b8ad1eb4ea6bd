"""A folder as Hugging Face keeps datasets: the items in Parquet, and a card that tells of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from n8n_scraper.core.source import Source
from n8n_scraper.exports.harmless import inline
from n8n_scraper.exports.of_source import exports_of
from n8n_scraper.exports.parquet import ParquetItemExporter
from n8n_scraper.exports.writer import ItemWriter, Writer

_AUTHORS_NAMED = 50


class DatasetWriter(Writer[Any]):
    """Writes `templates.parquet`, or as the items are called, and `README.md`."""

    def __init__(self, folder: Path, source: Source, about: Mapping[str, Any]) -> None:
        folder.mkdir()
        self._folder, self._source, self._about = folder, source, about
        self._name = f"{source.noun.many}.parquet"
        self._rows = ItemWriter(folder / self._name, partial(ParquetItemExporter, source=source))
        self._fields = source.kind().item.model_fields
        self._known: Counter[str] = Counter()
        self._authors: Counter[str] = Counter()
        self._oldest: str | None = None
        self._newest: str | None = None
        self._number = 0

    def write(self, item: Any) -> None:
        """Add a row, and count what it has."""
        self._rows.write(item)
        self._number += 1
        self._known.update(name for name in self._fields if getattr(item, name) is not None)
        whose = exports_of(self._source).attribution(item)
        if author := whose.get("author") or whose.get("organiser"):
            self._authors[author] += 1
        self._oldest = min(filter(None, (self._oldest, item.scraped_at)))
        self._newest = max(filter(None, (self._newest, item.scraped_at)))

    def finish(self) -> dict[str, Any]:
        """End the table, and write the card."""
        counts = self._rows.finish()
        card = "\n".join(self._card())
        (self._folder / "README.md").write_bytes(f"{card}\n".encode())
        return {**counts, "authors": len(self._authors)}

    def close(self) -> None:
        """Let go of the table."""
        self._rows.close()

    def _card(self) -> Iterator[str]:
        noun, about = self._source.noun, self._about
        yield from ("---", f"pretty_name: {noun.many.capitalize()} of {self._source.name}")
        yield from ("license: other", "configs:", "- config_name: default")
        yield from ("  data_files:", "  - split: train", f"    path: {self._name}", "---", "")
        yield from (f"# {noun.many.capitalize()} of {self._source.name}", "")
        yield from (f"{noun.so_many(self._number)}. {exports_of(self._source).note}", "")
        yield from ("## Where it comes from", "")
        tool = about["tool"]
        yield f"Exported at {about['exported_at']} by {tool['name']} {tool['version']}."
        if self._oldest:
            yield f"Read from the site between {self._oldest} and {self._newest}."
        chosen = ", ".join(f"{name} {value}" for name, value in about["filters"].items())
        yield f"Chosen: {inline(chosen) if chosen else 'all that the archive has'}."
        yield f"Secrets: {about['redaction']} (`REDACT`)."
        yield from ("The manifest beside the folder names each with its author.", "")
        yield from ("## Authors", "", f"{len(self._authors)}; those with the most:", "")
        for name, number in self._authors.most_common(_AUTHORS_NAMED):
            yield f"- {inline(name)}: {number}"
        yield from ("", "## Fields", "", "| Field | Known of |", "|---|---|")
        for name in self._fields:
            share = self._known[name] / self._number if self._number else 0.0
            yield f"| `{name}` | {share:.1%} |"
