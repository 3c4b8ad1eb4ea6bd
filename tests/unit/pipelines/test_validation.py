"""Judging an item before it is scored and stored."""

import pytest

from n8n_scraper.pipelines.quality import QualityPipeline
from n8n_scraper.pipelines.validation import InvalidTemplate, ValidationPipeline
from tests.unit.making import template


def test_a_template_that_keeps_the_contract_passes() -> None:
    item = template()

    assert ValidationPipeline().process_item(item) is item


def test_a_null_without_a_reason_is_refused_by_name() -> None:
    item = template()
    item.description = None

    with pytest.raises(InvalidTemplate, match="7: description is null without a reason"):
        ValidationPipeline().process_item(item)


def test_items_of_other_kinds_pass_untouched() -> None:
    item = {"some": "item"}

    assert ValidationPipeline().process_item(item) is item
    assert QualityPipeline().process_item(item) is item


def test_scoring_fills_the_field_and_takes_its_excuse_away() -> None:
    item = QualityPipeline().process_item(template())

    assert item.quality is not None
    assert "quality" not in item.unobserved
    assert item.sources["quality"] == "computed"
