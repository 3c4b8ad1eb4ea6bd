"""Transcripts of items that pass through."""

from n8n_scraper.items import Template, broken_promises
from n8n_scraper.pipelines.transcripts import NoVideoPipeline
from tests.unit.making import template


def passed(item: Template) -> Template:
    assert NoVideoPipeline().process_item(item) is item
    return item


def test_a_template_without_videos_has_no_transcripts_and_that_is_known() -> None:
    item = passed(template())

    assert item.transcripts == []
    assert item.sources["transcripts"] == "videos"
    assert not broken_promises(item)


def test_a_template_with_a_video_waits_for_it() -> None:
    item = passed(template(description="See https://youtu.be/abcdefghijk"))

    assert item.transcripts is None
    assert item.unobserved["transcripts"] == "not asked for yet"


def test_unknown_videos_are_not_no_videos() -> None:
    item = template()
    item.videos, item.unobserved = None, {**item.unobserved, "videos": "metadata failed"}

    assert passed(item).transcripts is None
    assert item.unobserved["transcripts"] == "its videos are not known"


def test_other_items_pass_as_they_are() -> None:
    assert NoVideoPipeline().process_item({"a": 1}) == {"a": 1}
