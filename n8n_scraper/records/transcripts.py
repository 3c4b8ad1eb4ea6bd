"""What is known of each video, and the transcripts of the items that name it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Text, cast, or_, select, update
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.core.source import Source, Videos
from n8n_scraper.core.transcript import FINAL, Transcript, TranscriptOutcome
from n8n_scraper.ledger.statements import insert_for
from n8n_scraper.ledger.tables import Base
from n8n_scraper.ledger.takedowns import is_taken_down
from n8n_scraper.records.indexing import index_again
from n8n_scraper.records.tables import VideoTranscriptRow
from n8n_scraper.records.transcripts_due import PATIENCE, is_due, settle
from n8n_scraper.sources import all_sources

FROM = "video host"
"""What `sources` says of an item's transcripts."""

_TABLE = Base.metadata.tables[VideoTranscriptRow.__tablename__]
_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Settled:
    """How an item's transcripts stand, and which of its videos are still to be asked for."""

    transcripts: list[Transcript] | None
    reason: str | None
    due: list[str]


def settle_item(
    session: Session, source: Source, item_id: str, video_ids: Sequence[str], *, note: bool = True
) -> Settled:
    """Give a stored item what is known of its videos; with `note`, the others are pending."""
    if note and not is_taken_down(session, source.name, item_id):
        note_pending(session, video_ids)
    # Whoever stores one of these videos at the same time is waited for, so that nobody misses it.
    rows = _rows(session, video_ids, for_update=True)
    transcripts, reason = settle(video_ids, {row.video_id: _transcript(row) for row in rows})
    if (videos := source.kind().videos) and (row := _locked(session, source, videos, item_id)):
        _write(session, source, videos, row, transcripts, reason)
    due = [row.video_id for row in rows if is_due(TranscriptOutcome(row.outcome), row.attempts)]
    return Settled(transcripts, reason, due)


def note_pending(session: Session, video_ids: Iterable[str]) -> None:
    """Note videos that are to be asked for; one that is known already stays as it is."""
    for video_id in sorted(set(video_ids)):
        statement = insert_for(session, _TABLE).values(
            video_id=video_id, outcome=TranscriptOutcome.PENDING, attempts=0
        )
        session.execute(statement.on_conflict_do_nothing(index_elements=["video_id"]))


def note_all(session: Session) -> None:
    """Note the videos of every stored item, whatever the setting was when it came."""
    named: set[str] = set()
    for source, videos in _with_videos():
        column = source.kind().table().c[videos.named_in]
        query = select(column).where(column.is_not(None))
        found = session.scalars(query.execution_options(yield_per=_ROWS_AT_ONCE))
        named.update(video_id for value in found for video_id in videos.ids(value))
    note_pending(session, named - set(session.scalars(select(VideoTranscriptRow.video_id))))


def due(session: Session, *, retry_failed: bool = False) -> list[str]:
    """List the videos to ask for: first what was asked least often, so that none is in the way."""
    row = VideoTranscriptRow
    is_open = row.outcome.not_in([*FINAL, TranscriptOutcome.FAILED])
    fails = row.outcome == TranscriptOutcome.FAILED
    tried_again = fails if retry_failed else fails & (row.attempts < PATIENCE)
    query = select(row.video_id).where(or_(is_open, tried_again))
    return list(session.scalars(query.order_by(row.attempts, row.video_id)))


def store_noted(session: Session, transcript: Transcript) -> None:
    """Store what came of a video, unless it was taken down with its items meanwhile."""
    if _rows(session, [transcript.video_id], for_update=True):
        store(session, transcript)


def store(session: Session, transcript: Transcript) -> None:
    """Keep what came of a video, and give it to every item that names it.

    A video that is settled for good is not unsettled by a later refusal.
    """
    if _keep(session, transcript):
        for source, videos in _with_videos():
            for row in _items_naming(session, source, videos, transcript.video_id):
                _settle_row(session, source, videos, row)


