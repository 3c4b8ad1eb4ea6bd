"""Where the tools are, and how long they may take."""

import sys

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.tools.tool_settings import ToolSettings
from n8n_scraper.policies.tools.ladder import Tool


def test_each_tool_has_a_deadline_of_its_own() -> None:
    settings = ToolSettings.from_settings({"PLAYWRIGHT_TIMEOUT": "20"})

    assert settings.deadlines == {Tool.FIRECRAWL: 90, Tool.DEVTOOLS: 150, Tool.PLAYWRIGHT: 20}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FIRECRAWL_URL", "api.firecrawl.dev"),
        ("FIRECRAWL_TIMEOUT", "0"),
        ("DEVTOOLS_URL", "9222"),
        ("DEVTOOLS_TIMEOUT", "long"),
        ("PLAYWRIGHT_PAGES", "0"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, value: str) -> None:
    with pytest.raises(BadInput, match=f"^{name} is '{value}'; write "):
        ToolSettings.from_settings({name: value})


def test_a_browser_that_is_named_has_to_be_there() -> None:
    with pytest.raises(BadInput, match="which is no program here"):
        ToolSettings.from_settings({"PLAYWRIGHT_EXECUTABLE": "/nowhere/chromium"}).check()

    named = ToolSettings.from_settings({"PLAYWRIGHT_EXECUTABLE": sys.executable})
    named.check()
    assert named.browser() == sys.executable
