"""Take over older values of a template that were not asked for, or not had, this time."""

from __future__ import annotations

from contextlib import suppress

from pydantic import ValidationError

from n8n_scraper.core.computing import compute_again
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import Record
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.parts import Layer
from n8n_scraper.sources.n8n.rules.computed import COMPUTED, SOURCE
from n8n_scraper.sources.n8n.rules.kept_content import keep_what_is_shown

# Where a field was read from, and the layer that was not asked when it is not read again.
_LAYER_OF_SOURCE = {
    "metadata": Layer.METADATA,
    "json": Layer.JSON,
    "page": Layer.EXPLAINER,
    "search": Layer.EXPLAINER,
}
# What the site no longer has is gone; what it did not give this time is still true.
_NOT_HAD = (PartStatus.SKIPPED, PartStatus.FAILED)


def carry_over(before: Record, template: Template) -> Template:
    """Give a template with what its older record has besides; if that is nothing, the very same.

    A score or a fingerprint of the new part alone would be wrong, so these follow from the whole.
    """
    whole = template.model_copy()
    _keep_what_was_not_asked(before, whole)
    _keep_the_page_text(before, whole)
    keep_what_is_shown(before, template, whole)
    if whole == template:
        return template
    compute_again(COMPUTED, whole, template)
    return whole


def _keep_what_was_not_asked(before: Record, template: Template) -> None:
    had_workflow = template.workflow is not None
    for field, source in before["sources"].items():
        if getattr(template, field, "") is None and _was_not_had(template, source):
            with suppress(ValidationError):  # an older version may have given it another shape
                template.observe(field, before[field], source)
                if field == "slug":
                    template.url = before["url"]
    if template.workflow is not None and not had_workflow:
        _keep_what_follows_from_the_workflow(before, template)


def _keep_what_follows_from_the_workflow(before: Record, template: Template) -> None:
    for field in (one.field for one in COMPUTED if "workflow" in one.of):
        if before[field] is not None:
            template.observe(field, before[field], before["sources"].get(field, SOURCE))


def _keep_the_page_text(before: Record, template: Template) -> None:
    old, new = before["explainer"] or {}, template.explainer
    if new and old.get("markdown") == new.markdown and _was_not_had(template, "page"):
        names = ("page_text", "differences")
        kept = {name: old[name] for name in names if old.get(name) is not None}
        template.explainer = type(new).model_validate({**new.model_dump(), **kept})


def _was_not_had(template: Template, source: str) -> bool:
    layer = _LAYER_OF_SOURCE.get(source)
    return layer is not None and template.layers[layer].status in _NOT_HAD
