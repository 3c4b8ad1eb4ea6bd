"""Turn what the entry of a site says into the settings of its crawl.

What is given by hand goes before it, and the rest of the settings behind it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from n8n_scraper.core.environment import given_by_hand
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.typed_settings import text
from n8n_scraper.crawl.tools.ladder_settings import LadderSettings
from n8n_scraper.crawl.tools.tool_settings import ToolSettings
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.pace.pace_settings import PaceSettings
from n8n_scraper.policies.tools.ladder import Tool
from n8n_scraper.sources.events.item import REQUIRED
from n8n_scraper.sources.events.source import ADDRESS, SOURCE
from n8n_scraper.sources_file.entry import BY_RESULTS

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from n8n_scraper.sources_file.entry import Entry

_PRIORITY = "spider"
_LIMITS = "RATE_LIMITS"
_TIMEOUTS = {
    Tool.HTTP: "DOWNLOAD_TIMEOUT",
    Tool.FIRECRAWL: "FIRECRAWL_TIMEOUT",
    Tool.DEVTOOLS: "DEVTOOLS_TIMEOUT",
    Tool.PLAYWRIGHT: "PLAYWRIGHT_TIMEOUT",
}


def entry_of(settings: BaseSettings, site: str | None) -> Entry:
    """Give the entry of a site; raise BadInput that names those there are."""
    from n8n_scraper.sources_file.sources_file_settings import sources_of

    known = {one.name: one for one in sources_of(settings) if one.kind == SOURCE.name}
    if site in known:
        return known[site]
    names = ", ".join(known)
    there = f"there are: {names}." if known else "the sources file names none whose kind is events."
    if site is None:
        raise BadInput(f"name the site whose events are wanted, as in -a site=NAME; {there}")
    raise BadInput(f"-a site={site}: no such site has events; {there}")


def tell(settings: BaseSettings, entry: Entry) -> None:
    """Put into the settings what the entry says, and check that it can be done."""
    if not text(settings, ADDRESS):  # one of the environment is given by hand as well
        settings.set(ADDRESS, entry.address, _PRIORITY)
    for name, value in _values(settings, entry).items():
        settings.set(name, value, _PRIORITY)
    if "RATE_LIMIT_RATE" not in given_by_hand(settings):
        _pace(settings, entry.rate)
    by_results = LadderSettings.from_settings(settings).tools
    wanted = by_results or tuple(Tool(one) for one in entry.tools)
    ToolSettings.from_settings(settings).check_has(wanted)


def _values(settings: BaseSettings, entry: Entry) -> dict[str, Any]:
    values: dict[str, Any] = {"REQUIRED_FIELDS": ",".join(entry.required or REQUIRED)}
    values |= {_TIMEOUTS[tool]: seconds for tool, seconds in entry.timeouts.items()}
    if entry.leaves_a_choice:
        tools = _that_there_are(settings) if entry.tools == BY_RESULTS else entry.tools
        values["TOOLS"] = ",".join(tools)
    return values


def _that_there_are(settings: BaseSettings) -> tuple[Tool, ...]:
    """Leave out what is not here: a Firecrawl without an address, a browser without a program."""
    told = ToolSettings.from_settings(settings)
    has_browser = bool(told.devtools_url or told.browser())
    missing = {
        *(() if told.firecrawl_url else (Tool.FIRECRAWL,)),
        *(() if has_browser else (Tool.DEVTOOLS, Tool.PLAYWRIGHT)),
    }
    return tuple(tool for tool in Tool if tool not in missing)


def _pace(settings: BaseSettings, rate: float) -> None:
    """Let the site be asked as its entry allows, unless the operator has said how fast."""
    site = registrable_domain(text(settings, ADDRESS))
    known = PaceSettings.from_settings(settings).by_domain
    limits = {domain: {"rate": one.rate, "burst": one.burst} for domain, one in known.items()}
    by_hand = _LIMITS in given_by_hand(settings)
    told = json.dumps({site: {"rate": rate, "burst": 1}, **limits})
    settings.set(_LIMITS, told, "cmdline" if by_hand else _PRIORITY)
