"""What is asked for, and by which tool."""

from typing import Any

import pytest
from scrapy import Request
from scrapy.utils.test import get_crawler

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.source import Step
from n8n_scraper.sources.events.by_tool import ByTool
from n8n_scraper.sources.events.kind import KIND
from n8n_scraper.sources_file.entry import Entry

CHOICE = {"TOOLS": "http,devtools,playwright", "REQUIRED_FIELDS": "title"}


def asked(settings: dict[str, str], **said: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is told of the requests for a list and for an event."""
    place = {"title": "City Hall", "address": "https://city.example/", "kind": "events"}
    entry = Entry(name="city", timezone="Asia/Macau", **place, **said)
    by_tool = ByTool(get_crawler(settings_dict=settings), entry)
    return (
        by_tool.of_list(Request("https://city.example/")).meta,
        by_tool.of_event(Request("https://city.example/7")).meta,
    )


@pytest.mark.parametrize(
    ("said", "of_list", "of_event"),
    [
        ({}, {}, {}),
        ({"tools": ["devtools"]}, {"tool": "devtools"}, {"tool": "devtools"}),
        (
            {"tools": ["playwright"], "consent": True, "wait_for": ".event"},
            {"tool": "playwright", "steps": [{"consent": True}, {"wait": ".event"}]},
            {"tool": "playwright", "steps": [{"consent": True}]},
        ),
    ],
)
def test_one_tool_fetches_all_and_steps_are_done_on_the_list(
    said: dict[str, Any], of_list: dict[str, Any], of_event: dict[str, Any]
) -> None:
    assert asked({}, **said) == (of_list, of_event)


def test_where_there_is_a_choice_the_results_make_it() -> None:
    assert asked(CHOICE, tools="auto") == ({"tool": "auto"}, {"tool": "auto"})


def test_a_list_that_has_to_be_scrolled_is_left_to_browsers() -> None:
    of_list, of_event = asked(CHOICE, tools="auto", scroll=3)

    assert of_list == {
        "steps": [{"scroll": 3}], "tool": "devtools", "tools_left": ["playwright"]
    }  # fmt: skip
    assert of_event == {"tool": "auto"}


def test_the_list_of_its_site_brings_an_event_and_says_where_its_page_is() -> None:
    assert KIND.asking is not None
    event = Dossier.opened(Planned("mgm-0123456789abcdef"), started=0.0)

    steps = KIND.asking.steps({}, event)["full"]

    assert steps[0] == Step("list", "https://www.mgm.mo/en/entertainment/events")
    assert (steps[1].part, steps[1].url) == ("detail", None)
    assert KIND.asking.item_at({}, "https://www.mgm.mo/en/entertainment/events") is None
