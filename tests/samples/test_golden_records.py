"""Each field of each golden record equals what our pages give; see tests/golden/README.md."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from n8n_scraper.sources.n8n.item import Note, Template
from n8n_scraper.sources.n8n.pages import read_workflow_json
from n8n_scraper.sources.n8n.pages import workflow as facts
from n8n_scraper.sources.n8n.pages.markdown import read_markdown
from n8n_scraper.sources.n8n.pages.metadata import read_workflow
from n8n_scraper.sources.n8n.pages.videos import videos_in
from n8n_scraper.sources.n8n.rules.quality import score
from tests.samples.answers import read_detail, template_of
from tests.samples.conftest import GOLDEN

# A note to the reader, and what a record is looked up by.
NOT_COMPARED = {"remarks", "workflow_id"}
# What a record holds under the name and in the form of our own field.
AS_IN_THE_ITEM = (
    "title",
    "categories",
    "created_at",
    "views",
    "recent_views",
    "node_count",
    "note_count",
    "connection_count",
    "node_types",
    "trigger_types",
    "credential_types",
    "community_nodes",
)
# The parts of an explanation of which a record holds the first words.
PARTS = ("introduction", "how_it_works", "setup", "requirements", "customisation")
_FILE = re.compile(r"fileId:(\d+)")


def existing(file: Path) -> Path:
    if not file.exists():
        pytest.skip(f"not recorded: {file}")
    return file


@cache
def template(samples: Path, workflow_id: str) -> Template:
    return template_of(read_detail(existing(samples / "api-detail" / f"{workflow_id}.json")))


@cache
def bare_workflow(samples: Path, workflow_id: str) -> dict[str, Any]:
    file = existing(samples / "workflow-json" / f"{workflow_id}.json")
    workflow = read_workflow(json.loads(file.read_bytes()))
    assert workflow is not None
    return workflow


def fields(pattern: str) -> list[Any]:
    """Each field of each record as a case of its own, named `1954-title`."""
    records = [(file.stem, json.loads(file.read_text())) for file in sorted(GOLDEN.glob(pattern))]
    return [
        pytest.param(record, field, id=f"{name}-{field}")
        for name, record in records
        for field in record
        if field not in NOT_COMPARED
    ]


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def description(found: Template) -> dict[str, Any]:
    text = found.description or ""
    return {"length": len(text), "sha256": sha256(text), "starts": text[:60]}


def note(found: Note) -> dict[str, Any]:
    return {
        "name": found.name,
        "length": len(found.text or ""),
        "sha256": None if found.text is None else sha256(found.text),
        "position": None if found.x is None else [found.x, found.y],
        "width": found.width,
        "height": found.height,
        "color": found.color,
    }


def texts(markdown: str | None, notes: list[Note]) -> Iterator[tuple[str, str]]:
    """The texts under the names that a record gives to places."""
    if markdown:
        yield "description", markdown
    for index, one in enumerate(notes):
        yield f"note[{index}]", one.text or ""


def videos(markdown: str | None, notes: list[Note]) -> list[dict[str, Any]]:
    found = videos_in(texts(markdown, notes))
    return [{"id": video.video_id, "places": video.places} for video in found]


def explainer(found: Template) -> dict[str, Any]:
    assert found.explainer is not None
    explained = found.explainer
    counted = ("steps", "code_blocks", "tables", "links")
    return {
        "headings": [one.heading for one in explained.sections if one.heading],
        **{part: getattr(explained, part) for part in PARTS},
        **{part: len(getattr(explained, part)) for part in counted},
    }


def is_begun_by(found: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Whether each part of the explanation begins as the record says."""
    begun = {part: _start(found[part], expected[part]) for part in PARTS}
    return {**found, **begun} == expected


def _start(text: str | None, words: str | None) -> str | None:
    return text[: len(words)] if text and words else text


def quality(found: Template) -> dict[str, Any]:
    judged = score(found)
    return {
        "score": judged.score,
        "grade": judged.grade,
        **judged.layers,
        "consistency": judged.consistency,
        "issues": [issue.code for issue in judged.issues],
    }


