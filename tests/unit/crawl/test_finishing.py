"""Making a template of raw answers, and doing ahead what the pipelines would do."""

from dataclasses import replace

import pytest
from scrapy.settings import Settings
from scrapy.utils.misc import build_from_crawler

from n8n_scraper.addon import ScraperAddon
from n8n_scraper.core.dossier import Answer, Dossier, Planned
from n8n_scraper.core.item import PartStatus
from n8n_scraper.core.packing import unpack
from n8n_scraper.core.source import Provenance
from n8n_scraper.crawl.finishing import Order, finish
from n8n_scraper.pipelines.order import UNTIL_STORED, only_ours
from n8n_scraper.records.written import write_down
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.source import SOURCE
from tests.unit.making import json_answer, metadata_answer
from tests.unit.pipelines.crawling import crawler_of_templates

ORDER = Order(Provenance("https://n8n.io", "run", "2026-01-01T00:00:00.000Z", 0.5))


def under_way(metadata: bytes = b"", workflow_id: str = "7") -> Dossier:
    """A dossier as the spider has it: what came, unread."""
    made = Dossier(Planned(workflow_id, listing={"slug": "ask-an-address"}), started=0.0)
    for layer, body in (
        (Layer.METADATA, metadata or metadata_answer()),
        (Layer.JSON, json_answer()),
    ):
        made.settle(layer, PartStatus.OK, http_status=200)
        made.answers[layer] = Answer(layer, "http://x/", 200, body, "2026-01-01T00:00:00Z")
    made.settle(Layer.EXPLAINER, PartStatus.SKIPPED, "not needed")
    return made


@pytest.mark.parametrize(("wanted", "off"), [("report", ()), ("off", ("secrets",))])
def test_what_is_done_ahead_is_what_the_pipelines_would_have_done(
    wanted: str, off: tuple[str, ...]
) -> None:
    ahead = finish(SOURCE, under_way(), replace(ORDER, off=frozenset(off))).item
    plain = finish(SOURCE, under_way(), replace(ORDER, ahead=False)).item
    assert plain is not None
    assert plain != ahead

    crawler = crawler_of_templates(REDACT=wanted)
    for one in UNTIL_STORED[:-1]:
        build_from_crawler(one, crawler).process_item(plain)

    assert plain == ahead


def test_the_pipelines_leave_as_it_is_what_was_done_ahead() -> None:
    finished = finish(SOURCE, under_way(), ORDER).item
    assert finished is not None
    before = finished.model_copy(deep=True)

    crawler = crawler_of_templates(REDACT="report")
    for one in UNTIL_STORED[:-1]:
        build_from_crawler(one, crawler).process_item(finished)

    assert finished == before


def test_what_is_written_out_is_what_the_item_says() -> None:
    finished = finish(SOURCE, under_way(), ORDER)
    assert finished.item is not None
    assert finished.written is not None

    assert finished.written == write_down(SOURCE, finished.item, under_way().answers.values())
    assert finished.written.row["title"] == finished.item.title
    assert [unpack(one["body"]) for one in finished.written.answers] == [
        metadata_answer(),
        json_answer(),
    ]


def test_an_answer_that_cannot_be_read_settles_its_layer_only_then() -> None:
    strange = under_way(metadata_answer("8"))

    finished = finish(SOURCE, strange, ORDER)

    state = finished.parts[Layer.METADATA]
    assert (state.status, state.http_status) == (PartStatus.FAILED, 200)
    assert state.reason == "asked for template 7, the answer speaks of 8"
    assert isinstance(finished.item, Template)
    assert finished.item.outcome == "partial"


def test_nothing_is_made_of_answers_that_say_nothing() -> None:
    empty = under_way(b"[]")
    del empty.answers[Layer.JSON], empty.parts[Layer.JSON]

    finished = finish(SOURCE, empty, ORDER)

    assert (finished.item, finished.written) == (None, None)
    assert finished.parts[Layer.METADATA].status is PartStatus.FAILED


def wired(**changes: object) -> Settings:
    """The settings of a crawl, with what a project has changed."""
    settings = Settings(changes)
    ScraperAddon().update_settings(settings)
    return settings


class Foreign:
    """A pipeline or a spider middleware of somebody else's."""


@pytest.mark.parametrize(
    ("changes", "alone"),
    [
        ({}, True),
        ({"ITEM_PIPELINES": {Foreign: 950}}, True),  # it comes after the database
        ({"ITEM_PIPELINES": {Foreign: 130}}, False),
        ({"ITEM_PIPELINES": {Foreign: 500}}, False),
        ({"SPIDER_MIDDLEWARES": {Foreign: 100}}, False),
    ],
)
def test_nothing_is_done_ahead_of_somebody_elses_pipeline(
    changes: dict[str, object], alone: bool
) -> None:
    assert only_ours(wired(**changes)) is alone


def test_a_spider_that_waits_with_its_answers_has_its_items_done_ahead_as_well() -> None:
    settings = Settings()
    ScraperAddon(gives_drafts=True).update_settings(settings)

    assert only_ours(settings)
