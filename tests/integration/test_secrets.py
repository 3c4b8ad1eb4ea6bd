"""Secrets planted in the stand-in: all are found, nothing else is, and none is ever said."""

from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from n8n_scraper.exports import read_jsonl
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.replica.running import RunningStandIn
from n8n_scraper.sources.n8n.rules.secrets import find_secrets
from tests.crawling import Ran, crawl, rows, scrapy, stored

pytestmark = pytest.mark.full_speed

PLACEHOLDERS = ("YOUR_TOKEN_HERE", "YOUR_OPENAI_KEY_HERE", "YOUR_AWS_SECRET_KEY_HERE")


@dataclass(frozen=True)
class Crawled:
    """A crawl at its most talkative, and what it stored."""

    ran: Ran
    url: str
    found: dict[str, Template]


@pytest.fixture(scope="module")
def crawled(stand_in: RunningStandIn, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """A crawl of the whole stand-in that logs all that it can."""
    url = f"sqlite:///{tmp_path_factory.mktemp('secrets')}/a.db"
    ran = crawl(stand_in, url, LOG_LEVEL="DEBUG")
    assert ran.status == 0, ran.err
    return Crawled(ran, url, stored(url))


@dataclass(frozen=True)
class Exported:
    """What an export wrote and said, and what reads back."""

    text: str
    found: dict[str, Template]


@pytest.fixture(scope="module")
def redacted(crawled: Crawled, tmp_path_factory: pytest.TempPathFactory) -> Exported:
    """An export of the crawl without its secrets."""
    target = tmp_path_factory.mktemp("redacted") / "x.jsonl"
    ran = scrapy(
        *("export", "--format", "jsonl", "--output", str(target)),
        environment={"DATABASE_URL": crawled.url, "REDACT": "replace"},
    )
    assert ran.status == 0, ran.err
    text = target.read_text(encoding="utf-8") + ran.out + ran.err
    return Exported(text, {one.workflow_id: one for one in read_jsonl(target)})


@pytest.fixture(scope="module")
def planted(stand_in: RunningStandIn) -> set[str]:
    """The secrets of the whole stand-in, one text for each line of them."""
    truths = map(stand_in.truth, stand_in.ids)
    return {line for truth in truths for one in truth.secrets for line in lines(one.secret)}


def lines(secret: str) -> Iterable[str]:
    """A private key has many lines, of which the first and the last are no secret."""
    return [line for line in secret.splitlines() if not line.startswith("-----")]


def said_in(text: str, planted: set[str]) -> list[str]:
    return [secret for secret in planted if secret in text]


def test_each_template_has_the_findings_that_the_truth_tells_and_no_others(
    stand_in: RunningStandIn, crawled: Crawled
) -> None:
    told = {
        str(number): {(one.kind, one.place, one.count) for one in stand_in.truth(number).secrets}
        for number in stand_in.ids
    }

    found = {
        number: {(one.kind, one.place, one.count) for one in template.secrets or []}
        for number, template in crawled.found.items()
    }

    assert found == told
    assert len({kind for places in told.values() for kind, _, _ in places}) >= 12


def test_no_secret_is_in_the_log_of_a_crawl(crawled: Crawled, planted: set[str]) -> None:
    assert "DEBUG" in crawled.ran.err
    assert said_in(crawled.ran.err + crawled.ran.out, planted) == []


def test_no_secret_is_in_a_stored_finding_or_judgement(crawled: Crawled, planted: set[str]) -> None:
    judged = rows(crawled.url, "SELECT secrets, quality, import_check FROM workflows")

    assert "OpenAI key" in str(judged)
    assert said_in(str(judged), planted) == []


def test_the_archive_itself_keeps_what_the_site_serves(
    stand_in: RunningStandIn, crawled: Crawled
) -> None:
    for number in stand_in.ids:
        assert crawled.found[str(number)].workflow == stand_in.truth(number).workflow


def test_no_secret_leaves_in_a_redacted_export(
    crawled: Crawled, redacted: Exported, planted: set[str]
) -> None:
    assert said_in(redacted.text, planted) == []
    assert all(find_secrets(clean) == [] for clean in redacted.found.values())


def test_a_redacted_export_loses_the_secrets_and_nothing_else(
    crawled: Crawled, redacted: Exported
) -> None:
    assert redacted.found.keys() == crawled.found.keys()
    for number, template in crawled.found.items():
        clean, findings = redacted.found[number], template.secrets or []
        in_workflow = sum(one.count for one in findings if one.place != "description")
        assert str(clean.workflow).count("[REDACTED:") == in_workflow
        assert clean.secrets == template.secrets
        assert (clean == template) == (not findings)


@pytest.mark.parametrize("placeholder", PLACEHOLDERS)
def test_a_placeholder_of_the_site_is_not_replaced(
    crawled: Crawled, redacted: Exported, placeholder: str
) -> None:
    before = {number: str(one.workflow) for number, one in crawled.found.items()}
    after = {number: str(one.workflow) for number, one in redacted.found.items()}

    assert any(placeholder in text for text in before.values())
    assert {number: text.count(placeholder) for number, text in after.items()} == {
        number: text.count(placeholder) for number, text in before.items()
    }
