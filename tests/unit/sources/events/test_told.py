"""A crawl is as the entry of its site has it, where nobody says otherwise by hand."""

import json
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.events.told import entry_of, tell

BROWSER = "/bin/sh"  # any program that is there
FILE = """
[sources.city]
title = "City Hall"
address = "https://www.city.org/events/"
kind = "events"
timezone = "Asia/Macau"
rate = 0.25
{more}
"""
OTHER = """
[sources.sayings]
title = "Another kind"
address = "https://quotes.example"
kind = "quotes"
"""


def told(folder: Path, more: str = "", **by_hand: Any) -> Settings:
    path = folder / "sites.toml"
    path.write_text(FILE.format(more=more))
    settings = Settings({"SOURCES_FILE": str(path), "PLAYWRIGHT_EXECUTABLE": BROWSER})
    settings.setdict(by_hand, "cmdline")
    tell(settings, entry_of(settings, "city"))
    return settings


def limits(settings: Settings) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(settings["RATE_LIMITS"])
    return found


def test_the_address_is_the_very_one_and_its_domain_is_asked_as_the_entry_says(
    tmp_path: Path,
) -> None:
    settings = told(tmp_path)

    assert settings["EVENTS_URL"] == "https://www.city.org/events/"
    assert limits(settings) == {"city.org": {"rate": 0.25, "burst": 1}}
    assert settings["REQUIRED_FIELDS"] == "title,start,location,description"
    assert settings["TOOLS"] is None


def test_what_is_given_by_hand_goes_before_the_entry(tmp_path: Path) -> None:
    settings = told(
        tmp_path,
        "timeouts = {http = 7, devtools = 8}",
        EVENTS_URL="http://127.0.0.1:8000/x",
        DOWNLOAD_TIMEOUT="3",
        RATE_LIMITS='{"example.org": {"rate": 9, "burst": 2}}',
    )

    assert settings["EVENTS_URL"] == "http://127.0.0.1:8000/x"
    assert (settings["DOWNLOAD_TIMEOUT"], settings["DEVTOOLS_TIMEOUT"]) == ("3", 8)
    assert limits(settings) == {
        "example.org": {"rate": 9, "burst": 2},
        "127.0.0.1": {"rate": 0.25, "burst": 1},
    }
    by_domain = '{"city.org": {"rate": 9, "burst": 2}}'
    assert limits(told(tmp_path, RATE_LIMITS=by_domain)) == json.loads(by_domain)
    assert told(tmp_path, RATE_LIMIT_RATE="0")["RATE_LIMITS"] is None


@pytest.mark.parametrize(
    ("more", "firecrawl", "tools"),
    [
        ('tools = "auto"\nrequired = {title = 1.0}', "", "http,devtools,playwright"),
        (
            'tools = "auto"\nrequired = {title = 1.0}',
            "http://127.0.0.1:3002",
            "http,firecrawl,devtools,playwright",
        ),
        ('tools = ["http", "playwright"]\nrequired = {title = 1.0}', "", "http,playwright"),
    ],
)
def test_a_choice_of_tools_is_among_those_that_there_are(
    more: str, firecrawl: str, tools: str, tmp_path: Path
) -> None:
    settings = told(tmp_path, more, FIRECRAWL_URL=firecrawl)

    assert (settings["TOOLS"], settings["REQUIRED_FIELDS"]) == (tools, "title")


def test_a_tool_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="FIRECRAWL_URL is empty"):
        told(tmp_path, 'tools = ["firecrawl"]')


@pytest.mark.usefixtures("quotes")
def test_a_site_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    settings = told(tmp_path, OTHER)

    with pytest.raises(BadInput, match=r"as in -a site=NAME; there are: city\."):
        entry_of(settings, None)
    for name in ("town", "sayings"):
        with pytest.raises(BadInput, match=rf"-a site={name}: no such site has events; there are"):
            entry_of(settings, name)
