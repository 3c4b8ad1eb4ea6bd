"""Read the moments that programs send."""

from __future__ import annotations

from datetime import UTC, datetime

from n8n_scraper.core.errors import BadInput
from n8n_scraper.reports.runs import as_stored
from n8n_scraper.serve.api.models.shared import Moment, Unset


def stored_moment(moment: Moment | Unset | None) -> str | None:
    """Give a moment as it stands in the tables; None where none is given."""
    if not isinstance(moment, str):
        return None
    try:
        read = datetime.fromisoformat(moment)
        return as_stored((read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC))
    except (ValueError, OverflowError):
        raise BadInput(f"{moment} is no moment that there has been or will be.") from None
