"""What is computed of an item on its way, as the settings want it."""

import logging

import pytest

from n8n_scraper.core.errors import BadInput
from n8n_scraper.crawl.checks import check_settings
from n8n_scraper.pipelines.checks import ChecksPipeline
from n8n_scraper.sources.n8n.item import Template, broken_promises
from tests.unit.making import template
from tests.unit.pipelines.crawling import built


def checked(item: Template, redaction: str = "report") -> ChecksPipeline:
    pipeline: ChecksPipeline = built(ChecksPipeline, REDACT=redaction)
    assert pipeline.process_item(item) is item
    return pipeline


def test_an_item_gets_its_verdict_and_its_score_and_loses_the_excuses() -> None:
    item = template()

    checked(item)

    assert item.import_check is not None
    assert item.import_check.verdict == "imports"
    assert item.sources["import_check"] == item.sources["quality"] == "computed"
    assert item.quality is not None
    assert not {"import_check", "secrets", "quality"} & item.unobserved.keys()
    assert broken_promises(item) == []


def test_without_a_workflow_the_reason_is_the_workflows() -> None:
    item = template()
    item.leave_out("workflow", "json missing: the site has none")

    checked(item)

    assert item.import_check is None
    assert item.unobserved["import_check"] == "json missing: the site has none"


@pytest.mark.parametrize("redaction", ["report", "replace"])
def test_findings_are_noted_and_the_values_stay(
    redaction: str, caplog: pytest.LogCaptureFixture
) -> None:
    item = template(description="Write to ada@acme.io")

    with caplog.at_level(logging.DEBUG):
        pipeline = checked(item, redaction)

    assert item.secrets is not None
    assert [(one.kind, one.place, one.count) for one in item.secrets] == [
        ("email", "description", 1)
    ]
    assert item.description == "Write to ada@acme.io"
    assert "ada@" not in caplog.text
    assert pipeline.crawler.stats is not None
    assert pipeline.crawler.stats.get_value("secrets/templates") == 1


def test_none_found_is_not_the_same_as_not_looked_for() -> None:
    looked, not_looked = template(), template()

    checked(looked, "report")
    checked(not_looked, "off")

    assert looked.secrets == []
    assert not_looked.secrets is None
    assert not_looked.unobserved["secrets"] == "not looked for: REDACT is off"


def test_where_there_is_nothing_to_look_through_that_is_the_reason() -> None:
    item = template()
    item.workflow = item.description = item.explainer = None

    checked(item)

    assert item.unobserved["secrets"] == "there is nothing to look through"


def test_a_template_without_videos_has_no_transcripts_and_that_is_known() -> None:
    item = template()

    checked(item)

    assert item.transcripts == []
    assert item.sources["transcripts"] == "videos"


def test_a_template_with_a_video_waits_for_its_words() -> None:
    item = template(description="See https://youtu.be/abcdefghijk")

    checked(item)

    assert item.transcripts is None
    assert item.unobserved["transcripts"] == "not asked for yet"


def test_unknown_videos_are_not_no_videos() -> None:
    item = template()
    item.leave_out("videos", "metadata failed")

    checked(item)

    assert item.transcripts is None
    assert item.unobserved["transcripts"] == "its videos are not known"


def test_what_was_computed_before_is_left_as_it_is() -> None:
    item = template()
    item.leave_out("quality", "not for me")

    checked(item)

    assert item.unobserved["quality"] == "not for me"


def test_other_items_pass() -> None:
    assert checked(template()).process_item({"other": "item"}) == {"other": "item"}


def test_another_value_is_refused_before_anything_starts() -> None:
    from scrapy.utils.project import get_project_settings

    settings = get_project_settings()
    settings.set("REDACT", "maybe")

    with pytest.raises(BadInput, match="REDACT is 'maybe'"):
        check_settings(settings)
