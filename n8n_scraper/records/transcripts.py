"""What is known of each video, and the transcripts of the templates that name it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Text, cast, or_, select
from sqlalchemy.orm import Session

from n8n_scraper.core.clock import utc_now
from n8n_scraper.ledger import domains
from n8n_scraper.ledger.statements import insert_for
from n8n_scraper.ledger.tables import Base
from n8n_scraper.media.transcripts.captions import FINAL, PATIENCE, is_due, settle
from n8n_scraper.policies.pace.pace import PaceState
from n8n_scraper.records.tables import VideoTranscriptRow
from n8n_scraper.sources.n8n.item import Transcript, TranscriptOutcome
from n8n_scraper.sources.n8n.tables import WorkflowRow

SOURCE = "video host"
"""What `sources` says of a template's transcripts."""

_TABLE = Base.metadata.tables[VideoTranscriptRow.__tablename__]
_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Settled:
    """How a template's transcripts stand, and which of its videos are still to be asked for."""

    transcripts: list[Transcript] | None
    reason: str | None
    due: list[str]


def settle_template(
    session: Session, workflow_id: str, video_ids: Sequence[str], *, note: bool = True
) -> Settled:
    """Give a stored template what is known of its videos; with `note`, the others are pending."""
    if note:
        note_pending(session, video_ids)
    # Whoever stores one of these videos at the same time is waited for, so that nobody misses it.
    rows = _rows(session, video_ids, for_update=True)
    transcripts, reason = settle(video_ids, {row.video_id: _transcript(row) for row in rows})
    _attach(session, workflow_id, transcripts, reason)
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
    """Note the videos of every stored template, whatever the setting was when it came."""
    query = select(WorkflowRow.videos).where(WorkflowRow.videos.is_not(None))
    named = {
        video_id
        for videos in session.scalars(query.execution_options(yield_per=_ROWS_AT_ONCE))
        for video_id in _ids(videos)
    }
    note_pending(session, named - set(session.scalars(select(VideoTranscriptRow.video_id))))


def due(session: Session, *, retry_failed: bool = False) -> list[str]:
    """List the videos to ask for: first what was asked least often, so that none is in the way."""
    row = VideoTranscriptRow
    is_open = row.outcome.not_in([*FINAL, TranscriptOutcome.FAILED])
    fails = row.outcome == TranscriptOutcome.FAILED
    tried_again = fails if retry_failed else fails & (row.attempts < PATIENCE)
    query = select(row.video_id).where(or_(is_open, tried_again))
    return list(session.scalars(query.order_by(row.attempts, row.video_id)))


def host_state(session: Session, domain: str) -> PaceState | None:
    """Give how the video host was left."""
    return domains.load(session).get(domain)


def store(session: Session, transcript: Transcript, domain: str, state: PaceState) -> None:
    """Keep what came of a video, give it to every template that names it, and note the host.

    A video that is settled for good is not unsettled by a later refusal.
    """
    domains.save(session, {domain: state})
    if _keep(session, transcript):
        for row in _templates_naming(session, transcript.video_id):
            _settle_row(session, row)


def load(session: Session, video_id: str) -> Transcript | None:
    """Give what is known of a video."""
    row = session.get(VideoTranscriptRow, video_id)
    return _transcript(row) if row else None


def settled(
    session: Session, video_ids: Sequence[str]
) -> tuple[list[Transcript] | None, str | None]:
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


def _templates_naming(session: Session, video_id: str) -> list[WorkflowRow]:
    """Find them by their text first, then for certain; 13,000 rows are few."""
    row = WorkflowRow
    naming = cast(row.videos, Text).contains(video_id, autoescape=True)
    query = select(row.workflow_id, row.videos).where(naming).order_by(row.workflow_id)
    found = [number for number, videos in session.execute(query) if video_id in _ids(videos)]
    return [kept for number in found if (kept := _locked(session, number))]


def _locked(session: Session, workflow_id: str) -> WorkflowRow | None:
    return session.get(WorkflowRow, workflow_id, with_for_update=True, populate_existing=True)


def _settle_row(session: Session, row: WorkflowRow) -> None:
    video_ids = _ids(row.videos)
    known = {one.video_id: _transcript(one) for one in _rows(session, video_ids)}
    _write(row, *settle(video_ids, known))


def _attach(
    session: Session, workflow_id: str, transcripts: list[Transcript] | None, reason: str | None
) -> None:
    if row := _locked(session, workflow_id):
        _write(row, transcripts, reason)


def _write(row: WorkflowRow, transcripts: list[Transcript] | None, reason: str | None) -> None:
    unobserved = {field: why for field, why in row.unobserved.items() if field != "transcripts"}
    sources = {field: where for field, where in row.sources.items() if field != "transcripts"}
    if transcripts is None:
        row.transcripts = None
        row.unobserved = {**unobserved, "transcripts": reason}
        row.sources = sources
    else:
        row.transcripts = [transcript.model_dump(mode="json") for transcript in transcripts]
        row.unobserved = unobserved
        row.sources = {**sources, "transcripts": SOURCE}


def _ids(videos: list[Any] | None) -> list[str]:
    return [video["video_id"] for video in videos or []]


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
