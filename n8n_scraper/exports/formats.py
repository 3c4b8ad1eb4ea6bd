"""The formats by name: what each makes, and which options it knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import Source
from n8n_scraper.exports import json_formats
from n8n_scraper.exports.dataset import DatasetWriter
from n8n_scraper.exports.datasette import DatasetteWriter
from n8n_scraper.exports.flat import FlatWriter, flat_columns
from n8n_scraper.exports.of_source import exports_of
from n8n_scraper.exports.parquet import ParquetItemExporter
from n8n_scraper.exports.safe_csv import SafeCsvItemExporter
from n8n_scraper.exports.writer import ItemWriter, Writer
from n8n_scraper.sources import all_sources

About = Mapping[str, Any]
Options = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Option:
    """An option that only one format knows."""

    name: str
    help: str
    metavar: str | None = None
    """What stands for its value; None where it has none."""


def _check_nothing(_options: Options) -> None:
    """Take the options as they are."""


@dataclass(frozen=True, slots=True)
class Format:
    """What makes an export of this format, at a path, of a source, knowing what it is about."""

    writer: Callable[[Path, Source, About, Options], Writer[Any]]
    is_folder: bool = False
    streams: bool = False
    """Whether it can be written into a pipe, an item after the other."""
    options: tuple[Option, ...] = ()
    check: Callable[[Options], object] = _check_nothing
    """Raises BadInput for a value of its options that makes no sense."""


def _jsonl(path: Path, source: Source, about: About, options: Options) -> Writer[Any]:
    return ItemWriter(path, json_formats.LinesExporter)


def _json(path: Path, source: Source, about: About, options: Options) -> Writer[Any]:
    document = partial(json_formats.DocumentExporter, about=about, items=source.noun.many)
    return ItemWriter(path, document)


def _csv(path: Path, source: Source, about: About, options: Options) -> Writer[Any]:
    columns, excel = list(source.kind().item.model_fields), bool(options.get("excel"))
    if options.get("flat"):
        columns = [column.name for column in flat_columns(source)]
        flat = partial(SafeCsvItemExporter, excel=excel, fields_to_export=columns)
        return FlatWriter(path, source, flat)
    return ItemWriter(path, partial(SafeCsvItemExporter, excel=excel, fields_to_export=columns))


def _parquet(path: Path, source: Source, about: About, options: Options) -> Writer[Any]:
    return ItemWriter(path, partial(ParquetItemExporter, source=source))


def _dataset(path: Path, source: Source, about: About, options: Options) -> Writer[Any]:
    return DatasetWriter(path, source, about)


def _datasette(path: Path, source: Source, about: About, options: Options) -> Writer[Any]:
    return DatasetteWriter(path, source, about)


_OF_CSV = (Option("excel", "csv: made for Excel"), Option("flat", "csv: plain columns only"))

FORMATS = {
    "jsonl": Format(_jsonl, streams=True),
    "json": Format(_json, streams=True),
    "csv": Format(_csv, streams=True, options=_OF_CSV),
    "parquet": Format(_parquet, streams=True),
    "dataset": Format(_dataset, is_folder=True),
    "datasette": Format(_datasette, is_folder=True),
}
"""Those of every source."""


def formats_of(source: Source) -> dict[str, Format]:
    """Give the formats that the items of a source can be had in."""
    return {**FORMATS, **exports_of(source).formats}


def all_formats() -> dict[str, Format]:
    """Give the formats that there are for any source."""
    return {name: form for source in all_sources() for name, form in formats_of(source).items()}


def read_format(source: Source, name: str | None, options: Options) -> Format:
    """Find the format; refuse one that there is not, and options that are another one's."""
    formats = formats_of(source)
    if name is None or name not in formats:
        said = "is missing" if name is None else f"is {name!r}"
        raise BadInput(f"--format {said}; write one of {', '.join(formats)}.")
    found = formats[name]
    known = {one.name for one in found.options}
    for option, value in options.items():
        if value and option not in known:
            raise BadInput(f"--{option} belongs to --format {_owner(option)}, not to {name}.")
    found.check(options)
    return found


def _owner(option: str) -> str:
    formats = all_formats().items()
    return next(name for name, form in formats if option in {one.name for one in form.options})
