"""What the page of a template shows besides what every item's page does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from n8n_scraper.serve.pages.safe_markdown import as_html
from n8n_scraper.serve.pages.words import cut
from n8n_scraper.serve.people.item_page import ItemPage, Picture
from n8n_scraper.sources.n8n.drawing import draw
from n8n_scraper.sources.n8n.item import Note, Template


def _values(template: Template, picture: Picture) -> Mapping[str, Any]:
    return {
        "drawing": _drawing(template),
        "explanation": _explanation(template, picture),
        "notes": [(_name(note), as_html(note.text or "", picture)) for note in _written(template)],
        "words_of": {one.video_id: one for one in template.transcripts or ()},
    }


def _drawing(template: Template) -> Markup | None:
    if not template.workflow or not template.workflow.get("nodes"):
        return None
    label = cut(f"The workflow of {template.title or f'template {template.workflow_id}'}")
    return Markup(draw(template.workflow, label))  # noqa: S704 - it is made of our own elements


def _explanation(template: Template, picture: Picture) -> Markup | None:
    """Render what the author wrote; where the API did not give that, what the page showed."""
    explainer = template.explainer
    if explainer is None:
        return None
    if explainer.markdown is not None:
        return as_html(explainer.markdown, picture)
    return Markup("<pre>{}</pre>").format(explainer.page_text or explainer.text)


def _written(template: Template) -> list[Note]:
    return [note for note in template.notes or () if note.text and note.text.strip()]


def _name(note: Note) -> str:
    beside = ", ".join(node.name for node in note.nodes[:5])
    return f"Note on {beside}" if beside else "Note"


def _pictures(template: Template) -> list[str]:
    return [image.url for image in template.images or ()]


ITEM_PAGE = ItemPage("n8n/template.html", _values, _pictures, followed="views")