def is_named(session: Session, video_id: str) -> bool:
    """Whether an item names a video."""
    return any(
        _items_naming(session, source, videos, video_id) for source, videos in _with_videos()
    )


def known(session: Session, video_ids: Sequence[str]) -> tuple[list[Transcript] | None, str | None]:
    """Give the transcripts of these videos, or the reason why there are none; change nothing."""
    return settle(video_ids, {row.video_id: _transcript(row) for row in _rows(session, video_ids)})


def _keep(session: Session, transcript: Transcript) -> bool:
    note_pending(session, [transcript.video_id])
    (row,) = _rows(session, [transcript.video_id], for_update=True)
    row.attempts += 1
    if TranscriptOutcome(row.outcome) in FINAL and transcript.outcome not in FINAL:
        return False
    row.outcome = transcript.outcome
    row.language = transcript.language
    row.generated = transcript.generated
    row.segments = [segment.model_dump() for segment in transcript.segments] or None
    row.text = transcript.text
    row.reason = transcript.reason
    row.fetched_at = utc_now()
    session.flush()
    return True


def _rows(
    session: Session, video_ids: Iterable[str], *, for_update: bool = False
) -> Sequence[VideoTranscriptRow]:
    row = VideoTranscriptRow
    query = select(row).where(row.video_id.in_(list(video_ids))).order_by(row.video_id)
    return session.scalars(query.with_for_update() if for_update else query).all()


def _with_videos() -> list[tuple[Source, Videos]]:
    """Give the sources whose items name videos."""
    return [(source, videos) for source in all_sources() if (videos := source.kind().videos)]


def _items_naming(
    session: Session, source: Source, videos: Videos, video_id: str
) -> list[Row[Any]]:
    """Find them by their text first, then for certain; 13,000 rows are few."""
    columns = source.kind().table().c
    key, named_in = columns[source.key], columns[videos.named_in]
    naming = cast(named_in, Text).contains(video_id, autoescape=True)
    query = select(key, named_in).where(naming).order_by(key)
    found = [item_id for item_id, named in session.execute(query) if video_id in videos.ids(named)]
    return [row for item_id in found if (row := _locked(session, source, videos, item_id))]


def _locked(session: Session, source: Source, videos: Videos, item_id: str) -> Row[Any] | None:
    """Give what is looked at and written of an item, so that nobody else writes it meanwhile."""
    columns = source.kind().table().c
    names = (source.key, videos.named_in, videos.words_in, "unobserved", "sources")
    query = select(*(columns[name] for name in names)).where(columns[source.key] == item_id)
    return session.execute(query.with_for_update()).first()


def _settle_row(session: Session, source: Source, videos: Videos, row: Row[Any]) -> None:
    video_ids = videos.ids(row._mapping[videos.named_in])
    known = {one.video_id: _transcript(one) for one in _rows(session, video_ids)}
    _write(session, source, videos, row, *settle(video_ids, known))


def _write(
    session: Session,
    source: Source,
    videos: Videos,
    row: Row[Any],
    transcripts: list[Transcript] | None,
    reason: str | None,
) -> None:
    field = videos.words_in
    unobserved = {name: why for name, why in row.unobserved.items() if name != field}
    sources = {name: where for name, where in row.sources.items() if name != field}
    if transcripts is None:
        unobserved |= {field: reason}
    else:
        sources |= {field: FROM}
    table = source.kind().table()
    said = None if transcripts is None else [one.model_dump(mode="json") for one in transcripts]
    session.execute(
        update(table)
        .where(table.c[source.key] == row._mapping[source.key])
        .values({field: said, "unobserved": unobserved, "sources": sources})
    )
    if said != row._mapping[field]:  # it is found by these words, and not by why it has none
        index_again(session, source, [row._mapping[source.key]])


def _transcript(row: VideoTranscriptRow) -> Transcript:
    return Transcript.model_validate(
        {
            "video_id": row.video_id,
            "outcome": row.outcome,
            "language": row.language,
            "generated": row.generated,
            "segments": row.segments or [],
            "text": row.text,
            "reason": row.reason,
        }
    )
