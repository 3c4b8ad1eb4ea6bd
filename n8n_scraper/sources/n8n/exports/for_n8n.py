"""A folder that n8n's own command takes whole: `n8n import:workflow --separate --input=FOLDER`.

That command takes all or nothing, and does not say which file it does not like: so only templates
are written that n8n takes by its own rules, and the others are named in the manifest.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from n8n_scraper.exports.json_text import json_bytes
from n8n_scraper.exports.writer import Writer
from n8n_scraper.sources.n8n.importable import name_in_n8n
from n8n_scraper.sources.n8n.item import Template

_REFUSED = "rejected"


class ForN8nWriter(Writer[Template]):
    """Writes `ID.json` for each template that n8n takes."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        self._written = 0
        self._refused: dict[str, list[str]] = {}

    def write(self, template: Template) -> None:
        """Add a workflow, or remember why n8n would not take it."""
        if reasons := why_not(template):
            self._refused[template.workflow_id] = reasons
            return
        self._written += 1
        (self._folder / f"{template.workflow_id}.json").write_bytes(json_bytes(workflow(template)))

    def finish(self) -> dict[str, Any]:
        """Give the counts, and the rules that each refused template breaks."""
        return {
            "workflows": self._written,
            "refused": len(self._refused),
            "refused_because": self._refused,
        }


def why_not(template: Template) -> list[str]:
    """Say why n8n would not take a template's workflow; nothing where it would."""
    if template.workflow is None:
        return ["no workflow"]
    if template.import_check is None:
        return ["not judged"]
    if template.import_check.verdict == _REFUSED:
        return list(dict.fromkeys(one.rule for one in template.import_check.problems))
    return []


def workflow(template: Template) -> dict[str, Any]:
    """Give a template's workflow as n8n imports it, under an id of its own.

    Tags, owners and versions of another n8n are left out: its database would refuse or mistake
    them. The id is none that n8n gives, so that nothing of the person's own is overwritten.
    """
    served = template.workflow or {}
    return {
        "id": f"tpl{template.workflow_id}",
        "name": name_in_n8n(template.workflow_id, template.title),
        "nodes": served["nodes"],
        "connections": served["connections"],
        "settings": served.get("settings") or {},
        "pinData": served.get("pinData") or {},
        "meta": {"templateId": template.workflow_id},
        "active": False,
    }