def other_video_links(found: Template) -> list[dict[str, Any]]:
    links = sorted(found.other_video_links or [], key=lambda link: link.url)
    return [link.model_dump(exclude={"places"}) for link in links]


def attached(found: Template) -> list[dict[str, Any]]:
    """The attached pictures by their number; ours come in the order of the text."""
    images = [(image.file_id, image.url) for image in found.images or [] if image.file_id]
    return [{"id": number, "url": url} for number, url in sorted(images)]


def image_references(found: Template) -> list[int]:
    pictures = read_markdown(found.description or "").pictures
    numbers = (_FILE.fullmatch(picture.address) for picture in pictures)
    return [int(number[1]) for number in numbers if number]


def of_template(found: Template) -> dict[str, Callable[[], Any]]:
    """How our item says what a record holds."""
    assert found.author is not None
    author, notes = found.author, found.notes or []
    return {
        **{field: partial(getattr, found, field) for field in AS_IN_THE_ITEM},
        "slug_source": lambda: found.title,
        "description": lambda: description(found),
        "author": author.model_dump,
        "notes": lambda: list(map(note, notes)),
        "images": lambda: attached(found),
        "image_references": lambda: image_references(found),
        "videos": lambda: videos(found.description, notes),
        "video_kinds": lambda: {video.video_id: video.kind for video in found.videos or []},
        "other_video_links": lambda: other_video_links(found),
        "note_nodes": lambda: [[[node.name, node.overlap] for node in one.nodes] for one in notes],
        "explainer": lambda: explainer(found),
        "quality": lambda: quality(found),
    }


def of_workflow(found: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """How our pages say what the record of a bare workflow holds."""
    return {
        "node_count": lambda: len(facts.working_nodes(found)),
        "note_count": lambda: len(facts.note_nodes(found)),
        "connection_count": lambda: len(facts.edges(found)),
        "node_types": lambda: facts.node_types(found),
        "trigger_types": lambda: facts.trigger_types(found),
        "credential_types": lambda: facts.credential_types(found),
        "community_nodes": lambda: facts.community_nodes(found),
        "notes": lambda: list(map(note, facts.notes(found))),
        "videos": lambda: videos(None, facts.notes(found)),
    }


def as_import(samples: Path, found: Template) -> dict[str, Any] | None:
    """What the JSON answer of the same template says differently."""
    file = samples / "api-import" / f"{found.workflow_id}.json"
    if not file.exists():
        return None
    answer = read_workflow_json(file.read_bytes(), asked=found.workflow_id)
    ours, theirs = found.workflow or {}, answer.workflow or {}
    differences = sorted(
        key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key)
    )
    return {"equal": not differences, "differences": differences, "title": answer.title}


@pytest.mark.parametrize(("record", "field"), fields("[0-9]*.json"))
def test_a_field_of_a_golden_record(samples: Path, record: dict[str, Any], field: str) -> None:
    found = template(samples, record["workflow_id"])
    expected = record[field]

    if field == "rejected":
        # Channels and playlists are no videos, wherever they stand.
        assert videos_in((one["place"], one["url"]) for one in expected) == []
    elif field == "as_import":
        if expected is not None:
            existing(samples / "api-import" / f"{found.workflow_id}.json")
        assert as_import(samples, found) == expected
    elif field == "explainer":
        assert is_begun_by(explainer(found), expected), explainer(found)
    else:
        assert of_template(found)[field]() == expected


@pytest.mark.parametrize(("record", "field"), fields("workflow-*.json"))
def test_a_field_of_a_golden_workflow(samples: Path, record: dict[str, Any], field: str) -> None:
    found = bare_workflow(samples, record["workflow_id"])
    expected = record[field]

    if field == "rejected":
        assert videos_in((one["place"], one["url"]) for one in expected) == []
    else:
        assert of_workflow(found)[field]() == expected
