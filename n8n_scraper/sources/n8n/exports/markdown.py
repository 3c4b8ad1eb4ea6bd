"""A folder to read in: a page for each template, and an index."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from n8n_scraper.exports.harmless import block, inline
from n8n_scraper.exports.json_text import json_text
from n8n_scraper.exports.writer import Writer
from n8n_scraper.sources.n8n.exports.attribution import NOTE
from n8n_scraper.sources.n8n.item import Note, Template
from n8n_scraper.sources.n8n.pages import workflow as reading

# These have a place of their own on the page, or would fill it.
_ELSEWHERE = frozenset(("description", "explainer", "notes", "workflow"))
_IN_FRONT = tuple(name for name in Template.model_fields if name not in _ELSEWHERE)
_LONGEST_SLUG = 80
_IN_A_URL = "%/:?#[]@!$&'()*+,;=~-._"
# Readers of YAML take these for the end of a line.
_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


class MarkdownWriter(Writer[Template]):
    """Writes `ID-SLUG.md` for each template, and `index.md`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._index = (folder / "index.md").open("w", encoding="utf-8", newline="\n")
        self._index.write(f"# Workflow templates of n8n.io\n\n{NOTE}\n\n")

    def write(self, template: Template) -> None:
        """Add a page."""
        name = file_name(template)
        (self._folder / name).write_bytes(page(template).encode())
        self._index.write(f"- [{_title(template)}]({name}){_by(template)}\n")

    def finish(self) -> dict[str, Any]:
        """End the index."""
        self._index.close()
        return {}

    def close(self) -> None:
        """Let go of the index."""
        self._index.close()


def file_name(template: Template) -> str:
    """Give a name that every file system takes, and that no other template has."""
    words = unicodedata.normalize("NFKD", template.slug or template.title or "")
    slug = re.sub(r"[^a-z0-9]+", "-", words.encode("ascii", "ignore").decode().lower())
    slug = slug[:_LONGEST_SLUG].strip("-")
    return f"{template.workflow_id}-{slug}.md" if slug else f"{template.workflow_id}.md"


def page(template: Template) -> str:
    """Give the page of a template."""
    parts = [_front_matter(template), f"# {_title(template)}", _attribution(template)]
    if said := _said(template):
        parts += ["## What the author says", block(said)]
    parts += [part for note in template.notes or () for part in _note(note)]
    if template.workflow and (rows := list(_node_rows(template.workflow))):
        parts += ["## Nodes", "\n".join(["| Node | Type |", "|---|---|", *rows])]
    return "\n\n".join(parts) + "\n"


def _front_matter(template: Template) -> str:
    """Give every field that is not on the page, each as JSON, which YAML is able to read."""
    fields = (f"{name}: {json_text(getattr(template, name))}" for name in _IN_FRONT)
    return _BREAKS.sub(_escaped, "\n".join(["---", *fields, "---"]))


def _escaped(sign: re.Match[str]) -> str:
    return f"\\u{ord(sign[0]):04x}"


def _title(template: Template) -> str:
    return inline(template.title or "") or f"Template {template.workflow_id}"


def _by(template: Template) -> str:
    name = template.author and (template.author.name or template.author.username)
    return f" by {inline(name)}" if name else ""


def _attribution(template: Template) -> str:
    return f"Published{_by(template)} at <{quote(template.url, safe=_IN_A_URL)}>. {NOTE}"


def _said(template: Template) -> str | None:
    return (template.explainer and template.explainer.markdown) or template.description


def _note(note: Note) -> Iterator[str]:
    if note.text and note.text.strip():
        yield f"## Note: {inline(note.name or '') or 'without a name'}"
        yield block(note.text)


def _node_rows(workflow: dict[str, Any]) -> Iterator[str]:
    for node in reading.working_nodes(workflow):
        yield f"| {inline(str(node.get('name')))} | {inline(str(node.get('type')))} |"
