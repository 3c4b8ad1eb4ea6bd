"""Put an event together: what the list says of it, and what its own page does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, cast

from n8n_scraper.core.dossier import Answer, Dossier
from n8n_scraper.core.errors import BadContent, UnreadableAnswer
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import Provenance
from n8n_scraper.policies.failure.category import classify
from n8n_scraper.policies.run.outcome import outcome_of
from n8n_scraper.reading.values import Status
from n8n_scraper.sources.events.found import Found
from n8n_scraper.sources.events.ids import event_id, plain, site_of
from n8n_scraper.sources.events.item import Issue, SiteEvent
from n8n_scraper.sources.events.merging import Said, merged
from n8n_scraper.sources.events.pieces import Piece
from n8n_scraper.sources.events.rules.computed import COMPUTED
from n8n_scraper.sources.events.said import READ_OF, said
from n8n_scraper.sources.events.source import DETAIL, LIST

_LONG_OVER = timedelta(days=60)
_FAR_AHEAD = timedelta(days=730)
_NOT_GIVEN = "the site gives none"
_ONLY_LINKED = "the list has nothing of it but a link"


def read(dossier: Dossier, answer: Answer) -> None:
    """Read a piece or a page of an event, and settle its part by whether it speaks of it."""
    dossier.answers[answer.part] = answer
    try:
        piece = Piece.read(answer.body)
        if answer.part == LIST and not piece.body:
            dossier.settle(LIST, PartStatus.SKIPPED, _ONLY_LINKED)
            return
        listed = answer.part == LIST
        found = of_list(piece, dossier.item_id) if listed else of_page(piece, dossier.item_id)
    except UnreadableAnswer as error:
        category = classify(exception=error)
        status = _without(answer.part, dossier)
        dossier.settle(answer.part, status, str(error), category, answer.http_status)
    else:
        dossier.read[answer.part] = found
        dossier.settle(answer.part, PartStatus.OK, http_status=answer.http_status)


def _without(part: str, dossier: Dossier) -> PartStatus:
    """Say what an answer is that speaks of no event.

    Of one that the list speaks of, its own page need not say anything to a program: asking again
    brings nothing. Of one that the list only links to, nothing is known without.
    """
    listed = dossier.parts.get(LIST)
    is_known = listed is not None and listed.status is PartStatus.OK
    return PartStatus.MISSING if part == DETAIL and is_known else PartStatus.FAILED


def of_list(piece: Piece, item_id: str) -> Found:
    """Give what a piece of the list says of an event."""
    site = site_of(item_id)
    own = [one for one in piece.founds() if event_id(site, one, piece.url) == item_id]
    if not own:
        raise BadContent(f"the list has no event {item_id} any more")
    return merged([Said(LIST, one) for one in own])[0] if len(own) > 1 else own[0]


def of_page(piece: Piece, item_id: str) -> Found:
    """Give what a page says of its event, also where it names others beside it."""
    founds, here = piece.founds(), plain(piece.url)
    own = [one for one in founds if event_id(site_of(item_id), one, "") == item_id]
    at_it = [
        one
        for one in founds
        if here in {plain(url) for url in (one.url, one.detail_url) if url is not None}
    ]
    chosen = own or at_it or (founds if len(founds) == 1 else [])
    if not chosen:
        several = f"{len(founds)} events, and none is that of the page" if founds else "no event"
        raise BadContent(f"the page has {several}")
    found = chosen[0]
    if found.url is not None:
        return found
    return replace(found, url=piece.url, sources={**found.sources, "url": "address"})


def pages_of(dossier: Dossier) -> list[Said]:
    """Give what the pages of an event say, its own page first."""
    read_so_far = dossier.read
    return [
        Said(part, cast(Found, read_so_far[part])) for part in (DETAIL, LIST) if part in read_so_far
    ]


def assemble(dossier: Dossier, provenance: Provenance) -> SiteEvent:
    """Give the event, with a reason for each field that no page fills."""
    found, where = merged(pages_of(dossier))
    fields = said(found)
    unobserved = {one.field: one.not_yet for one in COMPUTED}
    for name, value in fields.items():
        if value is None and name != "status":
            unobserved.setdefault(name, _NOT_GIVEN)
    if fields["start"] is None and fields["schedule"]:
        unobserved["start"] = "; ".join(found.doubts) or "its words tell no day"
    sources = {
        name: where[READ_OF[name]]
        for name, value in fields.items()
        if value not in (None, []) and READ_OF[name] in where
    }
    fields["status"] = found.status or Status.ACTIVE
    sources = {"status": "listed", "timezone": "entry"} | sources
    return SiteEvent(
        event_id=dossier.item_id,
        site=site_of(dossier.item_id),
        issues=_issues(fields, provenance.scraped_at),
        outcome=outcome_of(dossier.parts),
        parts=dict(dossier.parts),
        in_inventory=dossier.planned.listed,
        unobserved=unobserved,
        sources=sources,
        run_id=provenance.run_id,
        scraped_at=provenance.scraped_at,
        processing_time=provenance.processing_time,
        **fields,
    )


def _issues(fields: Mapping[str, Any], seen_at: str) -> list[Issue]:
    """Say what is odd; an event that lies far away is told so, and stays."""
    issues = [Issue.DOUBTFUL_TIME] if fields["schedule_doubts"] else []
    start, end = fields["start"], fields["end"]
    if start is None:
        return issues
    seen = datetime.fromisoformat(seen_at)
    last = max(start, end or start, *(one.end or one.start for one in fields["occurrences"]))
    if datetime.fromisoformat(last) < seen - _LONG_OVER:
        issues.append(Issue.LONG_OVER)
    if datetime.fromisoformat(start) > seen + _FAR_AHEAD:
        issues.append(Issue.FAR_AHEAD)
    if end is not None and end < start:
        issues.append(Issue.ENDS_BEFORE_IT_BEGINS)
    return issues
