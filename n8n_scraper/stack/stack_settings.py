"""Read what the stack consists of besides workers and the database."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

from n8n_scraper.core.project_folder import in_project
from n8n_scraper.core.typed_settings import Given, TypedSettings, address, seconds, text


@dataclass(frozen=True, slots=True)
class StackSettings(TypedSettings):
    """Where its state is kept, how patient it is, and what else it looks after."""

    folder: Path
    patience_seconds: float
    model_server_url: str

    @classmethod
    def from_settings(cls, settings: Given) -> Self:
        """Read `STACK_…` and `MODEL_SERVER_URL`."""
        return cls(
            Path(in_project(text(settings, "STACK_DIR"))).absolute(),
            seconds(settings, "STACK_PATIENCE"),
            text(settings, "MODEL_SERVER_URL") and address(settings, "MODEL_SERVER_URL"),
        )
