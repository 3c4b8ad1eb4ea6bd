"""Holds every switch of the stand-in of n8n.io, checked before it is believed."""

from typing import Literal

from pydantic import Field

from n8n_scraper.sources.n8n.replica.changes import Changes
from n8n_scraper.testing.replica import switches


class Switches(switches.Switches):
    """All that can be changed about the stand-in, before and during a run."""

    dead_ids: frozenset[int] = frozenset()
    auth_ids: dict[int, Literal[401, 403, 410]] = Field(default_factory=dict)
    sitemap: Literal["index", "flat", "gzip", "split"] = "index"
    not_found_status: Literal[404, 200] = 404
    changes: Changes = Changes()
