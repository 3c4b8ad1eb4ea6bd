"""Computes what follows from a template's content: verdict, findings, score, fingerprint."""

from __future__ import annotations

from n8n_scraper.policies.safety.secrets import find_secrets
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.pages.template import NOT_YET, content_hash
from n8n_scraper.sources.n8n.rules.import_check import check_import
from n8n_scraper.sources.n8n.rules.node_table import shipped_table
from n8n_scraper.sources.n8n.rules.quality import score

SOURCE = "computed"
"""What `sources` says of such fields."""


def is_due(template: Template, field: str) -> bool:
    """Whether nobody has computed this of the template yet."""
    return template.unobserved.get(field) == NOT_YET[field]


def compute_all(template: Template, *, secrets_wanted: bool) -> None:
    """Compute everything that follows from a new template's content."""
    settle_transcripts(template)
    judge_import(template)
    look_for_secrets(template, wanted=secrets_wanted)
    template.observe("quality", score(template), SOURCE)


def settle_transcripts(template: Template) -> None:
    """No video is nothing to transcribe; unknown videos are another thing."""
    if template.videos == []:
        template.observe("transcripts", [], "videos")
    elif template.videos is None:
        template.unobserved = {**template.unobserved, "transcripts": "its videos are not known"}


def look_for_secrets(template: Template, *, wanted: bool = True) -> None:
    """Note kind, place and count of each secret, or why nobody has looked."""
    if not wanted:
        why = "not looked for: REDACT is off"
        template.unobserved = {**template.unobserved, "secrets": why}
    elif is_silent(template):
        why = "there is nothing to look through"
        template.unobserved = {**template.unobserved, "secrets": why}
    else:
        template.observe("secrets", find_secrets(template), SOURCE)


def is_silent(template: Template) -> bool:
    """Whether there is no text at all that a secret could stand in."""
    return template.workflow is None and template.description is None and template.explainer is None


def judge_import(template: Template) -> None:
    """Fill in whether n8n takes the workflow; without a workflow it gets the workflow's reason."""
    if template.workflow is None:
        why = template.unobserved.get("workflow", "there is no workflow")
        template.unobserved = {**template.unobserved, "import_check": why}
        return
    verdict = check_import(template.workflow, name=template.title, table=shipped_table())
    template.observe("import_check", verdict, SOURCE)


def compute_again(template: Template, *, look_for_secrets: bool) -> None:
    """Let everything that follows from the content follow from what it has become.

    A template that nobody has scored stays without a score.
    """
    judge_import(template)
    if look_for_secrets and not is_silent(template):
        template.observe("secrets", find_secrets(template), SOURCE)
    if template.quality is not None:
        template.observe("quality", score(template), SOURCE)
    template.observe("content_hash", content_hash(template), SOURCE)
