"""Make a stored item anew of its stored answers, by today's readers and checks: pure work.

Where these are the ones that it was made by, it comes out as it is stored, in every field.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from n8n_scraper.core.computing import compute
from n8n_scraper.core.outcomes import PartStatus

if TYPE_CHECKING:
    from n8n_scraper.core.dossier import Answer, Dossier
    from n8n_scraper.core.item import Item, PartState
    from n8n_scraper.core.source import ItemKind, Record, Source

_ROUNDING = timedelta(milliseconds=5)
"""How exact the times of a record are, and a little more."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why an item stays as it is stored: what would be made of its answers has less in it."""

    reason: str


def reread(
    source: Source, record: Record, answers: Mapping[str, Answer], unwanted: Collection[str] = ()
) -> Item | Unreadable:
    """Make an item anew, by whatever came of its last chain and of earlier ones.

    A computed field is left out where neither its crawl nor we want it.
    """
    kind = source.kind()
    dossier, provenance = kind.rereading.reopen(record)
    before = dict(dossier.parts)
    ordered = [answers[part] for part in source.parts if part in answers]
    came = _read_what_came(kind, record, dossier, ordered)
    if trouble := _what_is_lost(before, dossier, came):
        return Unreadable(trouble)
    item: Item = kind.assemble(dossier, provenance)
    compute(kind.computed, item, off=_left_out(kind, record, unwanted))
    if broken := kind.promises(item):
        return Unreadable("; ".join(broken))
    if len(came) < len(ordered):
        record = _refreshed(kind, record, ordered)
    whole: Item = kind.carry_over(record, item)
    whole.removed_at = record["removed_at"]
    return whole


def differences(record: Record, row: Mapping[str, Any]) -> dict[str, Any]:
    """Give what a row has otherwise than the record that is stored."""
    return {name: value for name, value in row.items() if record[name] != value}


def _read_what_came(
    kind: ItemKind[Any], record: Record, dossier: Dossier, answers: Iterable[Answer]
) -> set[str]:
    """Read each answer of the last chain into its dossier; give their parts."""
    came = set()
    for answer in answers:
        part = answer.part
        state = dossier.parts.get(part)
        if state is None or state.status is PartStatus.SKIPPED:
            continue
        kind.read(dossier, answer)
        if _came_last(answer, record, state) or dossier.parts[part] == state:
            came.add(part)
        else:  # the last chain has asked for it in vain, and this is an earlier one
            _put_back(dossier, part, state)
    return came


def _came_last(answer: Answer, record: Record, state: PartState) -> bool:
    """Whether an answer is of the last chain: what is ok was read from it, the rest by time."""
    took = timedelta(seconds=record["processing_time"]) + _ROUNDING
    began = datetime.fromisoformat(record["scraped_at"]) - took
    return state.status is PartStatus.OK or datetime.fromisoformat(answer.fetched_at) >= began


def _put_back(dossier: Dossier, part: str, state: PartState) -> None:
    dossier.parts[part] = state
    dossier.answers.pop(part, None)
    dossier.read.pop(part, None)
    dossier.strangers.discard(part)


def _what_is_lost(
    before: Mapping[str, PartState], dossier: Dossier, came: Collection[str]
) -> str | None:
    """Say what was read once and cannot be read now."""
    for part, state in before.items():
        if state.status is PartStatus.OK:
            if part not in came:
                return f"{part}: its answer is not stored"
            if (now := dossier.parts[part]).status is not PartStatus.OK:
                return f"{part}: {now.reason}"
    return None


def _left_out(kind: ItemKind[Any], record: Record, unwanted: Collection[str]) -> set[str]:
    reasons = record["unobserved"]
    return {
        one.field
        for one in kind.computed
        if one.field in unwanted and reasons.get(one.field) == one.switched_off
    }


def _refreshed(kind: ItemKind[Any], record: Record, answers: Iterable[Answer]) -> Record:
    """Let what the record has of earlier answers be as they are read today.

    Where one has taken the place of a better one, what that had said is in the record alone.
    """
    dossier, provenance = kind.rereading.reopen(record)
    for answer in answers:
        kind.read(dossier, answer)
        if dossier.parts[answer.part].status is not PartStatus.OK:
            return record
    return kind.rereading.refresh(record, kind.assemble(dossier, provenance))
