"""Pairs to train a model on, in both directions: text to workflow, workflow to text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports.json_text import json_text
from n8n_scraper.exports.writer import Writer
from n8n_scraper.policies.likeness.features import Features
from n8n_scraper.policies.likeness.groups import Groups
from n8n_scraper.sources.n8n.exports.similarity import (
    graph_features,
    join_alike,
    split,
    text_features,
)
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.pages import workflow as reading

_TO_WORKFLOW = "Write the n8n workflow for this template as JSON.\n\n{text}"
_TO_TEXT = "Say what this n8n workflow is for: a title, then a description.\n\n{workflow}"


@dataclass(frozen=True, slots=True)
class Splitting:
    """How to part the pairs."""

    validation: float = 0.1
    seed: int = 0
    longest: int | None = None
    """How many signs a pair may have."""
    likeness: float = 0.7


def read_splitting(options: Mapping[str, Any]) -> Splitting:
    """Check how the pairs are to be parted."""
    share, seed = options.get("validation") or "0.1", options.get("seed") or "0"
    try:
        validation = float(share)
    except ValueError:
        validation = -1.0
    if not 0 <= validation < 1:
        raise BadInput(f"--validation is {share!r}; write a share from 0 to below 1, such as 0.1.")
    if not seed.isdecimal():
        raise BadInput(f"--seed is {seed!r}; write a whole number.")
    return Splitting(validation, int(seed), _longest(options.get("longest")))


def _longest(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isascii() or not text.isdecimal() or int(text) == 0:
        raise BadInput(f"--longest is {text!r}; write a whole number from 1 on.")
    return int(text)


class FinetuneWriter(Writer[Template]):
    """Writes a folder of two files: train.jsonl, validation.jsonl.

    Which side a template is on is known only when all have been seen: until then its pairs wait in
    a file of their own, and only what they are compared by is kept in memory.
    """

    def __init__(self, folder: Path, splitting: Splitting) -> None:
        folder.mkdir()
        self._folder = folder
        self._splitting = splitting
        self._waiting = folder / "waiting"
        self._file: BinaryIO = self._waiting.open("wb")
        self._names: list[str] = []
        self._lengths: list[int] = []
        self._texts: list[Features[int]] = []
        self._graphs: list[Features[int]] = []
        self._skipped: Counter[str] = Counter(without_text=0, without_workflow=0, too_long=0)

    def write(self, template: Template) -> None:
        """Add the pairs of a template that has both a text and a workflow."""
        text = text_of(template)
        if not text or not template.workflow:
            self._skipped["without_workflow" if text else "without_text"] += 1
            return
        both = list(both_ways(template, text))
        if any(self._is_too_long(pair) for pair in both):
            self._skipped["too_long"] += 1
            return
        pairs = "".join(f"{json_text(pair)}\n" for pair in both).encode()
        self._file.write(pairs)
        self._names.append(template.workflow_id)
        self._lengths.append(len(pairs))
        self._texts.append(text_features(text))
        self._graphs.append(_graph(template.workflow))

    def finish(self) -> dict[str, Any]:
        """Part the pairs."""
        self._file.close()
        groups = self._groups()
        held_back = split(groups, self._splitting.validation, self._splitting.seed)
        in_validation = [group in held_back for group in groups]
        self._part(in_validation)
        self._waiting.unlink()
        return self._counts(groups, in_validation)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _is_too_long(self, pair: Mapping[str, Any]) -> bool:
        longest = self._splitting.longest
        return longest is not None and longest < sum(
            len(message["content"]) for message in pair["messages"]
        )

    def _groups(self) -> list[str]:
        """Name the group of each template, by its first member."""
        groups = Groups(len(self._names))
        join_alike(groups, self._texts, self._splitting.likeness)
        join_alike(groups, self._graphs, self._splitting.likeness)
        return [self._names[groups.of(number)] for number in range(len(self._names))]

    def _part(self, in_validation: Sequence[bool]) -> None:
        with (
            self._waiting.open("rb") as waiting,
            (self._folder / "train.jsonl").open("wb") as train,
            (self._folder / "validation.jsonl").open("wb") as validation,
        ):
            for held_back, length in zip(in_validation, self._lengths, strict=True):
                (validation if held_back else train).write(waiting.read(length))

    def _counts(self, groups: list[str], in_validation: list[bool]) -> dict[str, Any]:
        sizes = Counter(groups)
        validation = sum(in_validation)
        return {
            "train_templates": len(groups) - validation,
            "validation_templates": validation,
            "pairs": 2 * len(groups),
            "groups_of_alike": sum(1 for size in sizes.values() if size > 1),
            "largest_group": max(sizes.values(), default=0),
            "skipped_without_text": self._skipped["without_text"],
            "skipped_without_workflow": self._skipped["without_workflow"],
            "skipped_too_long": self._skipped["too_long"],
        }


def text_of(template: Template) -> str | None:
    """Give the title and what the author says; None where one of them is lacking."""
    explainer = template.explainer
    said = (explainer and (explainer.markdown or explainer.text)) or template.description
    if not template.title or not said or not said.strip():
        return None
    return f"# {template.title.strip()}\n\n{said.strip()}"


def both_ways(template: Template, text: str) -> Iterator[dict[str, Any]]:
    """Give the two conversations of a template, each saying whose it is."""
    workflow = json_text(template.workflow)
    yield _chat(template, "text-to-workflow", _TO_WORKFLOW.format(text=text), workflow)
    yield _chat(template, "workflow-to-text", _TO_TEXT.format(workflow=workflow), text)


def _chat(template: Template, direction: str, asked: str, answered: str) -> dict[str, Any]:
    return {
        "messages": [
            {"role": "user", "content": asked},
            {"role": "assistant", "content": answered},
        ],
        "metadata": {
            "workflow_id": template.workflow_id,
            "direction": direction,
            "author": template.author.name if template.author else None,
            "url": template.url,
            "removed_at": template.removed_at,
        },
    }


def _graph(workflow: dict[str, Any]) -> Features[int]:
    nodes = reading.working_nodes(workflow)
    types = {str(node.get("name")): str(node.get("type")) for node in nodes}
    wires = (
        (types.get(edge.source, "?"), edge.output, types.get(str(edge.target), "?"))
        for edge in reading.edges(workflow)
    )
    return graph_features((str(node.get("type")) for node in nodes), wires)
