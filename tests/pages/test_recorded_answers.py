"""Answers recorded from the stand-in give the items that stand beside them.

A new case is a new file in `expected/` with `url`, `layer`, `asked` and `others`; then
`make cassettes` records the answer and writes down what it gives, for you to read.
"""

from typing import Any

import pytest
from scrapy.http import HtmlResponse, Response

from n8n_scraper.sources.n8n.item import Template, broken_promises
from n8n_scraper.sources.n8n.replica.error_pages import not_found_page
from tests.pages.cases import PASSING, cases, item_from
from tests.pages.conftest import CASSETTES

CASES = cases()


@pytest.mark.parametrize(
    ("url", "expected"), [(case["url"], case) for case in CASES.values()], ids=list(CASES)
)
def test_recorded(response: Response, url: str, expected: dict[str, Any]) -> None:
    found = item_from(response, expected)

    assert response.url == url
    assert found == expected["gives"]
    whole = Template.model_validate({**found, **dict.fromkeys(PASSING, 0), "scraped_at": "today"})
    assert broken_promises(whole) == []


def test_every_recording_has_its_case() -> None:
    recorded = {file.stem.removeprefix("test_recorded__") for file in CASSETTES.glob("*.yaml")}

    assert recorded == set(CASES)


@pytest.mark.parametrize("status", [200, 404])
def test_the_missing_page_is_missing_under_either_status(status: int) -> None:
    case = CASES["missing_page"]
    response = HtmlResponse(case["url"], status=status, body=not_found_page())

    layer = item_from(response, case)["layers"]["explainer"]

    assert (layer["status"], layer["http_status"]) == ("missing", status)
