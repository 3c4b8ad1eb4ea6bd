"""Judging an item before it is checked and stored."""

import pytest
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.pipelines.contract import ContractPipeline, InvalidItem
from tests.unit.making import template
from tests.unit.pipelines.crawling import built


def test_an_item_that_keeps_the_contract_passes() -> None:
    item = template()

    assert built(ContractPipeline).process_item(item) is item


def test_a_null_without_a_reason_is_refused_by_name() -> None:
    item = template()
    item.description = None

    with pytest.raises(InvalidItem, match="7: description is null without a reason"):
        built(ContractPipeline).process_item(item)


def test_items_of_other_kinds_pass_untouched() -> None:
    item = {"some": "item"}

    assert built(ContractPipeline).process_item(item) is item


def test_a_spider_of_no_source_has_no_contract_to_keep() -> None:
    pipeline = build_from_crawler(ContractPipeline, get_crawler())
    item = template()
    item.description = None

    assert pipeline.process_item(item) is item
