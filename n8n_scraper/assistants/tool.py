"""A tool: its name, what it is for, what it takes, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from n8n_scraper.ledger.database import Database


class Arguments(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """What a tool takes; one definition checks it and describes it."""


A = TypeVar("A", bound=Arguments)

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """Something that an assistant can ask of an archive; nothing changes by it."""

    name: str
    description: str
    takes: type[A]
    answer: Callable[[Database, A], Json]
    """Raises BadInput where what is asked makes no sense."""

    @property
    def schema(self) -> Json:
        """What it takes, as JSON Schema."""
        _, parts = msgspec.json.schema_components([self.takes])
        described: Json = dict(parts[self.takes.__name__])
        described.pop("title", None)
        return described
