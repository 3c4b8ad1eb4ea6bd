"""The formats by name: what each makes, and which options it knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from n8n_scraper.core.errors import BadInput
from n8n_scraper.exports import json_formats
from n8n_scraper.exports.parquet import ParquetItemExporter
from n8n_scraper.exports.safe_csv import SafeCsvItemExporter
from n8n_scraper.exports.writer import ItemWriter, Writer
from n8n_scraper.sources.n8n.exports.finetune import FinetuneWriter, Splitting
from n8n_scraper.sources.n8n.exports.markdown import MarkdownWriter
from n8n_scraper.sources.n8n.item import Template

About = Mapping[str, Any]
Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Format:
    """What makes an export of this format, at a path, knowing what it is about."""

    writer: Callable[[Path, About, Options], Writer]
    is_folder: bool = False
    streams: bool = False
    """Whether it can be written into a pipe, a template after the other."""
    options: frozenset[str] = frozenset()


def _jsonl(path: Path, about: About, options: Options) -> Writer:
    return ItemWriter(path, json_formats.LinesExporter)


def _json(path: Path, about: About, options: Options) -> Writer:
    return ItemWriter(path, partial(json_formats.DocumentExporter, about=about))


def _csv(path: Path, about: About, options: Options) -> Writer:
    columns, excel = list(Template.model_fields), bool(options.get("excel"))
    return ItemWriter(path, partial(SafeCsvItemExporter, excel=excel, fields_to_export=columns))


def _parquet(path: Path, about: About, options: Options) -> Writer:
    return ItemWriter(path, ParquetItemExporter)


def _markdown(path: Path, about: About, options: Options) -> Writer:
    return MarkdownWriter(path)


def _finetune(path: Path, about: About, options: Options) -> Writer:
    return FinetuneWriter(path, read_splitting(options))


FORMATS = {
    "jsonl": Format(_jsonl, streams=True),
    "json": Format(_json),
    "csv": Format(_csv, streams=True, options=frozenset(("excel",))),
    "parquet": Format(_parquet),
    "markdown": Format(_markdown, is_folder=True),
    "finetune": Format(_finetune, is_folder=True, options=frozenset(("validation", "seed"))),
}


def read_format(name: str | None, options: Options) -> Format:
    """Find the format; refuse one that there is not, and options that are another one's."""
    if name is None or name not in FORMATS:
        said = "is missing" if name is None else f"is {name!r}"
        raise BadInput(f"--format {said}; write one of {', '.join(FORMATS)}.")
    found = FORMATS[name]
    for option, value in options.items():
        if value and option not in found.options:
            owner = next(other for other in FORMATS if option in FORMATS[other].options)
            raise BadInput(f"--{option} belongs to --format {owner}, not to {name}.")
    read_splitting(options)
    return found


def read_splitting(options: Options) -> Splitting:
    """Check how the pairs are to be parted."""
    share, seed = options.get("validation") or "0.1", options.get("seed") or "0"
    try:
        validation = float(share)
    except ValueError:
        validation = -1.0
    if not 0 <= validation < 1:
        raise BadInput(f"--validation is {share!r}; write a share from 0 to below 1, such as 0.1.")
    if not seed.isdecimal():
        raise BadInput(f"--seed is {seed!r}; write a whole number.")
    return Splitting(validation=validation, seed=int(seed))
