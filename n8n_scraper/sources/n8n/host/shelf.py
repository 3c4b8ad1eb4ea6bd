"""Take templates out of the archive for n8n's template browser: what it asks for, as answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from n8n_scraper.core.source import Record, Source
from n8n_scraper.ledger.database import Database
from n8n_scraper.records import items
from n8n_scraper.records.indexing import refuse_what_is_not_indexed
from n8n_scraper.reports.media import StoredPicture, stored_pictures
from n8n_scraper.search.found import Order, Question
from n8n_scraper.search.searching import find
from n8n_scraper.sources.n8n.host import answers
from n8n_scraper.sources.n8n.host.answers import Json
from n8n_scraper.sources.n8n.host.asked import Asked
from n8n_scraper.sources.n8n.host.collections import collections_of
from n8n_scraper.sources.n8n.parts import Layer

_OF_A_CARD = (
    *("title", "views", "recent_views", "created_at", "author", "price", "purchase_url"),
    *("categories", "node_types"),
)
_WHOLE = (*_OF_A_CARD, "description", "workflow")
_STILL_THERE = {"removed": ("no",)}
"""What n8n.io has taken away is found in a collection, and by its address."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The templates of an archive, on which pictures stand at an address of ours."""

    database: Database
    source: Source
    address_of: Callable[[StoredPicture], str]

    def categories(self) -> Json:
        """Give the categories to choose from."""
        found = find(self.database, self.source, Question(limit=1, with_facets=True))
        return answers.categories(name for name, _ in found.facets.get("category", ()))

    def search(self, asked: Asked) -> Json:
        """Give a page of the templates that n8n.io has, those most looked at first."""
        filters = {"category": asked.categories, "node": asked.nodes, **_STILL_THERE}
        question = Question(
            words=asked.words,
            filters=filters,
            order=Order.RELEVANCE if asked.words else Order.VIEWS,
            limit=asked.number,
            offset=asked.first,
        )
        found = find(self.database, self.source, question)
        if not found.total:
            refuse_what_is_not_indexed(self.database, self.source)
        return answers.page_of(found.total, self._cards([hit.item_id for hit in found.hits]))

    def template(self, item_id: str) -> Json | None:
        """Give a template whole; None where the archive has none with this id."""
        record = self._records([item_id], _WHOLE).get(item_id)
        if record is None:
            return None
        answer = self._answers([item_id]).get(item_id)
        payload = answers.payload_of(answer)
        stored = self._stored(answers.pictures_of(record, payload))
        return answers.detail(record, payload, stored)

    def importable(self, item_id: str) -> Json | None:
        """Give what is put on the canvas; None where there is nothing to be put there."""
        record = self._records([item_id], ("title", "workflow")).get(item_id)
        return None if record is None else answers.importable(record)

    def collections(self, words: str, category_ids: Collection[int]) -> Json:
        """Give the collections whose name has these words, with a template of these categories."""
        named = [
            one
            for one in collections_of(self.database, self.source)
            if words.casefold() in one.name.casefold()
        ]
        if category_ids:
            wanted = set(category_ids)
            named = [one for one in named if wanted & self._categories_of(one.templates)]
        cards = [answers.collection_card(one, rank) for rank, one in enumerate(named, start=1)]
        return {"collections": cards}

    def collection(self, number: int) -> Json | None:
        """Give a collection with its templates; None where there is none with this number."""
        for one in collections_of(self.database, self.source):
            if one.id == number:
                return answers.collection_whole(one, self._cards(one.templates))
        return None

    def _cards(self, ids: Collection[str]) -> list[Json]:
        records, bodies = self._records(ids, _OF_A_CARD), self._answers(ids)
        shown = [one for one in ids if one in records]
        avatars = [url for one in shown for url in answers.pictures_of(records[one], {})]
        stored = self._stored(avatars)
        return [
            answers.card(records[one], answers.nodes_in(bodies.get(one)), stored) for one in shown
        ]

    def _categories_of(self, ids: Collection[str]) -> set[int]:
        records = self._records(ids, ("categories",)).values()
        names = {name for record in records for name in record["categories"] or ()}
        return {answers.category(name)["id"] for name in names}

    def _records(self, ids: Collection[str], columns: Iterable[str]) -> dict[str, Record]:
        return self.database.look(
            lambda session: items.records_of(session, self.source, ids, columns)
        )

    def _answers(self, ids: Collection[str]) -> dict[str, bytes]:
        return self.database.look(
            lambda session: items.bodies_of(session, self.source, ids, Layer.METADATA)
        )

    def _stored(self, urls: Collection[str]) -> Callable[[str], str | None]:
        have = stored_pictures(self.database, set(urls))
        addresses = {url: self.address_of(picture) for url, picture in have.items()}
        return addresses.get
