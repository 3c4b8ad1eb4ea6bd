"""Which tools a crawl chooses from."""

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.tools.ladder_settings import LadderSettings
from n8n_scraper.policies.tools.ladder import Tool


def test_none_is_chosen_from_where_none_is_named() -> None:
    assert LadderSettings.from_settings({}) == LadderSettings((), ())


def test_each_is_named_once() -> None:
    given = {"TOOLS": "devtools, http,http", "REQUIRED_FIELDS": "title,start"}

    settings = LadderSettings.from_settings(given)

    assert settings == LadderSettings((Tool.DEVTOOLS, Tool.HTTP), ("title", "start"))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"TOOLS": "magic", "REQUIRED_FIELDS": "a"}, "^TOOLS is 'magic'; write some of http,"),
        ({"TOOLS": "http"}, "REQUIRED_FIELDS is empty: write which fields"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        LadderSettings.from_settings(given)
