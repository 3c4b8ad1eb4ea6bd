"""An export from beginning to end: choose, read, redact, write, vouch for it, put in place."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.source import Source
from n8n_scraper.exports.filters import Filters, refuse_unknown
from n8n_scraper.exports.formats import Format
from n8n_scraper.exports.json_text import json_text
from n8n_scraper.exports.manifest import described, header, write_manifest
from n8n_scraper.exports.of_source import exports_of
from n8n_scraper.exports.redactor import redactor
from n8n_scraper.exports.staging import Staging
from n8n_scraper.policies.safety.redaction import Redaction
from n8n_scraper.records.choosing import Choice, Snapshot

STDOUT = Path("/dev/stdout")
"""The target of `--output -`."""


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody wants to have exported."""

    source: Source
    format_name: str
    format: Format
    target: Path
    filters: Filters
    options: Mapping[str, Any]
    redaction: Redaction
    priorities: Mapping[str, int] = field(default_factory=dict)
    """How much each site is to be believed, 1 before 2, where one of several is kept."""

    @property
    def with_secrets(self) -> str:
        """Name the count of those that go out with what looks like a secret in them."""
        return f"{self.source.noun.many}_with_secrets"


@dataclass(frozen=True, slots=True)
class Exported:
    """What came of it."""

    items: int
    not_stored: tuple[str, ...]
    counts: Mapping[str, Any]
    bytes: int
    seconds: float


def export(archive: Snapshot, order: Order) -> Exported:
    """Write an export; either all of it is in its place at the end, or nothing is touched."""
    began = time.monotonic()
    if order.target == STDOUT:
        return _stream(archive, order, began)
    many = order.source.noun.many
    with Staging(order.target, is_folder=order.format.is_folder) as staging:
        ids, left_out = _chosen(archive, order)
        about = _about(order, ids, left_out)
        counts = _write(_leaving(archive, order, ids), order, about, staging)
        about["counts"] |= counts
        files = list(described(staging.files()))
        with _attributions(staging).open(encoding="utf-8", newline="\n") as lines:
            write_manifest(staging.manifest, about, files, many, lines)
        staging.commit()
    return Exported(
        items=len(ids),
        not_stored=_not_stored(archive, order.filters),
        counts={**left_out, **counts},
        bytes=sum(file["bytes"] for file in files),
        seconds=time.monotonic() - began,
    )


def _stream(archive: Snapshot, order: Order, began: float) -> Exported:
    """Write the items and nothing else; what has been read from a pipe cannot be taken back."""
    ids, left_out = _chosen(archive, order)
    holding = _Holding(order)
    about = _about(order, ids, left_out)
    with order.format.writer(STDOUT, order.source, about, order.options) as writer:
        for item in _leaving(archive, order, ids):
            writer.write(item)
            holding.count(item)
        counts = writer.finish()
    return Exported(
        items=len(ids),
        not_stored=_not_stored(archive, order.filters),
        counts={**left_out, **holding.counts, **counts},
        bytes=0,
        seconds=time.monotonic() - began,
    )


def _about(order: Order, ids: Sized, left_out: Mapping[str, int]) -> dict[str, Any]:
    filters = order.filters.as_json()
    about = header(order.source, order.format_name, filters, order.redaction, utc_now())
    return about | {"counts": {order.source.noun.many: len(ids), **left_out}}


def _chosen(archive: Snapshot, order: Order) -> tuple[list[str], dict[str, int]]:
    """Give the ids of what is wanted, and the count of what was left out as nearly the same."""
    filters = order.filters
    ids = archive.chosen(filters.choice(exports_of(order.source).score))
    if not ids:
        refuse_unknown(filters, order.source, archive)
    if not filters.one_of_each_cluster:
        return ids, {}
    alone = archive.one_of_each_cluster(ids, order.priorities)
    return alone[: filters.limit], {"duplicates_left_out": len(ids) - len(alone)}


def _leaving(archive: Snapshot, order: Order, ids: Iterable[str]) -> Iterator[Any]:
    """Give the items as they leave."""
    return map(redactor(order.redaction, order.source.kind().kept), archive.items(ids))


def _write(
    items: Iterator[Any], order: Order, about: Mapping[str, Any], staging: Staging
) -> dict[str, Any]:
    """Write the data, and beside it whose each item is."""
    attribution = exports_of(order.source).attribution
    holding = _Holding(order)
    with (
        order.format.writer(staging.data, order.source, about, order.options) as writer,
        _attributions(staging).open("w", encoding="utf-8", newline="\n") as attributions,
    ):
        for item in items:
            writer.write(item)
            holding.count(item)
            attributions.write(f"{json_text(attribution(item))}\n")
        counts = writer.finish()
    return {**holding.counts, **counts}


class _Holding:
    """Counts the items that go out as the site serves them, with what looks like a secret."""

    def __init__(self, order: Order) -> None:
        # What was taken out is no secret any more.
        is_clean = order.redaction == Redaction.REPLACE
        self._has_secrets = None if is_clean else exports_of(order.source).has_secrets
        self._name = order.with_secrets
        self._number = 0

    def count(self, item: Any) -> None:
        """Look at an item."""
        if self._has_secrets is not None:
            self._number += self._has_secrets(item)

    @property
    def counts(self) -> dict[str, int]:
        """Give the number under its name, where it was counted."""
        return {} if self._has_secrets is None else {self._name: self._number}


def _attributions(staging: Staging) -> Path:
    return staging.folder / "attributions"


def _not_stored(archive: Snapshot, filters: Filters) -> tuple[str, ...]:
    """Name the ids asked for that the database does not have, filters or not."""
    stored = set(archive.chosen(Choice(ids=filters.ids))) if filters.ids else set()
    return tuple(one for one in filters.ids if one not in stored)
