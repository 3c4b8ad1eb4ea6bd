"""Fingerprint what the author of a template can edit."""

from __future__ import annotations

import hashlib
import json

from n8n_scraper.sources.n8n.item import Template


def content_hash(template: Template) -> str:
    """Fingerprint it, so that views and dates do not count as a change."""
    authored = {
        "title": template.title,
        "description": template.description,
        "author": template.author.username if template.author else None,
        "categories": template.categories,
        "workflow": template.workflow,
    }
    canonical = json.dumps(authored, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
