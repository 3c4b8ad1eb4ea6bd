"""What came of the videos and pictures that items name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
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


@dataclass(frozen=True, slots=True)
class StoredPicture:
    """A picture that we have."""

    path: str
    """Below the folder of pictures."""
    media_type: str


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


def stored_pictures(database: Database, urls: Collection[str]) -> dict[str, StoredPicture]:
    """Give those of some pictures that we have, by their address."""
    row = StoredImageRow
    query = select(row.url, row.path, row.media_type).where(
        row.url.in_(list(urls)), row.path.is_not(None), row.media_type.is_not(None)
    )
    found = database.look(lambda session: session.execute(query).all()) if urls else []
    return {url: _picture(path, media_type) for url, path, media_type in found}


def stored_picture(database: Database, sha256: str) -> StoredPicture | None:
    """Give the picture with this fingerprint; None where we have none."""
    row = StoredImageRow
    query = select(row.path, row.media_type).where(
        row.sha256 == sha256, row.path.is_not(None), row.media_type.is_not(None)
    )
    found = database.look(lambda session: session.execute(query.limit(1)).first())
    return _picture(*found) if found else None


def _picture(path: str | None, media_type: str | None) -> StoredPicture:
    assert path is not None
    assert media_type is not None
    return StoredPicture(path, media_type)
