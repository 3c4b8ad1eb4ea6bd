"""Where in a template secrets are looked for, and what stays when they are taken out."""

from n8n_scraper.core.item import OF_THE_CRAWL
from n8n_scraper.policies.safety.finding import SecretFinding
from n8n_scraper.policies.safety.secrets import redacted
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.secrets import KEPT, find_secrets
from tests.unit.making import template as made


def test_a_template_is_looked_through_with_its_notes_and_its_description() -> None:
    # given
    note = {
        "name": "Note",
        "type": "n8n-nodes-base.stickyNote",
        "position": [0, 0],
        "parameters": {"content": "Ask ada@acme.io, or else bob@acme.io."},
    }
    secret = {"name": "Ask", "parameters": {"url": "https://ada:hunter2@acme.io", "a b": ["x"]}}
    item = made(description="Write to ada@acme.io")
    item.workflow = {"nodes": [secret, note], "connections": {}}

    # when, then
    assert find_secrets(item) == [
        SecretFinding(kind="password in a URL", place="workflow.nodes[0].parameters.url", count=1),
        SecretFinding(kind="email", place="notes[0].text", count=2),
        SecretFinding(kind="email", place="description", count=1),
    ]


def test_without_a_description_the_text_of_the_page_is_looked_through() -> None:
    item = made()
    assert item.explainer is not None
    item.explainer.page_text = "Write to ada@acme.io"
    item.description = None

    found = find_secrets(item)

    assert found == [SecretFinding(kind="email", place="explainer.page_text", count=1)]


def test_a_redacted_template_says_no_secret_in_any_field() -> None:
    # given
    item = made(description="## Setup\n\nWrite to ada@acme.io, she helps.")
    item.workflow = {**(item.workflow or {}), "pinData": {"x": "https://ada:hunter2@acme.io"}}
    before = item.model_dump_json()

    # when
    clean = redacted(item, KEPT)

    # then
    assert find_secrets(clean) == []
    assert "ada@acme.io" not in clean.model_dump_json()
    assert "hunter2" not in clean.model_dump_json()
    assert clean.description == "## Setup\n\nWrite to [REDACTED:email], she helps."
    assert item.model_dump_json() == before
    assert {field: getattr(clean, field) for field in KEPT | OF_THE_CRAWL} == {
        field: getattr(item, field) for field in KEPT | OF_THE_CRAWL
    }


def test_a_template_without_secrets_is_given_back_as_it_is() -> None:
    item = made()

    assert redacted(item, KEPT) is item


def test_what_is_kept_are_fields() -> None:
    assert set(Template.model_fields) >= KEPT | OF_THE_CRAWL
