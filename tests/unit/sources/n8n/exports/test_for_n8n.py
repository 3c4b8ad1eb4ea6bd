"""What n8n's own import takes, and what not."""

import json
from pathlib import Path
from typing import Any

from n8n_scraper.core.computing import compute
from n8n_scraper.sources.n8n.exports.for_n8n import ForN8nWriter, why_not, workflow
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.kind import KIND
from tests.unit.exports.given import template
from tests.unit.making import WORKFLOW


def judged(workflow_id: str = "869", **fields: Any) -> Template:
    made = template(workflow_id, **({"title": "Ask an address", "workflow": WORKFLOW} | fields))
    made.unobserved = {one.field: one.not_yet for one in KIND.computed}
    compute(KIND.computed, made)
    return made


def test_a_workflow_has_an_id_of_its_own_and_nothing_of_another_n8n() -> None:
    foreign = {"id": "PpVB", "tags": [{"id": "1"}], "shared": [], "versionId": "x", "active": True}

    made = workflow(judged(workflow=WORKFLOW | foreign | {"staticData": {}}))

    assert made == {
        "id": "tpl869",
        "name": "Ask an address",
        "nodes": WORKFLOW["nodes"],
        "connections": WORKFLOW["connections"],
        "settings": {},
        "pinData": {},
        "meta": {"templateId": "869"},
        "active": False,
    }


def test_settings_and_pinned_data_are_kept() -> None:
    own = {"settings": {"timezone": "Asia/Tokyo"}, "pinData": {"Start": [{"json": {}}]}}

    made = workflow(judged(workflow=WORKFLOW | own))

    assert {name: made[name] for name in own} == own


def test_every_workflow_has_a_name_that_n8n_takes() -> None:
    long = workflow(judged(title="x" * 300))["name"]

    assert (len(long), long[-1]) == (128, "…")
    assert workflow(judged(title=None))["name"] == "Template 869"


def test_what_n8n_would_not_take_is_left_out_and_named_with_the_reason(tmp_path: Path) -> None:
    twice = {**WORKFLOW, "nodes": [*WORKFLOW["nodes"], WORKFLOW["nodes"][0]]}
    writer = ForN8nWriter(tmp_path / "out")

    for one in (judged(), judged("2", workflow=twice), judged("3", workflow=None)):
        writer.write(one)
    counts = writer.finish()

    assert counts == {
        "workflows": 1,
        "refused": 2,
        "refused_because": {"2": ["a name is used once"], "3": ["no workflow"]},
    }
    (file,) = (tmp_path / "out").iterdir()
    assert (file.name, json.loads(file.read_text())["id"]) == ("869.json", "tpl869")
    assert why_not(template("4", workflow=WORKFLOW)) == ["not judged"]
