import json
from pathlib import Path
from typing import Any

from n8n_scraper.policies.likeness.features import likeness
from n8n_scraper.sources.n8n.exports.finetune import FinetuneWriter, Splitting
from n8n_scraper.sources.n8n.exports.similarity import text_features
from n8n_scraper.sources.n8n.item import Author, Template
from tests.unit.exports.given import template

WORDS = [f"word{number}x" for number in range(12)]


def told(number: int, *, text: str | None = None, **fields: Any) -> Template:
    """A template with a text of its own."""
    own = " ".join(f"{word}{number}" for word in WORDS)
    given = {"title": f"Title {number}", "workflow": {"nodes": [{"name": str(number)}]}}
    return template(str(number), description=text or own, **(given | fields))


def part(folder: Path, templates: list[Template], **how: Any) -> dict[str, Any]:
    with FinetuneWriter(folder, Splitting(**how)) as writer:
        for one in templates:
            writer.write(one)
        return writer.finish()


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]


def ids(folder: Path, name: str) -> set[str]:
    return {line["metadata"]["workflow_id"] for line in lines(folder, name)}


def test_a_template_makes_a_pair_in_each_direction(tmp_path: Path) -> None:
    one = told(7, text="It asks.", author=Author(name="Ada"))

    part(tmp_path / "x", [one])

    to_workflow, to_text = lines(tmp_path / "x", "train")
    text, workflow = "# Title 7\n\nIt asks.", '{"nodes":[{"name":"7"}]}'
    assert [message["role"] for message in to_workflow["messages"]] == ["user", "assistant"]
    assert to_workflow["messages"][0]["content"].endswith(text)
    assert to_workflow["messages"][1]["content"] == workflow
    assert to_text["messages"][0]["content"].endswith(workflow)
    assert to_text["messages"][1]["content"] == text
    assert to_workflow["metadata"] == {
        "workflow_id": "7",
        "direction": "text-to-workflow",
        "author": "Ada",
        "url": one.url,
        "removed_at": None,
    }


def test_nothing_is_lost_and_nothing_is_on_both_sides(tmp_path: Path) -> None:
    templates = [told(number) for number in range(1, 101)]

    counts = part(tmp_path / "x", templates, validation=0.2)

    train, validation = ids(tmp_path / "x", "train"), ids(tmp_path / "x", "validation")
    assert (len(train), len(validation), train & validation) == (80, 20, set())
    assert counts["pairs"] == 200
    assert sorted(path.name for path in (tmp_path / "x").iterdir()) == [
        "train.jsonl",
        "validation.jsonl",
    ]


def test_texts_that_are_nearly_the_same_stay_on_one_side(tmp_path: Path) -> None:
    templates = []
    for number in range(1, 61):
        own = " ".join(f"{word}{number % 20}" for word in WORDS * 3)
        templates.append(told(number, title="Title", text=f"{own} and {number}"))

    counts = part(tmp_path / "x", templates, validation=0.3)

    assert counts["groups_of_alike"] == 20
    said = {
        side: [line["messages"][1]["content"] for line in lines(tmp_path / "x", side)[1::2]]
        for side in ("train", "validation")
    }
    assert said["validation"]
    for one in said["train"]:
        for other in said["validation"]:
            assert likeness(text_features(one), text_features(other)) < 0.7


def test_graphs_that_are_nearly_the_same_stay_on_one_side(tmp_path: Path) -> None:
    nodes = [{"name": f"n{at}", "type": f"package.type{at}"} for at in range(20)]
    copies = [told(number, workflow={"nodes": nodes}) for number in range(1, 5)]

    counts = part(tmp_path / "x", [*copies, *map(told, range(5, 21))], validation=0.5)

    assert counts["largest_group"] == 4
    assert len({"1", "2", "3", "4"} & ids(tmp_path / "x", "train")) in (0, 4)


def test_the_same_seed_gives_the_same_sides_in_whatever_order(tmp_path: Path) -> None:
    templates = [told(number) for number in range(1, 41)]

    part(tmp_path / "a", templates, seed=3)
    part(tmp_path / "b", templates[::-1], seed=3)
    part(tmp_path / "c", templates, seed=4)

    assert ids(tmp_path / "a", "validation") == ids(tmp_path / "b", "validation")
    assert ids(tmp_path / "a", "validation") != ids(tmp_path / "c", "validation")


def test_templates_that_make_no_pair_are_counted(tmp_path: Path) -> None:
    templates = [
        told(1),
        told(2, title=None),
        told(3, text=" \n"),
        told(4, workflow=None),
        told(5, workflow={}),
    ]

    counts = part(tmp_path / "x", templates)

    assert (counts["skipped_without_text"], counts["skipped_without_workflow"]) == (2, 2)
    assert counts["pairs"] == 2


def test_no_template_at_all_makes_two_empty_files(tmp_path: Path) -> None:
    counts = part(tmp_path / "x", [])

    assert lines(tmp_path / "x", "train") == lines(tmp_path / "x", "validation") == []
    assert counts["largest_group"] == 0
