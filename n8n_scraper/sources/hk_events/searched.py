"""How events are searched."""

from __future__ import annotations

from collections.abc import Sequence

from n8n_scraper.core.searched import Document, Facet, Record, Searched


def document(record: Record, _read_in_pictures: Sequence[str]) -> Document:
    """Give what of an event is searched, in both of its languages."""
    venue, price, start = record["venue"] or {}, record["price"] or {}, record["start"]
    titles = (record["title"], record["title_zh"])
    names = (venue.get("name"), venue.get("name_zh"), record["organiser"], *record["categories"])
    body = (record["description"], record["description_zh"], record["schedule"], record["remark"])
    free = price.get("is_free")
    facets = {
        "category": record["categories"],
        "venue": (venue.get("name"),),
        "organiser": (record["organiser"],),
        "price": (None if free is None else "free" if free else "paid",),
        "status": (record["status"],),
        "year": (start[:4] if start else None,),
    }
    return Document(
        title=" · ".join(filter(None, titles)),
        names=tuple(filter(None, dict.fromkeys(names))),
        body=tuple(filter(None, body)),
        facets={name: tuple(filter(None, values)) for name, values in facets.items()},
        created_at=record["submitted_at"],
    )


SEARCHED = Searched(
    document=document,
    facets=(
        Facet("category", "what kind of event it is"),
        Facet("venue", "where it takes place"),
        Facet("organiser", "whose it is"),
        Facet("price", "free or paid"),
        Facet("status", "active, cancelled or postponed"),
        Facet("year", "in which it begins"),
    ),
)
