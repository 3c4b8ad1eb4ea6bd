"""Real answers go all the way, into both databases and out again, and nothing is lost."""

import json
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Dossier
from n8n_scraper.core.item import Outcome
from n8n_scraper.ledger.database import Database
from n8n_scraper.sources.n8n.item import Template, broken_promises
from n8n_scraper.sources.n8n.pages import workflow as facts
from tests import templates
from tests.samples.answers import read_detail, read_import, template_of
from tests.samples.conftest import is_enough, recorded

pytestmark = pytest.mark.timeout(1200)  # a wider set than ours takes minutes
AT_A_TIME = 200
# The site counts and describes these for its own search; the raw answer keeps them.
NOT_OURS = {"lastUpdatedBy", "workflowInfo", "status", "nodes", "reviewStatus", "readyToDemo"}


@lru_cache(maxsize=2 * AT_A_TIME)
def whole(file: Path, read: Callable[[Path], Dossier]) -> tuple[Template, Dossier]:
    """What one answer makes; of a wide set only the last are kept."""
    dossier = read(file)
    return template_of(dossier), dossier


def as_written(value: object) -> str:
    """JSON with its keys in the order they have."""
    return json.dumps(value)


def test_a_recorded_metadata_answer_makes_a_whole_template(detail_file: Path) -> None:
    found, _ = whole(detail_file, read_detail)

    assert broken_promises(found) == []
    assert found.outcome is Outcome.COMPLETE


def test_a_recorded_metadata_answer_loses_nothing(detail_file: Path) -> None:
    # given
    answer: dict[str, Any] = json.loads(detail_file.read_bytes())["workflow"]

    # when
    found, _ = whole(detail_file, read_detail)

    # then: every key of the answer is a field of ours, or known to be none
    assert found.author is not None
    assert found.images is not None
    author = dict(answer["user"], links=[link for link in answer["user"]["links"] if link])
    attached = {(image["id"], image["url"]) for image in answer["image"]}
    ours = {
        "id": found.workflow_id == str(answer["id"]),
        "name": found.title == answer["name"],
        "views": found.views == answer["views"],
        "totalViews": found.views == answer["totalViews"],
        "recentViews": found.recent_views == answer["recentViews"],
        "createdAt": found.created_at == answer["createdAt"],
        "description": found.description == answer["description"],
        "workflow": as_written(found.workflow) == as_written(answer["workflow"]),
        "user": found.author.model_dump() == author,
        "categories": found.categories == [entry["name"] for entry in answer["categories"]],
        "image": attached <= {(image.file_id, image.url) for image in found.images},
    }
    assert [key for key in answer if not ours.get(key, key in NOT_OURS)] == []


def test_a_recorded_json_answer_makes_a_template_and_loses_nothing(import_file: Path) -> None:
    answer = json.loads(import_file.read_bytes())

    found, _ = whole(import_file, read_import)

    assert broken_promises(found) == []
    assert (found.workflow_id, found.title) == (str(answer["id"]), answer["name"])
    assert as_written(found.workflow) == as_written(answer["workflow"])


def test_the_facts_of_a_recorded_workflow_can_be_read(workflow_file: Path) -> None:
    workflow = json.loads(workflow_file.read_bytes())

    notes, types = facts.notes(workflow), facts.node_types(workflow)

    assert len(notes) + len(facts.working_nodes(workflow)) == len(workflow["nodes"])
    assert sum(types.values()) == len(facts.working_nodes(workflow))
    assert {*facts.trigger_types(workflow), *facts.community_nodes(workflow)} <= set(types)
    assert facts.edges(workflow) or not any(workflow["connections"].values())
    assert all(kind.strip() for kind in facts.credential_types(workflow))


def _store(session: Session, dossiers: list[tuple[Template, Dossier]]) -> None:
    for template, dossier in dossiers:
        templates.save(session, template, dossier.answers.values())


def _lost(session: Session, dossiers: list[tuple[Template, Dossier]]) -> dict[str, list[str]]:
    """The fields by which a loaded template differs from the saved one."""
    lost: dict[str, list[str]] = {}
    for template, dossier in dossiers:
        loaded = templates.load(session, template.workflow_id)
        assert loaded is not None
        fields = [
            field
            for field in Template.model_fields
            if getattr(loaded, field) != getattr(template, field)
        ]
        if as_written(loaded.workflow) != as_written(template.workflow):
            fields.append("order of keys")
        fields += [
            f"raw {answer.part}"
            for answer in dossier.answers.values()
            if templates.raw_answer(session, template.workflow_id, answer.part) != answer.body
        ]
        if fields:
            lost[template.workflow_id] = fields
    return lost


def _in_parts(
    folder: str, read: Callable[[Path], Dossier]
) -> Iterator[list[tuple[Template, Dossier]]]:
    """The templates of a folder, never more of them than the memory holds."""
    files = iter(recorded(folder))
    while part := [whole(one, read) for one in islice(files, AT_A_TIME)]:
        yield part


@pytest.mark.further_on("postgresql")
@pytest.mark.parametrize(
    ("folder", "read", "least"),
    [("api-detail", read_detail, 170), ("api-import", read_import, 85)],
)
def test_recorded_answers_come_back_from_the_database(
    samples: Path, database: Database, folder: str, read: Callable[[Path], Dossier], least: int
) -> None:
    assert is_enough(len(recorded(folder)), least), f"too few answers in {samples / folder}"

    for part in _in_parts(folder, read):
        database.do(partial(_store, dossiers=part))

        assert database.do(partial(_lost, dossiers=part)) == {}
