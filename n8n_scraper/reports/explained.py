"""All that the archive knows of one item.

Its answers, what runs did about it, why its fields are what they are, what would be asked next, and
when the pace allows it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.item import PartState
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import Place, Record, Source, Step
from n8n_scraper.core.typed_settings import Given
from n8n_scraper.ledger import takedowns
from n8n_scraper.ledger.database import Database
from n8n_scraper.ledger.domains import load
from n8n_scraper.ledger.finding import NEWEST_FIRST
from n8n_scraper.ledger.tables import RunAnswerRow, RunItemRow, RunRow
from n8n_scraper.ledger.takedowns import Takedown
from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.records import items
from n8n_scraper.records.tables import EventRow, RawAnswerRow, VersionRow
from n8n_scraper.reports.domains import NONE_ELSEWHERE, Allowed, Domains, allowed

_RUNS_TOLD = 10


@dataclass(frozen=True, slots=True)
class AnswerSeen:
    """An answer that is kept."""

    part: str
    url: str | None
    http_status: int | None
    fetched_at: str | None
    bytes: int | None
    """As it came; None of one that is kept for a chain under way."""
    run_id: str | None = None
    """The run whose chain is under way."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What one run did about the item."""

    run_id: str
    state: str
    outcome: str | None
    category: str | None
    reason: str | None
    http_status: int | None
    requests: int | None
    attempts: int
    claimed_at: str | None
    closed_at: str | None
    duration: float | None
    worker: str | None


@dataclass(frozen=True, slots=True)
class FieldSeen:
    """Why a field is what it is."""

    field: str
    value: Any
    source: str | None
    """Where it was read, or what it was computed from; None where it has no value."""
    why_not: str | None
    """Why it has none."""
    places: tuple[Place, ...] = ()
    """All places where it can stand, the best first, as far as today's answers tell."""
    follows_from: tuple[str, ...] = ()
    """The fields that it is computed from."""

    @property
    def also_in(self) -> tuple[str, ...]:
        """The other places in which it stands."""
        has = (one.name for one in self.places if one.why_not is None)
        return tuple(dict.fromkeys(name for name in has if name != self.source))


@dataclass(frozen=True, slots=True)
class Explanation:
    """Everything about one item."""

    source: str
    noun: str
    item_id: str
    is_stored: bool
    title: str | None
    url: str | None
    outcome: str | None
    scraped_at: str | None
    run_id: str | None
    """The run that has brought what is stored."""
    removed_at: str | None
    parts: Mapping[str, PartState]
    answers: tuple[AnswerSeen, ...]
    tried: tuple[Tried, ...]
    """What the newest runs did about it."""
    runs: int
    """How many runs have planned it."""
    versions: int
    last_event: str | None
    """What happened to it last, and when."""
    fields: tuple[FieldSeen, ...]
    steps: Mapping[str, tuple[Step, ...]]
    """What would be asked, by each way to ask."""
    pace: tuple[Allowed, ...]
    """Of each domain that would be asked."""
    taken_down: Takedown | None = None
    """When and why it was taken down: then nothing is asked of it any more."""

    @property
    def is_known(self) -> bool:
        """Whether any run has heard of it."""
        return self.is_stored or bool(self.runs)


def explain(
    database: Database,
    source: Source,
    planned: Planned,
    settings: Given,
    *,
    elsewhere: Domains = NONE_ELSEWHERE,
    now: float | None = None,
) -> Explanation:
    """Tell all of it as of one moment; nothing is asked of a site."""
    at = time.time() if now is None else now

    def all_of_it(session: Session) -> Explanation:
        record = _record(session, source, planned.item_id)
        dossier = _dossier(session, source, planned, record)
        noted = takedowns.note_of(session, source.name, planned.item_id)
        steps = {} if noted else _steps(source, settings, dossier)
        domains = load(session) | dict(elsewhere)
        runs = _runs(session, source, planned.item_id)
        mine = (VersionRow.source == source.name, VersionRow.item_id == planned.item_id)
        known: Mapping[str, Any] = record or {}
        return Explanation(
            source=source.name,
            noun=source.noun.one,
            item_id=planned.item_id,
            is_stored=record is not None,
            **{name: known.get(name) for name in ("title", "url", "outcome", "scraped_at")},
            **{name: known.get(name) for name in ("run_id", "removed_at")},
            parts=dict(dossier.parts) if record else {},
            answers=tuple(_answers(session, source, planned.item_id)),
            tried=runs[:_RUNS_TOLD],
            runs=len(runs),
            versions=session.scalar(select(func.count()).where(*mine)) or 0,
            last_event=_last_event(session, source, planned.item_id),
            fields=tuple(_fields(source, record, dossier)) if record else (),
            steps=steps,
            pace=tuple(allowed(domains.get(one), one, settings, at) for one in _asked(steps)),
            taken_down=noted,
        )

    return database.look(all_of_it)


