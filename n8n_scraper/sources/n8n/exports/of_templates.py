"""What the exports of templates have besides what all have."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from n8n_scraper.core.source import Record, Source
from n8n_scraper.exports.content import ContentFilter
from n8n_scraper.exports.formats import Format, Option, Options
from n8n_scraper.exports.of_source import SourceExports
from n8n_scraper.exports.writer import Writer
from n8n_scraper.sources.n8n.exports.attribution import NOTE, attribution
from n8n_scraper.sources.n8n.exports.finetune import FinetuneWriter, read_splitting
from n8n_scraper.sources.n8n.exports.flat import FLAT, LISTS, QUESTIONS
from n8n_scraper.sources.n8n.exports.for_n8n import ForN8nWriter
from n8n_scraper.sources.n8n.exports.markdown import MarkdownWriter
from n8n_scraper.sources.n8n.item import Template


def _categories(record: Record) -> Iterable[str]:
    return record["categories"] or ()


def _node_types(record: Record) -> Iterable[str]:
    return record["node_types"] or ()


def _trigger_types(record: Record) -> Iterable[str]:
    return record["trigger_types"] or ()


def _authors(record: Record) -> Iterable[str]:
    author = record["author"] or {}
    return [name for name in (author.get("name"), author.get("username")) if name]


def type_names(node_type: str) -> tuple[str, ...]:
    """The names a node type goes by: whole, and without its package."""
    name = node_type.casefold()
    return (name, name.rpartition(".")[2])


def _has_secrets(template: Template) -> bool:
    return bool(template.secrets)


def _markdown(
    path: Path, source: Source, about: Mapping[str, Any], options: Options
) -> Writer[Template]:
    return MarkdownWriter(path)


def _finetune(
    path: Path, source: Source, about: Mapping[str, Any], options: Options
) -> Writer[Template]:
    return FinetuneWriter(path, read_splitting(options))


def _for_n8n(
    path: Path, source: Source, about: Mapping[str, Any], options: Options
) -> Writer[Template]:
    return ForN8nWriter(path)


EXPORTS = SourceExports(
    note=NOTE,
    attribution=attribution,
    schema_version=2,  # in Parquet, dictionaries are lists of entries and no maps
    filters=(
        ContentFilter("category", ("categories",), _categories),
        ContentFilter("author", ("author",), _authors),
        ContentFilter("node", ("node_types",), _node_types, type_names),
        ContentFilter("trigger", ("trigger_types",), _trigger_types, type_names),
    ),
    score="quality_score",
    has_secrets=_has_secrets,
    flat=FLAT,
    lists=LISTS,
    questions=QUESTIONS,
    formats={
        "n8n": Format(_for_n8n, is_folder=True),
        "markdown": Format(_markdown, is_folder=True),
        "finetune": Format(
            _finetune,
            is_folder=True,
            options=(
                Option("validation", "finetune: default 0.1", "SHARE"),
                Option("seed", "finetune: default 0", "NUMBER"),
                Option("longest", "finetune: signs of a pair at most", "NUMBER"),
            ),
            check=read_splitting,
        ),
    },
)
