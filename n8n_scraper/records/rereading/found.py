"""Tell how far a rereading is, and what it has found: field by field, with a few examples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from n8n_scraper.core.exit_status import ExitStatus
from n8n_scraper.records.rereading.blocks import Compared

_EXAMPLES = 3


@dataclass(slots=True)
class Changed:
    """How many items have a field otherwise than before, and the first of them."""

    items: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, item_id: str) -> None:
        """Count one more."""
        self.items += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(item_id)


@dataclass(slots=True)
class Found:
    """What a rereading has found so far."""

    read: int = 0
    changed: int = 0
    fields: dict[str, Changed] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    """Why items stay as they are, by id."""
    errors: dict[str, str] = field(default_factory=dict)
    """The same, where it is an error of our own."""

    def add(self, compared: Iterable[Compared]) -> None:
        """Count what has come of these items."""
        for one in compared:
            self.read += 1
            self.changed += bool(one.now)
            for name in one.now:
                self.fields.setdefault(name, Changed()).add(one.item_id)
            if one.unreadable is not None:
                self.unreadable[one.item_id] = one.unreadable
            if one.error is not None:
                self.errors[one.item_id] = one.error

    @property
    def by_field(self) -> list[tuple[str, Changed]]:
        """The fields that have changed, the most frequent first."""
        return sorted(self.fields.items(), key=lambda one: (-one[1].items, one[0]))

    @property
    def as_before(self) -> int:
        """How many items were read as they are stored."""
        return self.read - self.changed - len(self.unreadable) - len(self.errors)

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            "read": self.read,
            "changed": self.changed,
            "fields": {
                name: {"items": one.items, "examples": one.examples} for name, one in self.by_field
            },
            "unreadable": self.unreadable,
            "errors": self.errors,
        }


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a rereading is, and what it has found."""

    source: str
    found: Found
    done: int
    """How many items are through, those of an earlier call among them."""
    total: int
    not_stored: tuple[str, ...] = ()
    """The ids that were asked for and are not in the archive."""

    @property
    def left(self) -> int:
        """How many items are still to be read."""
        return self.total - self.done

    @property
    def status(self) -> ExitStatus:
        """How a command is to end that has come so far."""
        if self.found.errors:
            return ExitStatus.BROKEN
        if self.left:
            return ExitStatus.WORK_LEFT
        return ExitStatus.FAILURES if self.found.unreadable else ExitStatus.DONE

    def as_json(self) -> dict[str, Any]:
        """The same for machines; the names of the keys stay as they are."""
        return {
            "source": self.source,
            **self.found.as_json(),
            "not_stored": list(self.not_stored),
            "done": self.done,
            "total": self.total,
        }
