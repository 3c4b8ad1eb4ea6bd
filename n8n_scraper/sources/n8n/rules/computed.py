"""Compute what follows from a template's content: verdict, findings, score, fingerprint."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from n8n_scraper.core.source import Computed
from n8n_scraper.policies.safety.redaction import Redaction, RedactionSettings
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.rules.fingerprint import content_hash
from n8n_scraper.sources.n8n.rules.import_check import check_import
from n8n_scraper.sources.n8n.rules.node_table import shipped_table
from n8n_scraper.sources.n8n.rules.quality import score
from n8n_scraper.sources.n8n.rules.secrets import find_secrets

SOURCE = "computed"
"""What `sources` says of such fields."""


def settle_transcripts(template: Template) -> None:
    """No video is nothing to transcribe; unknown videos are another thing."""
    if template.videos == []:
        template.observe("transcripts", [], "videos")
    elif template.videos is None:
        template.leave_out("transcripts", "its videos are not known")


def judge_import(template: Template) -> None:
    """Fill in whether n8n takes the workflow; without a workflow it gets the workflow's reason."""
    if template.workflow is None:
        why = template.unobserved.get("workflow", "there is no workflow")
        template.leave_out("import_check", why)
        return
    verdict = check_import(template.workflow, name=template.title, table=shipped_table())
    template.observe("import_check", verdict, SOURCE)


def look_for_secrets(template: Template) -> None:
    """Note kind, place and count of each secret, or that there is nothing to look through."""
    if is_silent(template):
        template.leave_out("secrets", "there is nothing to look through")
    else:
        template.observe("secrets", find_secrets(template), SOURCE)


def is_silent(template: Template) -> bool:
    """Whether there is no text at all that a secret could stand in."""
    return template.workflow is None and template.description is None and template.explainer is None


def judge_quality(template: Template) -> None:
    """Score the template, with the reasons."""
    template.observe("quality", score(template), SOURCE)


def take_fingerprint(template: Template) -> None:
    """Fingerprint what its author can edit."""
    template.observe("content_hash", content_hash(template), SOURCE)


def _wants_secrets(settings: Mapping[str, Any]) -> bool:
    return RedactionSettings.from_settings(settings).redaction is not Redaction.OFF


_AUTHORED = ("title", "description", "author", "categories", "workflow")
_WRITTEN = ("workflow", "description", "explainer")

COMPUTED = (
    Computed("content_hash", take_fingerprint, of=_AUTHORED, not_yet="not computed yet"),
    Computed("transcripts", settle_transcripts, of=("videos",), not_yet="not asked for yet"),
    Computed("import_check", judge_import, of=("workflow", "title"), not_yet="not checked yet"),
    Computed(
        "secrets",
        look_for_secrets,
        of=_WRITTEN,
        not_yet="not looked for yet",
        switched_off="not looked for: REDACT is off",
        is_wanted=_wants_secrets,
        stat="secrets/templates",
    ),
    # The score looks at what the others have found.
    Computed("quality", judge_quality, of=_WRITTEN, not_yet="not scored yet"),
)
"""The one table of what is computed of a template, in its order."""
