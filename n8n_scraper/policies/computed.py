"""Computes what follows from a template's content: verdict, findings, score, fingerprint."""

from __future__ import annotations

from n8n_scraper.items import Template
from n8n_scraper.pages.template import content_hash
from n8n_scraper.policies.import_check import check_import
from n8n_scraper.policies.node_table import shipped_table
from n8n_scraper.policies.quality import score
from n8n_scraper.policies.secrets import find_secrets

SOURCE = "computed"
"""What `sources` says of such fields."""


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
