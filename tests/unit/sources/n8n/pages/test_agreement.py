"""Whether the answers of a template say the same."""

from typing import Any

import pytest

from n8n_scraper.core.dossier import Answer, Dossier
from n8n_scraper.core.errors import WrongItem
from n8n_scraper.sources.n8n.item import Agreement
from n8n_scraper.sources.n8n.pages import read_metadata, read_page, read_workflow_json
from n8n_scraper.sources.n8n.pages.agreement import agreement_of
from n8n_scraper.sources.n8n.pages.layers import read_into
from n8n_scraper.sources.n8n.parts import Layer
from tests.unit.sources.n8n.pages.given import (
    DETAIL,
    NODE,
    WORKFLOW,
    assembled,
    detail,
    dossier_of,
    encoded,
    html_page,
)


def metadata(**changes: Any) -> Any:
    return read_metadata(detail(**changes), asked="1954")


def workflow_json(name: str = "AI agent chat", workflow: Any = WORKFLOW) -> Any:
    return read_workflow_json(
        encoded({"id": 1954, "name": name, "workflow": workflow}), asked="1954"
    )


def page(**parts: str) -> Any:
    return read_page(html_page(**parts), asked="1954")


def credentials(**given: Any) -> dict[str, Any]:
    return {"nodes": [{**NODE, "credentials": given}], "connections": {}}


@pytest.mark.parametrize(
    ("parts", "agreement"),
    [
        pytest.param({}, (None, None, None, None), id="nothing"),
        pytest.param({"metadata": metadata()}, (True, None, None, None), id="one answer"),
        pytest.param(
            {"metadata": metadata(), "workflow_json": workflow_json(), "page": page()},
            (True, True, True, True), id="three that agree",
        ),
        pytest.param(
            {"metadata": metadata(name="  AI  Agent CHAT"), "workflow_json": workflow_json()},
            (True, True, True, None), id="letter case and space",
        ),
        pytest.param(
            {"metadata": metadata(), "workflow_json": workflow_json(name="Another")},
            (True, False, True, None), id="another title",
        ),
        pytest.param(
            {"metadata": metadata(), "workflow_json": workflow_json(workflow={"nodes": []})},
            (True, True, False, None), id="another workflow",
        ),
        pytest.param(
            {
                "metadata": metadata(workflow=credentials(
                    slackApi={"id": "credential-id", "name": "slackApi Credential"})),
                "workflow_json": workflow_json(workflow=credentials(
                    slackApi={"id": "7", "name": "Our team"})),
            },
            (True, True, True, None), id="blacked out",
        ),
        pytest.param(
            {
                "metadata": metadata(workflow={**WORKFLOW, "meta": {"instanceId": "1"}}),
                "workflow_json": workflow_json(),
            },
            (True, True, True, None), id="what imports nothing",
        ),
        pytest.param(
            {"metadata": metadata(), "page": page(description="<p>Other words.</p>")},
            (True, True, None, False), id="another text",
        ),
    ],
)  # fmt: skip
def test_what_two_answers_say_is_compared(
    parts: dict[str, Any], agreement: tuple[bool | None, ...]
) -> None:
    dossier = dossier_of(**parts)

    found = assembled(dossier).agreement

    assert found is not None
    names = ("same_id", "same_title", "same_workflow", "same_text")
    assert found == Agreement(**dict(zip(names, agreement, strict=True)))


def answer(workflow_id: int) -> Answer:
    body = encoded({"workflow": {**DETAIL, "id": workflow_id}})
    return Answer(Layer.METADATA, "https://n8n.io/", 200, body, "2026-01-01T00:00:00Z")


def test_an_answer_of_another_template_is_remembered_until_a_right_one_comes() -> None:
    dossier: Dossier = dossier_of()

    with pytest.raises(WrongItem):
        read_into(dossier, answer(1955))
    assert agreement_of(dossier, None).same_id is False

    read_into(dossier, answer(1954))
    assert agreement_of(dossier, None).same_id is True
