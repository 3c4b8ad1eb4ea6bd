"""The import verdict of an item."""

from n8n_scraper.pipelines.import_check import ImportCheckPipeline
from n8n_scraper.sources.n8n.item import broken_promises
from tests.unit.making import template


def test_a_template_gets_its_verdict() -> None:
    item = template()

    ImportCheckPipeline().process_item(item)

    assert item.import_check is not None
    assert item.import_check.verdict == "imports"
    assert item.sources["import_check"] == "computed"
    assert broken_promises(item) == []


def test_without_a_workflow_the_reason_is_the_workflows() -> None:
    item = template()
    item.workflow = None
    item.unobserved = {**item.unobserved, "workflow": "json missing: the site has none"}

    ImportCheckPipeline().process_item(item)

    assert item.import_check is None
    assert item.unobserved["import_check"] == "json missing: the site has none"


def test_other_items_pass() -> None:
    assert ImportCheckPipeline().process_item({"other": "item"}) == {"other": "item"}
