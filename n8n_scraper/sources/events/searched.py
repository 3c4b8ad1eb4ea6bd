"""How the events of the sites are searched."""

from __future__ import annotations

from collections.abc import Sequence

from n8n_scraper.core.searched import Document, Facet, Record, Searched


def document(record: Record, _read_in_pictures: Sequence[str]) -> Document:
    """Give what of an event is searched."""
    venue, start, free = record["venue"] or {}, record["start"], record["is_free"]
    names = (venue.get("name"), record["organiser"], *record["categories"])
    facets = {
        "site": (record["site"],),
        "category": record["categories"],
        "venue": (venue.get("name"),),
        "organiser": (record["organiser"],),
        "price": (None if free is None else "free" if free else "paid",),
        "status": (record["status"],),
        "year": (start[:4] if start else None,),
    }
    return Document(
        title=record["title"] or "",
        names=tuple(filter(None, dict.fromkeys(names))),
        body=tuple(filter(None, (record["description"], record["location"], record["schedule"]))),
        facets={name: tuple(filter(None, values)) for name, values in facets.items()},
    )


SEARCHED = Searched(
    document=document,
    facets=(
        Facet("site", "which site announces it"),
        Facet("category", "what kind of event it is"),
        Facet("venue", "where it takes place"),
        Facet("organiser", "whose it is"),
        Facet("price", "free or paid"),
        Facet("status", "active, cancelled or postponed"),
        Facet("year", "in which it begins"),
    ),
)
