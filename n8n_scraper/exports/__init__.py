"""Items out of the database into files that people take away, and back out of two of them."""

from typing import TYPE_CHECKING

from n8n_scraper.core.late import late

if TYPE_CHECKING:
    from n8n_scraper.exports.json_formats import read_jsonl
    from n8n_scraper.exports.parquet import read_parquet

__all__ = ["read_jsonl", "read_parquet"]

__getattr__ = late(
    __name__,
    {
        "read_jsonl": "json_formats",
        "read_parquet": "parquet",
    },
)
