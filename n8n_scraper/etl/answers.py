"""Read what servers of the contract answer, in whichever spelling they do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from n8n_scraper.core.errors import BadContent
from n8n_scraper.etl.mapping import Flags

_NO_NAMES = (None, "")
_KINDS = ("done", "failed", "invalid")


@dataclass(frozen=True, slots=True)
class ForeignRun:
    """A run as a server elsewhere has it."""

    id: str
    domain: str | None = None
    source: str | None = None
    status: str | None = None
    start_time: str | None = None
    end_time: str | None = None
    created_at: str | None = None
    updated_at: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    items: Mapping[str, Flags] | None = None
    """By their addresses; None where the answer does not tell them."""
    items_left_out: int = 0
    """How many it has besides, where the server says that it has not told all."""

    @property
    def is_over(self) -> bool:
        """Whether the server says that nothing more is to come."""
        return self.end_time is not None or self.status in ("finished", "completed")

    def is_of(self, run_id: str, started_at: str) -> bool:
        """Whether it is the one that was created for this run of ours."""
        named = self.metadata.get("run_id")
        if named not in _NO_NAMES:
            return bool(named == run_id)
        return bool(self.metadata.get("started_at") == started_at)


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of a list of runs."""

    runs: tuple[ForeignRun, ...]
    total: int | None = None
    """How many there are in all, where the server tells."""


def read_run(document: object) -> ForeignRun:
    """Read a run, bare or inside `data` or `run`; raise BadContent for what is none."""
    found = _mapping(document)
    for name in ("data", "run"):
        if isinstance(found.get(name), Mapping):
            found = found[name]
    number = _first(found, "_id", "id")
    if number in _NO_NAMES or isinstance(number, Mapping | list):
        raise BadContent("the answer names no run")
    return ForeignRun(
        id=str(number),
        domain=_text(found, "domain"),
        source=_text(found, "source"),
        status=_text(found, "status"),
        start_time=_text(found, "startTime", "start_time", "started_at"),
        end_time=_text(found, "endTime", "end_time", "finished_at"),
        created_at=_text(found, "createdAt", "created_at"),
        updated_at=_text(found, "updatedAt", "updated_at"),
        metadata=found["metadata"] if isinstance(found.get("metadata"), Mapping) else {},
        items=_items(found.get("items")),
        items_left_out=left if isinstance(left := found.get("itemsLeftOut"), int) else 0,
    )


def read_page(document: object) -> Page:
    """Read a list: `{data, pagination}`, `{runs, total}`, or the bare runs."""
    if isinstance(document, list):
        return Page(tuple(map(read_run, document)))
    found = _mapping(document)
    listed = _first(found, "data", "runs")
    if not isinstance(listed, list):
        raise BadContent("the answer is no list of runs")
    pagination = found.get("pagination")
    counted = pagination if isinstance(pagination, Mapping) else found
    total = _first(counted, "totalItems", "total_items", "total")
    return Page(tuple(map(read_run, listed)), total if isinstance(total, int) else None)


def _items(listed: object) -> dict[str, Flags] | None:
    return dict(_flags(listed)) if isinstance(listed, list) else None


def _flags(listed: list[object]) -> Iterator[tuple[str, Flags]]:
    for item in listed:
        if isinstance(item, Mapping) and isinstance(item.get("url"), str):
            reason = _text(item, "failedReason", "failReason", "failed_reason")
            done, failed, invalid = (item.get(name) is True for name in _KINDS)
            yield item["url"], Flags(done, failed, invalid, reason)


def _mapping(document: object) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise BadContent("the answer is no JSON object")
    return document


def _first(found: Mapping[str, Any], *names: str) -> Any:
    return next((found[name] for name in names if found.get(name) is not None), None)


def _text(found: Mapping[str, Any], *names: str) -> str | None:
    given = _first(found, *names)
    return None if given is None else str(given)
