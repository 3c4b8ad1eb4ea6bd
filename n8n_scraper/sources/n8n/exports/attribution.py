"""Say whose a template is."""

from __future__ import annotations

from typing import Any

from n8n_scraper.sources.n8n.item import Template

NOTE = (
    "Every template belongs to its author and is published on n8n.io. No licence is stated there "
    "for single templates: ask the author before doing more with one than n8n.io's terms allow."
)


def attribution(template: Template) -> dict[str, Any]:
    """Say whose a template is, and where it is published."""
    author = template.author
    return {
        "workflow_id": template.workflow_id,
        "title": template.title,
        "author": author.name if author else None,
        "username": author.username if author else None,
        "url": template.url,
        "licence": None,
        "removed_at": template.removed_at,
    }
