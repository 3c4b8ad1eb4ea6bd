"""What follows from a template's content."""

from n8n_scraper.core.computing import compute, compute_again
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.computed import COMPUTED, is_silent, judge_import
from n8n_scraper.sources.n8n.rules.fingerprint import content_hash
from n8n_scraper.sources.n8n.rules.quality import score
from tests.unit.making import template


def without_text() -> Template:
    item = template()
    item.workflow = item.description = item.explainer = None
    return item


def test_everything_follows_from_the_content() -> None:
    # Given a template whose content has become another one since it was scored
    item = template()
    compute(COMPUTED, item)
    as_it_came = item.model_copy()
    item.title, item.description = None, "Write to ada@n8n-users.com"

    compute_again(COMPUTED, item, as_it_came)

    assert item.quality == score(item)
    assert item.content_hash == content_hash(item)
    assert item.import_check is not None
    assert [finding.place for finding in item.secrets or []] == ["description"]


def test_where_there_is_no_text_no_secret_is_looked_for() -> None:
    item = without_text()

    compute(COMPUTED, item)

    assert is_silent(item)
    assert item.secrets is None


def test_a_template_with_any_text_is_not_silent() -> None:
    item = without_text()
    item.description = "A word"

    assert not is_silent(item)


def test_without_a_workflow_the_verdict_has_the_workflows_reason() -> None:
    item = without_text()
    item.unobserved = {**item.unobserved, "workflow": "json failed: no answer in time"}

    judge_import(item)

    assert item.import_check is None
    assert item.unobserved["import_check"] == "json failed: no answer in time"
