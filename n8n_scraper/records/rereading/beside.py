"""Give an item that was made anew what does not come from its answers: the words of its videos."""

from __future__ import annotations

from typing import Any

from sqlalchemy.orm import Session

from n8n_scraper.core.source import Record, Source
from n8n_scraper.records import transcripts


def with_its_words(
    session: Session, source: Source, record: Record, row: dict[str, Any]
) -> dict[str, Any]:
    """Give a row the words that its record has; of other videos, what is known of these now."""
    videos = source.kind().videos
    if videos is None or not (named := videos.ids(row[videos.named_in])):
        return row
    field = videos.words_in
    if named == videos.ids(record[videos.named_in]):
        words, reason = record[field], record["unobserved"].get(field)
        place = record["sources"].get(field)
    else:
        found, reason = transcripts.known(session, named)
        words = None if found is None else [one.model_dump(mode="json") for one in found]
        place = None if found is None else transcripts.FROM
    return row | {
        field: words,
        "unobserved": _with(row["unobserved"], field, reason),
        "sources": _with(row["sources"], field, place),
    }


def _with(texts: dict[str, str], field: str, text: str | None) -> dict[str, str]:
    others = {name: one for name, one in texts.items() if name != field}
    return others if text is None else {**others, field: text}
