"""The folder of checkpoint documents: written in one step, the newest whole one counts."""

from __future__ import annotations

import json
import logging
import os
import time
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from n8n_scraper.policies.run.checkpoint import document, is_whole, new_id
from n8n_scraper.policies.run.progress import CrawlProgress

logger = logging.getLogger(__name__)

KEPT = 5
_ABANDONED_AFTER = 60.0  # seconds


def write(folder: Path, progress: CrawlProgress, last_item_id: str | None, at: datetime) -> Path:
    """Add a checkpoint, in one step that a kill can only leave undone, and forget old ones.

    `at` is in UTC. Raises OSError when the folder cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint_id = new_id(at, set(map(_id, _files(folder))))
    new = folder / f"{checkpoint_id}.{os.getpid()}.new"
    with new.open("w") as file:
        json.dump(document(checkpoint_id, at, progress, last_item_id), file)
        file.flush()
        os.fsync(file.fileno())
    path = new.replace(folder / f"checkpoint_{checkpoint_id}.json")
    _forget_old(folder)
    return path


def read_newest(folder: Path) -> dict[str, Any] | None:
    """Give the newest whole checkpoint; one that is torn is passed over with a warning."""
    for path in _files(folder):
        read = _read(path)
        if read is not None:
            return read
        logger.warning("%s is no whole checkpoint; an older one counts", path)
    return None


def _read(path: Path) -> dict[str, Any] | None:
    try:
        read = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return read if is_whole(read) else None


def _files(folder: Path) -> list[Path]:
    """Give the checkpoints of a folder, the newest first."""
    return sorted(folder.glob("checkpoint_*.json"), key=_id, reverse=True)


def _id(path: Path) -> str:
    return path.stem.removeprefix("checkpoint_")


def _forget_old(folder: Path) -> None:
    for path in _files(folder)[KEPT:]:
        path.unlink(missing_ok=True)
    for path in folder.glob("*.new"):  # of a process that was killed while it wrote
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > _ABANDONED_AFTER:
                path.unlink()
