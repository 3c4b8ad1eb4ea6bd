"""Templates in plain columns, the names in their lists, and questions that are ready to ask."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from typing import Any

from n8n_scraper.exports.flat import FlatColumn
from n8n_scraper.sources.n8n.item import Template

_BETWEEN = ", "


def _of(part: str, name: str) -> Callable[[Any], Any]:
    """Take a value out of a part that a template may not have."""
    return lambda template: getattr(getattr(template, part), name, None)


def _names(field: str) -> Callable[[Any], str | None]:
    """Write the names of a list into one text."""

    def joined(template: Any) -> str | None:
        names: Iterable[str] | None = getattr(template, field)
        return None if names is None else _BETWEEN.join(names)

    return joined


def _number(field: str) -> Callable[[Any], int | None]:
    def counted(template: Any) -> int | None:
        those: Sized | None = getattr(template, field)
        return None if those is None else len(those)

    return counted


FLAT = (
    FlatColumn("author_name", str, _of("author", "name")),
    FlatColumn("author_username", str, _of("author", "username")),
    FlatColumn("author_verified", bool, _of("author", "verified")),
    FlatColumn("category_names", str, _names("categories")),
    FlatColumn("node_type_names", str, _names("node_types")),
    FlatColumn("trigger_type_names", str, _names("trigger_types")),
    FlatColumn("credential_type_names", str, _names("credential_types")),
    FlatColumn("community_node_names", str, _names("community_nodes")),
    FlatColumn("picture_count", int, _number("images")),
    FlatColumn("video_count", int, _number("videos")),
    FlatColumn("secret_count", int, _number("secrets")),
    FlatColumn("quality_score", float, _of("quality", "score")),
    FlatColumn("quality_grade", str, _of("quality", "grade")),
    FlatColumn("import_verdict", str, _of("import_check", "verdict")),
)


def _node_types(template: Template) -> Iterable[tuple[str, int]]:
    return (template.node_types or {}).items()


def _categories(template: Template) -> Iterable[tuple[str, int]]:
    return ((name, 1) for name in template.categories or ())


LISTS = {"template_nodes": _node_types, "template_categories": _categories}

QUESTIONS: Mapping[str, tuple[str, str]] = {
    "most_viewed": (
        "The most viewed templates",
        "select workflow_id, title, author_name, views, url from templates_flat "
        "order by views desc limit 100",
    ),
    "with_node": (
        "Templates with a node, by its type such as n8n-nodes-base.slack",
        "select workflow_id, title, number, views, url from templates_flat "
        "join template_nodes using (workflow_id) where name = :node order by views desc",
    ),
    "nodes": (
        "How many templates have each node",
        "select name, count(*) as templates, sum(number) as nodes from template_nodes "
        "group by name order by templates desc",
    ),
    "categories": (
        "Templates and views by category",
        "select name, count(*) as templates, sum(views) as views from templates_flat "
        "join template_categories using (workflow_id) group by name order by templates desc",
    ),
    "authors": (
        "Authors by their templates",
        "select author_username, max(author_name) as author, count(*) as templates, "
        "sum(views) as views, round(avg(quality_score), 1) as quality from templates_flat "
        "group by author_username order by templates desc",
    ),
    "not_importable": (
        "Templates that n8n does not take",
        "select workflow_id, title, url from templates_flat where import_verdict = 'rejected'",
    ),
    "removed": (
        "Templates that the site has no more",
        "select workflow_id, title, author_name, removed_at from templates_flat "
        "where removed_at is not null order by removed_at desc",
    ),
    "new_each_month": (
        "New templates by month",
        "select substr(created_at, 1, 7) as month, count(*) as templates from templates_flat "
        "group by month order by month desc",
    ),
}
