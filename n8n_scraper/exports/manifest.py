"""Say what an export is: of what, by what, how much, and whose."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from n8n_scraper import __version__
from n8n_scraper.core.source import Source
from n8n_scraper.exports.json_text import json_text
from n8n_scraper.exports.of_source import exports_of


def header(
    source: Source, format_name: str, filters: Mapping[str, Any], redaction: str, exported_at: str
) -> dict[str, Any]:
    """Give what is known of an export before it begins."""
    exports = exports_of(source)
    return {
        "source": source.name,
        "schema_version": exports.schema_version,
        "tool": {"name": "n8n-scraper", "version": __version__},
        "exported_at": exported_at,
        "format": format_name,
        "filters": dict(filters),
        "redaction": redaction,
        "fields": list(source.kind().item.model_fields),
        "note": exports.note,
    }


def described(files: Iterable[tuple[str, Path]]) -> Iterator[dict[str, Any]]:
    """Give the size and the checksum of each file, read back from the disk."""
    for name, path in files:
        with path.open("rb", buffering=0) as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = os.fstat(file.fileno()).st_size
        yield {"name": name, "bytes": size, "sha256": digest}


def write_manifest(
    target: Path,
    about: Mapping[str, Any],
    files: Iterable[Mapping[str, Any]],
    items: str,
    attributions: Iterable[str],
) -> None:
    """Write a manifest with the items under their name; only a line of it is in memory."""
    with target.open("w", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(about, ensure_ascii=False, indent=2).removesuffix("\n}"))
        _write_list(file, "files", map(json_text, files))
        _write_list(file, items, attributions)
        file.write("\n}\n")


def _write_list(file: IO[str], name: str, lines: Iterable[str]) -> None:
    file.write(f',\n  "{name}": [')
    for number, line in enumerate(lines):
        file.write(f"{',' if number else ''}\n    {line.rstrip()}")
    file.write("\n  ]")
