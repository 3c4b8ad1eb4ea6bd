"""Refuse a feed that could not be written before anything is asked of a site."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from w3lib.url import file_uri_to_path

from n8n_scraper.core.errors import BadInput

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_CLOSED_BY_AN_END = {"parquet": "Parquet", "json": "JSON", "xml": "XML"}
"""Formats whose file has an end, behind which nothing can be written, with their proper names."""

_FILLED_IN = re.compile(r"%\(\w+\)")
"""What the crawl fills into the name of a feed."""


def check_feeds(settings: BaseSettings) -> None:
    """Raise BadInput for the first feed that could not be written, or not behind what is there."""
    for uri, options in settings.getdict("FEEDS").items():
        path = _local(str(uri))
        if path is None:
            continue
        _check_place(path)
        kind = _CLOSED_BY_AN_END.get(str(options.get("format")))
        if not kind or options.get("overwrite"):
            continue
        if path.is_file() and path.stat().st_size > 0:
            raise BadInput(
                f"{uri} is there already, and a {kind} file cannot be appended to; "
                "write -O to replace it, or another name."
            )
        if settings["JOBDIR"]:
            raise BadInput(
                f"{uri}: a crawl with a JOBDIR can go on later, and a {kind} file cannot be "
                "appended to; write -O, and take the whole of it with scrapy export."
            )


def _local(uri: str) -> Path | None:
    """Give the file of a feed; there is none elsewhere, or where the crawl fills the name in."""
    if uri.startswith("file:"):
        uri = file_uri_to_path(uri)
    elif uri == "-" or "://" in uri or uri.startswith("stdout:"):
        return None
    return None if _FILLED_IN.search(uri) else Path(uri)


def _check_place(path: Path) -> None:
    """Refuse a file that may not be written; a folder that is missing will be made."""
    there = next(one for one in (path.absolute(), *path.absolute().parents) if one.exists())
    if path.is_dir() or (there != path.absolute() and not there.is_dir()):
        why = "it is a folder" if path.is_dir() else f"{there} is no folder"
        raise BadInput(f"{path} cannot be written: {why}.")
    if not os.access(there, os.W_OK):
        raise BadInput(f"{path} cannot be written: {there} is not open to you for writing.")
