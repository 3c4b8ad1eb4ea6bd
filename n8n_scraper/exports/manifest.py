"""Say what an export is: of what, by what, how much, and whose."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from n8n_scraper import __version__
from n8n_scraper.exports.json_text import json_text
from n8n_scraper.sources.n8n.item import Template

SCHEMA_VERSION = 2
"""Rises when a field changes its meaning or its type; a new field does not raise it.

2: in Parquet, dictionaries are lists of entries and no maps."""

NOTE = (
    "Every template belongs to its author and is published on n8n.io. No licence is stated there "
    "for single templates: ask the author before doing more with one than n8n.io's terms allow."
)


def header(
    format_name: str, filters: Mapping[str, Any], redaction: str, exported_at: str
) -> dict[str, Any]:
    """Give what is known of an export before it begins."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "n8n-scraper", "version": __version__},
        "exported_at": exported_at,
        "format": format_name,
        "filters": dict(filters),
        "redaction": redaction,
        "fields": list(Template.model_fields),
        "note": NOTE,
    }


def attribution(template: Template) -> dict[str, Any]:
    """Say whose a template is, and where it is published."""
    author = template.author
    return {
        "workflow_id": template.workflow_id,
        "title": template.title,
        "author": author.name if author else None,
        "username": author.username if author else None,
        "url": template.url,
        "licence": None,
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
    attributions: Iterable[str],
) -> None:
    """Write a manifest; whatever its length, only a line of it is in memory."""
    with target.open("w", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(about, ensure_ascii=False, indent=2).removesuffix("\n}"))
        _write_list(file, "files", map(json_text, files))
        _write_list(file, "templates", attributions)
        file.write("\n}\n")


def _write_list(file: IO[str], name: str, lines: Iterable[str]) -> None:
    file.write(f',\n  "{name}": [')
    for number, line in enumerate(lines):
        file.write(f"{',' if number else ''}\n    {line.rstrip()}")
    file.write("\n  ]")
