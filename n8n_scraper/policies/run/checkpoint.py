"""The checkpoint document: a view of where a run stands, in a given shape."""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime
from typing import Any

from n8n_scraper.policies.run.progress import CrawlProgress

KEYS = (
    "checkpoint_id",
    "total_workflows",
    "processed",
    "successful",
    "failed",
    "remaining",
    "avg_time",
    "eta_seconds",
    "last_workflow_id",
    "timestamp",
)
_NUMBERS = KEYS[1:6]


def document(
    checkpoint_id: str, at: datetime, progress: CrawlProgress, last_item_id: str | None
) -> dict[str, Any]:
    """Give the document; what is not known yet is null, and nothing is left out."""
    counts, mean = progress.counts, progress.mean_seconds
    left = progress.seconds_left if counts.left else 0.0
    return {
        "checkpoint_id": checkpoint_id,
        "total_workflows": counts.total,
        "processed": counts.done,
        "successful": counts.settled,
        "failed": counts.unsettled,
        "remaining": counts.left,
        "avg_time": None if mean is None else round(mean, 2),
        "eta_seconds": None if left is None else round(left),
        "last_workflow_id": last_item_id,
        "timestamp": at.strftime("%Y-%m-%dT%H:%M:%S"),
    }


def new_id(at: datetime, taken: Container[str]) -> str:
    """Name a checkpoint by its second; the second of one second gets `_02`, and so on."""
    name, number = at.strftime("%Y%m%d_%H%M%S"), 1
    while _numbered(name, number) in taken:
        number += 1
    return _numbered(name, number)


def is_whole(read: object) -> bool:
    """Whether what was read from a file is a checkpoint, and not half of one."""
    if not isinstance(read, dict) or set(read) != set(KEYS):
        return False
    numbers = [read[name] for name in _NUMBERS]
    if not all(isinstance(number, int) and number >= 0 for number in numbers):
        return False
    return bool(
        read["processed"] == read["successful"] + read["failed"]
        and read["total_workflows"] == read["processed"] + read["remaining"]
    )


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}_{number:02}"
