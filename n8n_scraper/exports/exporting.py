"""An export from beginning to end: choose, read, redact, write, vouch for it, put in place."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.exports.filters import Filters, refuse_unknown
from n8n_scraper.exports.formats import Format
from n8n_scraper.exports.json_text import json_text
from n8n_scraper.exports.manifest import attribution, described, header, write_manifest
from n8n_scraper.exports.redactor import Redact, redactor
from n8n_scraper.exports.staging import Staging
from n8n_scraper.policies.safety.redaction import Redaction
from n8n_scraper.sources.n8n import matching
from n8n_scraper.sources.n8n.item import Template
from n8n_scraper.sources.n8n.kind import KIND

STDOUT = Path("/dev/stdout")
"""The target of `--output -`."""
WITH_SECRETS = "templates_with_secrets"
"""The count of those that go out with what looks like a secret in them."""


@dataclass(frozen=True, slots=True)
class Order:
    """What somebody wants to have exported."""

    format_name: str
    format: Format
    target: Path
    filters: Filters
    options: Mapping[str, Any]
    redaction: Redaction


@dataclass(frozen=True, slots=True)
class Exported:
    """What came of it."""

    templates: int
    not_stored: tuple[str, ...]
    counts: Mapping[str, Any]
    bytes: int
    seconds: float


def export(session: Session, order: Order) -> Exported:
    """Write an export; either all of it is in its place at the end, or nothing is touched."""
    began = time.monotonic()
    if order.target == STDOUT:
        return _stream(session, order, began)
    redact = redactor(order.redaction, KIND.kept)
    with Staging(order.target, is_folder=order.format.is_folder) as staging:
        ids = _chosen(session, order.filters)
        about = header(order.format_name, order.filters.as_json(), order.redaction, utc_now())
        about["counts"] = {"templates": len(ids)}
        counts = _write(matching.templates(session, ids), redact, order, about, staging)
        about["counts"] |= counts
        files = list(described(staging.files()))
        with _attributions(staging).open(encoding="utf-8", newline="\n") as lines:
            write_manifest(staging.manifest, about, files, lines)
        staging.commit()
    return Exported(
        templates=len(ids),
        not_stored=_not_stored(session, order.filters),
        counts=counts,
        bytes=sum(file["bytes"] for file in files),
        seconds=time.monotonic() - began,
    )


def _stream(session: Session, order: Order, began: float) -> Exported:
    """Write the templates and nothing else; what has been read from a pipe cannot be taken back."""
    redact = redactor(order.redaction, KIND.kept)
    ids = _chosen(session, order.filters)
    holding = 0
    with order.format.writer(STDOUT, {}, order.options) as writer:
        for template in map(redact, matching.templates(session, ids)):
            writer.write(template)
            holding += bool(template.secrets)
        counts = writer.finish()
    return Exported(
        templates=len(ids),
        not_stored=_not_stored(session, order.filters),
        counts=_with_secrets(order, holding, counts),
        bytes=0,
        seconds=time.monotonic() - began,
    )


def _chosen(session: Session, filters: Filters) -> list[str]:
    matching.hold_still(session)
    ids = matching.chosen(session, filters)
    if not ids:
        refuse_unknown(filters, matching.facts(session))
    return ids


def _write(
    templates: Iterator[Template],
    redact: Redact,
    order: Order,
    about: Mapping[str, Any],
    staging: Staging,
) -> dict[str, Any]:
    """Write the data, and beside it whose each template is."""
    holding = 0
    with (
        order.format.writer(staging.data, about, order.options) as writer,
        _attributions(staging).open("w", encoding="utf-8", newline="\n") as attributions,
    ):
        for template in map(redact, templates):
            writer.write(template)
            holding += bool(template.secrets)
            attributions.write(f"{json_text(attribution(template))}\n")
        counts = writer.finish()
    return _with_secrets(order, holding, counts)


def _with_secrets(order: Order, holding: int, counts: Mapping[str, Any]) -> dict[str, Any]:
    """Count those that go out as the site serves them; what was taken out is no secret any more."""
    found = {} if order.redaction == Redaction.REPLACE else {WITH_SECRETS: holding}
    return {**found, **counts}


def _attributions(staging: Staging) -> Path:
    return staging.folder / "attributions"


def _not_stored(session: Session, filters: Filters) -> tuple[str, ...]:
    """Name the ids asked for that the database does not have, filters or not."""
    stored = set(matching.chosen(session, Filters(ids=filters.ids))) if filters.ids else set()
    return tuple(one for one in filters.ids if one not in stored)
