"""What a crawl of a site is told by its command."""

from __future__ import annotations

from n8n_scraper.core.source import Source
from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.sources_file.entry import Entry


def arguments_of(entry: Entry, source: Source) -> dict[str, str]:
    """Give the arguments of its spider, as `-a` has them."""
    place = {} if source.divided_by is None else {source.divided_by: entry.name}
    return {**place, **entry.arguments}


def settings_of(entry: Entry, source: Source) -> dict[str, str]:
    """Give what the entry says to a spider that does not read it, as `-s` has it."""
    if source.divided_by is not None:
        return {}
    told = {source.bases[0]: entry.address.rstrip("/"), "RATE_LIMIT_RATE": f"{entry.rate:g}"}
    if seconds := entry.timeouts.get(Tool.HTTP):
        told["DOWNLOAD_TIMEOUT"] = f"{seconds:g}"
    return told
