"""What came of the videos and pictures that items name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from n8n_scraper.ledger.database import Database
from n8n_scraper.records.tables import StoredImageRow, VideoTranscriptRow


@dataclass(frozen=True, slots=True)
class TranscriptsReport:
    """How many videos stand where."""

    outcomes: Mapping[str, int]
    newest: str | None
    """When a video was asked for last."""

    @property
    def videos(self) -> int:
        """How many there are."""
        return sum(self.outcomes.values())


@dataclass(frozen=True, slots=True)
class PicturesReport:
    """How many pictures were stored, and why others were not."""

    stored: int
    bytes: int
    """Each file once, however many addresses lead to it."""
    files: int
    not_had: Mapping[str, int]
    """By their reason."""
    newest: str | None


def transcripts_report(database: Database) -> TranscriptsReport:
    """Count the videos by what came of them."""
    row = VideoTranscriptRow
    grouped = select(row.outcome, func.count()).group_by(row.outcome).order_by(row.outcome)

    def all_of_it(session: Session) -> TranscriptsReport:
        outcomes = {str(outcome): number for outcome, number in session.execute(grouped)}
        return TranscriptsReport(outcomes, session.scalar(select(func.max(row.fetched_at))))

    return database.look(all_of_it)


def pictures_report(database: Database) -> PicturesReport:
    """Count the pictures by what came of them."""
    row = StoredImageRow
    files = select(row.sha256, func.max(row.bytes).label("bytes")).where(row.sha256.is_not(None))
    each = files.group_by(row.sha256).subquery()
    reasons = select(row.reason, func.count()).where(row.sha256.is_(None)).group_by(row.reason)

    def all_of_it(session: Session) -> PicturesReport:
        number, size = session.execute(
            select(func.count(), func.coalesce(func.sum(each.c.bytes), 0))
        ).one()
        return PicturesReport(
            stored=session.scalar(select(func.count(row.sha256))) or 0,
            bytes=int(size),
            files=number,
            not_had={str(why): many for why, many in session.execute(reasons.order_by(row.reason))},
            newest=session.scalar(select(func.max(row.fetched_at))),
        )

    return database.look(all_of_it)
