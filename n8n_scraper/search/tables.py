"""The tables of the search. Each database keeps an index of its own on the first, by itself."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, Integer, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column

from n8n_scraper.ledger.tables import Base

# Sorted by its letters alone in both databases, so that a beginning is a range.
_BY_LETTERS = Text().with_variant(Text(collation="C"), "postgresql")


class SearchItemRow(Base):
    """An item as the search sees it."""

    __tablename__ = "search_items"
    __table_args__ = (
        Index("ix_search_items_source_item_id", "source", "item_id", unique=True),
        Index("ix_search_items_created_at", "source", "created_at"),
    )

    # SQLite takes a row's own number for it under this type alone, and its index goes by that.
    number: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=False
    )
    """The higher, the more it is looked at; below that by chance."""
    source: Mapped[str]
    item_id: Mapped[str]
    rules: Mapped[str]
    """By which it was indexed: what other ones have indexed is indexed anew, and what was stored
    again since, which has none."""
    fingerprint: Mapped[str]
    """Of everything that is indexed of it."""
    created_at: Mapped[str | None]
    score: Mapped[float | None]
    popularity: Mapped[int | None]
    title: Mapped[str]
    labels: Mapped[str]
    """A line for each value of a facet: its name, a tab, the value."""
    facet_words: Mapped[str]
    """The same as words that stand in no text."""
    title_words: Mapped[str]
    """Stems, with spaces between them."""
    name_words: Mapped[str]
    body_words: Mapped[str]
    vocabulary: Mapped[bytes] = mapped_column(LargeBinary)
    """Its words, each once, compressed."""
    text: Mapped[bytes] = mapped_column(LargeBinary)
    """Its names and its body as they are shown, compressed."""


class SearchWordRow(Base):
    """A word, and how many items of a source have it."""

    __tablename__ = "search_words"
    __table_args__ = (Index("ix_search_words_stem", "source", "stem"),)

    source: Mapped[str] = mapped_column(primary_key=True)
    word: Mapped[str] = mapped_column(_BY_LETTERS, primary_key=True)
    stem: Mapped[str]
    items: Mapped[int]
