"""What the recorded answers hold, counted a second time without the project's own readers."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from n8n_scraper.sources.n8n.item import Explainer, Template
from n8n_scraper.sources.n8n.pages.comparison import compare
from n8n_scraper.sources.n8n.pages.markdown import render
from n8n_scraper.sources.n8n.pages.readable import readable_html
from n8n_scraper.sources.n8n.rules.quality import score
from tests.samples.answers import read_detail, read_import, template_of
from tests.samples.conftest import is_enough, recorded, recorded_and_known

pytestmark = pytest.mark.timeout(1200)  # a wider set than ours takes minutes

# What the site's own pages say around a description.
CHROME = (
    "Strictly necessary",
    "This website uses cookies",
    "There's nothing you can't automate with n8n",
    "More templates by",
    "Popular integrations",
    "Trending combinations",
    "Use for free",
)
URL = re.compile(
    r"(?:https?:)?(?://)?[\w.-]*(?:youtu\.be|youtube(?:-nocookie)?\.com|ytimg\.com)/[^\s)\]\"'<>`]*"
)
EMBEDDED = re.compile(r"@\[youtube\]\(([^)]*)\)")


def texts(workflow: dict[str, Any], description: str | None) -> Iterator[str]:
    """Every text in which an author may name a video."""
    yield description or ""
    for node in workflow["nodes"]:
        if node.get("type") == "n8n-nodes-base.stickyNote":
            yield str((node.get("parameters") or {}).get("content") or "")
        else:
            yield str(node.get("notes") or "")


def video_id(url: str) -> str | None:
    """The video of an address, by taking the address apart."""
    parts = urlsplit(url if "//" in url else f"https://{url}")
    steps = [step for step in parts.path.split("/") if step]
    host = (parts.hostname or "").lower()
    if steps[:1] == ["watch"]:
        candidate = parse_qs(parts.query).get("v", [""])[0]
    elif host.endswith("youtu.be"):
        candidate = steps[0] if steps else ""
    elif len(steps) > 1 and steps[0] in ("shorts", "live", "embed", "v", "vi", "vi_webp"):
        candidate = steps[1]
    else:
        return None
    whole = re.match(r"[\w-]+", candidate.replace("\\", ""))
    return whole[0] if whole and len(whole[0]) == 11 else None


def counted_videos(texts_of_template: Iterator[str]) -> set[str]:
    found = set()
    for text in texts_of_template:
        found |= {match.strip() for match in EMBEDDED.findall(text) if len(match.strip()) == 11}
        found |= {one for url in URL.findall(text) if (one := video_id(url))}
    return found


def everything() -> Iterator[tuple[Template, dict[str, Any], str | None]]:
    for file in recorded("api-detail"):
        answer = json.loads(file.read_bytes())["workflow"]
        yield template_of(read_detail(file)), answer["workflow"], answer["description"]
    for file in recorded("api-import"):
        yield template_of(read_import(file)), json.loads(file.read_bytes())["workflow"], None


def test_every_video_is_found_and_nothing_else(samples: Path) -> None:
    counted, found = set(), set()
    for index, (template, workflow, description) in enumerate(everything()):
        counted |= {(index, one) for one in counted_videos(texts(workflow, description))}
        found |= {(index, video.video_id) for video in template.videos or []}

    assert is_enough(len(counted), 90), f"too few videos in {samples}"
    assert found - counted == set()
    assert counted - found == set()


def test_every_note_is_found_with_its_text_and_place(samples: Path) -> None:
    notes = 0
    for template, workflow, _ in everything():
        written = [
            ((node.get("parameters") or {}).get("content"), node.get("position") or [None, None])
            for node in workflow["nodes"]
            if node.get("type") == "n8n-nodes-base.stickyNote"
        ]
        assert template.notes is not None
        assert [(note.text, [note.x, note.y]) for note in template.notes] == written
        notes += len(written)

    assert is_enough(notes, 1_000), f"too few notes in {samples}"


def overlap(node: list[float], size: float, note: dict[str, Any]) -> float:
    """The share of a square that lies in a note, counted by its corners."""
    width = float(note["parameters"].get("width") or 240)
    height = float(note["parameters"].get("height") or 160)
    left, top = note["position"]
    wide = max(0.0, min(node[0] + size, left + width) - max(node[0], left))
    high = max(0.0, min(node[1] + size, top + height) - max(node[1], top))
    return wide * high / size**2


def test_the_nodes_of_every_note_are_those_that_lie_in_it(samples: Path) -> None:
    belonging = 0
    for template, workflow, _ in everything():
        subs = {
            name
            for name, outputs in workflow["connections"].items()
            if isinstance(outputs, dict) and any(kind.startswith("ai_") for kind in outputs)
        }
        placed = [
            (node["name"], node["position"], 80 if node["name"] in subs else 100)
            for node in workflow["nodes"]
            if node["type"] != "n8n-nodes-base.stickyNote" and "position" in node and "name" in node
        ]
        drawn = [one for one in workflow["nodes"] if one["type"] == "n8n-nodes-base.stickyNote"]
        for note, ours in zip(drawn, template.notes or [], strict=True):
            expected = {
                name for name, position, size in placed if overlap(position, size, note) >= 0.5
            }
            assert {node.name for node in ours.nodes} == expected
            assert ours.about == ("nodes" if expected else "template")
            belonging += len(expected)

    assert is_enough(belonging, 1_000), f"too few nodes in notes in {samples}"


def test_no_chrome_is_in_any_explainer(samples: Path) -> None:
    for template, _, description in everything():
        if template.explainer is None:
            continue
        shown = template.explainer.model_dump_json(exclude={"markdown"})
        assert [
            words for words in CHROME if words in shown and words not in (description or "")
        ] == [], f"{template.workflow_id} in {samples.name}"


@pytest.mark.parametrize("number", ["1954", "2462", "6270", "8237"])
def test_the_rendered_pages_agree_with_the_markdown(samples: Path, number: str) -> None:
    page = samples / "pages-html" / f"rendered-text-{number}.json"
    if not page.exists():
        pytest.skip(f"the page is not in {samples}")
    rendered = json.loads(page.read_text())
    shown = rendered["content_text"].partition("\nShare\n")[2].partition("\nMore templates by")[0]
    answer = json.loads((samples / "api-detail" / f"{number}.json").read_bytes())["workflow"]

    comparison = compare(readable_html(render(answer["description"])), shown)

    assert comparison.differences == []
    assert comparison.agrees


# How many of the 174 recorded descriptions have each part; none may become fewer.
LEAST = {
    "introduction": 154,
    "how_it_works": 115,
    "setup": 109,
    "requirements": 81,
    "customisation": 53,
    "steps": 109,
    "code_blocks": 27,
    "tables": 11,
    "links": 86,
}


def test_each_part_of_an_explanation_is_found_as_often_as_before(samples: Path) -> None:
    explainers: list[Explainer] = []
    for file in recorded_and_known("api-detail"):
        found = template_of(read_detail(file)).explainer
        assert found is not None
        explainers.append(found)

    counts = {part: sum(bool(getattr(one, part)) for one in explainers) for part in LEAST}
    headed = sum(any(section.heading for section in one.sections) for one in explainers)

    assert {part: found for part, found in counts.items() if found < LEAST[part]} == {}
    assert headed >= 148, f"of {len(explainers)} in {samples.name}"


def test_every_recorded_template_gets_a_score(samples: Path) -> None:
    scores = [score(template) for template, _, _ in everything()]

    assert all(0.0 < quality.score <= 100.0 for quality in scores), samples.name
    assert {quality.grade for quality in scores} >= {"Excellent", "Good"}