def sources_that_know(
    database: Database, sources: tuple[Source, ...], item_id: str
) -> tuple[Source, ...]:
    """Name the sources of which an item of this id is stored or was planned."""
    planned_by = (
        select(RunRow.source)
        .join(RunItemRow, RunItemRow.run_id == RunRow.run_id)
        .where(RunItemRow.item_id == item_id)
        .distinct()
    )

    def all_of_it(session: Session) -> tuple[Source, ...]:
        planned = set(session.scalars(planned_by))
        return tuple(
            one for one in sources if one.name in planned or _record(session, one, item_id)
        )

    return database.look(all_of_it)


def item_answered_at(database: Database, url: str) -> tuple[str, str] | None:
    """Give the source and the id of the item of which a kept answer came from an address."""
    kept = select(RawAnswerRow.source, RawAnswerRow.item_id).where(RawAnswerRow.url == url).limit(1)

    def found(session: Session) -> tuple[str, str] | None:
        row = session.execute(kept).first()
        return (row[0], row[1]) if row else None

    return database.look(found)


def _record(session: Session, source: Source, item_id: str) -> Record | None:
    table = source.kind().table()
    row = session.execute(select(table).where(table.c[source.key] == item_id)).mappings().first()
    return dict(row) if row else None


def _dossier(session: Session, source: Source, planned: Planned, record: Record | None) -> Dossier:
    """Open the dossier again as its last chain has left it, and read in it what is kept."""
    if record is None:
        return Dossier.opened(planned, started=0.0)
    kind = source.kind()
    dossier, _ = kind.rereading.reopen(record)
    ended = dict(dossier.parts)
    if kind.places is not None:
        for part, answer in items.raw_answers(session, source, planned.item_id).items():
            if part in ended and ended[part].status is PartStatus.OK:
                kind.read(dossier, answer)
    dossier.parts = ended  # as the record has it, whatever today's readers say
    return dossier


def _steps(source: Source, settings: Given, dossier: Dossier) -> Mapping[str, tuple[Step, ...]]:
    asking = source.kind().asking
    return asking.steps(settings, dossier) if asking else {}


def _asked(steps: Mapping[str, tuple[Step, ...]]) -> list[str]:
    """Name the domains of the addresses, each once."""
    urls = (step.url for chain in steps.values() for step in chain if step.url)
    return list(dict.fromkeys(map(registrable_domain, urls)))


def _answers(session: Session, source: Source, item_id: str) -> Iterator[AnswerSeen]:
    raw = RawAnswerRow
    kept = select(raw.part, raw.url, raw.http_status, raw.fetched_at, raw.body_bytes)
    mine = (raw.source == source.name, raw.item_id == item_id)
    found = {row[0]: AnswerSeen(*row) for row in session.execute(kept.where(*mine))}
    yield from (found[part] for part in source.parts if part in found)
    run = RunAnswerRow
    under_way = (
        select(run.part, run.url, run.http_status, run.fetched_at, run.run_id)
        .join(RunRow, RunRow.run_id == run.run_id)
        .where(run.item_id == item_id, RunRow.source == source.name, run.body.is_not(None))
    )
    for part, url, status, at, run_id in session.execute(under_way):
        yield AnswerSeen(part, url, status, at, None, run_id)


def _runs(session: Session, source: Source, item_id: str) -> tuple[Tried, ...]:
    item = RunItemRow
    query = (
        select(
            *(item.run_id, item.state, item.outcome, item.category, item.reason),
            *(item.http_status, item.requests, item.attempts, item.claimed_at),
            *(item.closed_at, item.duration, item.worker),
        )
        .join(RunRow, RunRow.run_id == item.run_id)
        .where(item.item_id == item_id, RunRow.source == source.name)
        .order_by(*NEWEST_FIRST)
    )
    return tuple(Tried(**row) for row in session.execute(query).mappings())


def _last_event(session: Session, source: Source, item_id: str) -> str | None:
    mine = (EventRow.source == source.name, EventRow.item_id == item_id)
    newest = select(EventRow.kind, EventRow.at).where(*mine).order_by(EventRow.id.desc()).limit(1)
    row = session.execute(newest).first()
    return f"{row[0]} {row[1]}" if row else None


def _fields(source: Source, record: Record, dossier: Dossier) -> Iterator[FieldSeen]:
    kind = source.kind()
    places = kind.places(dossier) if kind.places else {}
    computed = {one.field: one.of for one in kind.computed}
    came_from, lacking = record["sources"], record["unobserved"]
    for field in kind.item.model_fields:
        if field in came_from or field in lacking:
            yield FieldSeen(
                field=field,
                value=record[field],
                source=came_from.get(field),
                why_not=lacking.get(field),
                places=places.get(field, ()),
                follows_from=computed.get(field, ()),
            )
