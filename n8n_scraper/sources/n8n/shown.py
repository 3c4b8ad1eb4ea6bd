"""Tell a template to a person at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from n8n_scraper.sources.n8n.item import ImportCheck, Template
from n8n_scraper.sources.n8n.searched import plain_note


def shown(template: Template) -> Iterator[str]:
    """Give its lines: what it is, what it needs, what its author says, what it is made of."""
    yield f"{template.title or 'Without a title'} ({template.workflow_id})"
    yield template.url
    yield " · ".join(_facts(template))
    if template.removed_at:
        yield f"The site has not had it since {template.removed_at[:10]}."
    if template.categories:
        yield f"Categories: {', '.join(template.categories)}"
    if template.import_check:
        yield from _import_lines(template.import_check)
    if template.quality:
        quality = template.quality
        yield f"Quality: {quality.score:.1f}, {quality.grade}; `scrapy quality` says why"
    text = template.explainer.text if template.explainer else template.description
    if text:
        yield f"\n{text}"
    if template.node_types:
        yield "\nNodes:"
        yield from (f"  {number:>3}  {name}" for name, number in template.node_types.items())
    notes = [plain_note(note.text) for note in template.notes or () if note.text]
    if notes:
        yield "\nNotes:"
        yield from (f"  {' '.join(note.split())}" for note in notes)


def _facts(template: Template) -> Iterator[str]:
    author = template.author
    if author and (name := author.name or author.username):
        yield f"by {name}{' (verified)' if author.verified else ''}"
    if template.created_at:
        yield f"published {template.created_at[:10]}"
    if template.views is not None:
        yield f"{template.views} views"
    if template.price:
        yield f"costs {template.price:g}"


def _import_lines(check: ImportCheck) -> Iterator[str]:
    yield f"n8n {check.n8n_version}: {check.verdict}"
    yield from (f"  {one.rule}: {one.place}" for one in check.problems)
    for what, names in (
        ("credentials", check.needs.credentials),
        ("packages", check.needs.packages),
    ):
        if names:
            yield f"Needs {what}: {', '.join(names)}"
