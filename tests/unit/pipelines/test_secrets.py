"""Secrets of an item, as the setting wants it."""

import logging

import pytest
from scrapy.utils.misc import build_from_crawler
from scrapy.utils.test import get_crawler

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.checks import check_settings
from n8n_scraper.pipelines.secrets import SecretsPipeline
from n8n_scraper.sources.n8n.item import Template, broken_promises
from tests.unit.making import template


def processed(item: Template, redaction: str) -> SecretsPipeline:
    crawler = get_crawler(settings_dict={"REDACT": redaction})
    crawler.stats = crawler.stats or build_from_crawler(crawler.settings["STATS_CLASS"], crawler)
    pipeline = build_from_crawler(SecretsPipeline, crawler)
    assert pipeline.process_item(item) is item
    return pipeline


@pytest.mark.parametrize("redaction", ["report", "replace"])
def test_findings_are_noted_and_the_values_stay(
    redaction: str, caplog: pytest.LogCaptureFixture
) -> None:
    item = template(description="Write to ada@acme.io")

    with caplog.at_level(logging.DEBUG):
        processed(item, redaction)

    assert item.secrets is not None
    assert [(one.kind, one.place, one.count) for one in item.secrets] == [
        ("email", "description", 1)
    ]
    assert item.description == "Write to ada@acme.io"
    assert "ada@" not in caplog.text
    assert broken_promises(item) == []


def test_none_found_is_not_the_same_as_not_looked_for() -> None:
    looked, not_looked = template(), template()

    processed(looked, "report")
    processed(not_looked, "off")

    assert looked.secrets == []
    assert not_looked.secrets is None
    assert not_looked.unobserved["secrets"] == "not looked for: REDACT is off"


def test_where_there_is_nothing_to_look_through_that_is_the_reason() -> None:
    item = template()
    item.workflow = item.description = item.explainer = None

    processed(item, "report")

    assert item.unobserved["secrets"] == "there is nothing to look through"


def test_other_items_pass() -> None:
    pipeline = processed(template(), "report")

    assert pipeline.process_item({"other": "item"}) == {"other": "item"}


def test_another_value_is_refused_before_anything_starts() -> None:
    from scrapy.utils.project import get_project_settings

    settings = get_project_settings()
    settings.set("REDACT", "maybe")

    with pytest.raises(BadInput, match="REDACT is 'maybe'"):
        check_settings(settings)
