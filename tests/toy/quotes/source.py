"""What every command knows about the quotations."""

from n8n_scraper.core.source import Ids, Noun, Source

SOURCE = Source(
    name="quotes",
    place=9,
    spider="quotes",
    noun=Noun("quote", "quotes"),
    key="quote_id",
    ids=Ids(r"q[0-9]+", "a q and a number", "q1,q2"),
    parts=("text",),
    bases=("QUOTES_URL",),
    inventory_requests=1,
    settings={"QUOTES_URL": "https://quotes.example"},
    home="n8n_scraper.sources.quotes.kind",
    stand_in="n8n_scraper.sources.quotes.stand_in",
)
