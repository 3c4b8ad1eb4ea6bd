"""The table of the quotations, among no others, so that who does not know of it misses nothing."""

from sqlalchemy import Boolean, Column, Float, Integer, MetaData, Table, Text

from n8n_scraper.ledger.tables import Json

QUOTES = Table(
    "quotes",
    MetaData(),
    Column("quote_id", Text, primary_key=True),
    *(Column(name, Text) for name in ("title", "words", "removed_at", "content_hash")),
    Column("length", Integer),
    *(Column(name, Json, nullable=False) for name in ("tags", "parts", "unobserved", "sources")),
    *(Column(name, Text, nullable=False) for name in ("outcome", "run_id", "scraped_at")),
    Column("in_inventory", Boolean, nullable=False),
    Column("processing_time", Float, nullable=False),
)
