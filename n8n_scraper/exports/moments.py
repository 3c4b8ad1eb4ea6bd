"""The times of an item once more, as a column of times: the texts stay as they were read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from n8n_scraper.core.source import Source
from n8n_scraper.exports.annotations import bare, is_text

_MOMENT, _TIME = "_at", "_time"


def times_of(source: Source, names: Iterable[str]) -> dict[str, str]:
    """Give the column of each of these fields that holds a moment: `created_time` of `created_at`.

    A moment is a text whose name ends in `_at`.
    """
    fields = source.kind().item.model_fields
    return {
        name: name.removesuffix(_MOMENT) + _TIME
        for name in names
        if name.endswith(_MOMENT) and is_text(bare(fields[name].annotation))
    }


def moment_of(text: str | None) -> datetime | None:
    """Read a moment in UTC, without a zone: not every reader of Parquet has the zones at hand.

    None where there is none, or where the text is none.
    """
    try:
        moment = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    try:
        return moment if moment.tzinfo is None else moment.astimezone(UTC).replace(tzinfo=None)
    except OverflowError:  # before the first year, or behind the last, in UTC
        return None
