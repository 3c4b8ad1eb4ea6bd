"""How quotations are searched."""

from n8n_scraper.core.searched import Document, Facet, Searched


def document(record, _read_in_pictures):
    return Document(
        title=record["title"] or "",
        names=tuple(record["tags"]),
        body=(record["words"] or "",),
        facets={"tag": tuple(record["tags"])},
        popularity=record["length"],
        created_at=record["scraped_at"],
    )


SEARCHED = Searched(document, facets=(Facet("tag", "what it is about"),))
