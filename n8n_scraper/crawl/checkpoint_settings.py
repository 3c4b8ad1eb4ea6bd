"""Read where checkpoint documents are written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from n8n_scraper.core.project_folder import in_project
from n8n_scraper.core.typed_settings import Given, TypedSettings, text


@dataclass(frozen=True, slots=True)
class CheckpointSettings(TypedSettings):
    """The folder of a crawl's checkpoints."""

    folder: Path

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `CHECKPOINT_DIR`; without it they are where the crawl keeps its directory."""
        named = text(settings, "CHECKPOINT_DIR")
        beside = text(settings, "JOBDIR") or "data"
        return cls(Path(in_project(named)) if named else Path(in_project(beside)) / "checkpoints")
