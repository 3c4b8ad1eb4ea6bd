"""The list of categories."""

import json

import pytest

from n8n_scraper.core.errors import BadContent
from n8n_scraper.sources.n8n.pages import read_categories
from n8n_scraper.sources.n8n.replica.categories import CATEGORY_NAMES, categories_answer


def test_every_name_is_read_in_its_order() -> None:
    body = json.dumps(categories_answer()).encode()

    assert read_categories(body) == list(CATEGORY_NAMES)


@pytest.mark.parametrize("body", [b"{}", b'{"categories": 3}', b"[]", b""])
def test_an_answer_that_lists_nothing_is_unreadable(body: bytes) -> None:
    with pytest.raises(BadContent):
        read_categories(body)


def test_an_entry_without_a_name_is_passed_over() -> None:
    assert read_categories(b'{"categories": [{"name": "AI"}, {"name": " "}, null, 3]}') == ["AI"]
