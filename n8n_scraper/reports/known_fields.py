"""Which fields of one item are known, and why the others are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from n8n_scraper.core.item import Item
from n8n_scraper.core.source import Source


@dataclass(frozen=True, slots=True)
class KnownFields:
    """What is known of an item."""

    noun: str
    key: str
    item_id: str
    title: str | None
    fields: int
    """How many there are."""
    unknown: Mapping[str, str]
    """The others, each with the reason."""

    @property
    def known(self) -> int:
        """How many have a value, or say something by having none."""
        return self.fields - len(self.unknown)

    def lines(self) -> Iterator[str]:
        """Tell a person."""
        yield f"{self.noun.capitalize()} {self.item_id}: {self.title or 'without a title'}"
        yield f"{self.known} of {self.fields} fields are known"
        for field, why in self.unknown.items():
            yield f"  {field}: {why}"

    def as_json(self) -> dict[str, Any]:
        """The same for machines."""
        return {
            self.key: self.item_id,
            "title": self.title,
            "fields": self.fields,
            "known": self.known,
            "unknown": dict(self.unknown),
        }


def known_fields(source: Source, item: Item) -> KnownFields:
    """Count what an item says of itself."""
    return KnownFields(
        noun=source.noun.one,
        key=source.key,
        item_id=str(source.id_of(item)),
        title=item.title,
        fields=len(type(item).model_fields),
        unknown=item.unobserved,
    )
