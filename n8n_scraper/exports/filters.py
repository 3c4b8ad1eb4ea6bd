"""Which items to export: read from what a person typed, and asked of what an item holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.since import moment
from n8n_scraper.core.source import Record, Source
from n8n_scraper.exports.content import ContentFilter, meet
from n8n_scraper.exports.of_source import all_filters, exports_of
from n8n_scraper.records.choosing import Choice, Snapshot

KEEP_ONE = "keep-one"
DUPLICATES = (KEEP_ONE, "keep-all")
"""What can be done with items that are nearly the same."""
_FROM_ONE_ON = re.compile(r"[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class Filters:
    """All of these must hold; of several values of one of them, any."""

    content: tuple[tuple[ContentFilter, tuple[str, ...]], ...] = ()
    """What must stand in an item."""
    min_score: float | None = None
    outcome: tuple[str, ...] = ()
    since: str | None = None
    changed_since: str | None = None
    removed: bool | None = None
    ids: tuple[str, ...] = ()
    duplicates: str | None = None
    """What becomes of items that are nearly the same: one of `DUPLICATES`."""
    limit: int | None = None

    @property
    def one_of_each_cluster(self) -> bool:
        """Whether of items that are nearly the same one is wanted."""
        return self.duplicates == KEEP_ONE

    def as_json(self) -> dict[str, Any]:
        """Name those that were given."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        by_content = {one.name: wanted for one, wanted in given.pop("content")}
        return by_content | {name: one for name, one in given.items() if one not in (None, ())}

    def admit(self, record: Record) -> bool:
        """Whether the content is what was asked for."""
        return all(one.meets(wanted, record) for one, wanted in self.content)

    def choice(self, score: str | None) -> Choice:
        """Say it to the database, which has the score in this column."""
        return Choice(
            outcomes=self.outcome,
            since=self.since,
            changed_since=self.changed_since,
            removed=self.removed,
            at_least=None if score is None or self.min_score is None else (score, self.min_score),
            ids=self.ids,
            columns=tuple(dict.fromkeys(name for one, _ in self.content for name in one.columns)),
            admits=self.admit if self.content else None,
            # What is left out behind the choice makes room for others.
            limit=None if self.one_of_each_cluster else self.limit,
        )


def read_filters(given: Mapping[str, Any], now: str, source: Source) -> Filters:
    """Check what was typed; the first thing that makes no sense is refused in one line."""
    exports = exports_of(source)
    return Filters(
        content=_by_content(given, source, exports.filters),
        min_score=_score(given.get("min_score"), source, exports.score),
        outcome=_outcomes(given),
        since=_since("since", given, now),
        changed_since=_since("changed_since", given, now),
        removed=_removed(given),
        ids=_ids(given.get("ids"), source),
        duplicates=_duplicates(given.get("duplicates"), source),
        limit=_limit(given.get("limit")),
    )


def refuse_unknown(filters: Filters, source: Source, archive: Snapshot) -> None:
    """Raise BadInput for a name that no item has, with those that may have been meant."""
    if not filters.content:
        return
    there: dict[str, set[str]] = {one.name: set() for one, _ in filters.content}
    for record in archive.records(filters.choice(None).columns):
        for one, _ in filters.content:
            there[one.name].update(one.names(record))
    for one, all_wanted in filters.content:
        for wanted in all_wanted:
            if not meet((wanted,), there[one.name], one.spellings):
                known = {one.spellings(name)[-1]: name for name in there[one.name]}
                raise BadInput(_unknown(one.name, wanted, known, source))


def _unknown(option: str, wanted: str, there: Mapping[str, str], source: Source) -> str:
    near = get_close_matches(wanted.strip().casefold(), there, cutoff=0.6)
    meant = f"; is it {' or '.join(there[one] for one in near)}?" if near else "."
    return f"--{option} {wanted!r}: no stored {source.noun} has it{meant}"


def _by_content(
    given: Mapping[str, Any], source: Source, filters: Iterable[ContentFilter]
) -> tuple[tuple[ContentFilter, tuple[str, ...]], ...]:
    asked = [(one, _texts(given, one.name)) for one in filters]
    known = {one.name for one, _ in asked}
    for other in all_filters():
        if other.name not in known and given.get(other.name):
            raise BadInput(f"--{other.name} is nothing that {source.noun.many} have.")
    return tuple((one, wanted) for one, wanted in asked if wanted)


def _texts(given: Mapping[str, Any], name: str) -> tuple[str, ...]:
    texts = tuple(given.get(name) or ())
    if any(not text.strip() for text in texts):
        raise BadInput(f"--{name} is empty; name one.")
    return texts


def _outcomes(given: Mapping[str, Any]) -> tuple[str, ...]:
    outcomes = _texts(given, "outcome")
    for outcome in outcomes:
        if outcome not in tuple(Outcome):
            raise BadInput(f"--outcome is {outcome!r}; write one of {', '.join(Outcome)}.")
    return outcomes


def _score(text: str | None, source: Source, column: str | None) -> float | None:
    if text is None:
        return None
    if column is None:
        raise BadInput(f"--min-score is nothing that {source.noun.many} have.")
    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 100:
        raise BadInput(f"--min-score is {text!r}; write a number from 0 to 100.")
    return score


def _since(name: str, given: Mapping[str, Any], now: str) -> str | None:
    if (text := given.get(name)) is None:
        return None
    if (since := moment(text, now)) is None:
        raise BadInput(
            f"--{name.replace('_', '-')} is {text!r}; "
            "write a day such as 2026-01-31, or a span such as 7d."
        )
    return since


def _removed(given: Mapping[str, Any]) -> bool | None:
    present, removed = given.get("present"), given.get("removed")
    if present and removed:
        raise BadInput("--present and --removed leave nothing; write one of them, or neither.")
    return bool(removed) if present or removed else None


def _ids(text: str | None, source: Source) -> tuple[str, ...]:
    if text is None:
        return ()
    ids, form = tuple(dict.fromkeys(part.strip() for part in text.split(","))), source.ids
    for one in ids:
        if not re.fullmatch(form.pattern, one):
            said = f"write ids with commas, such as {form.example}"
            raise BadInput(f"--ids has {one!r} in it; {said}.")
    return ids


def _duplicates(text: str | None, source: Source) -> str | None:
    if text is not None and text not in DUPLICATES:
        raise BadInput(f"--duplicates is {text!r}; write {' or '.join(DUPLICATES)}.")
    kind = source.kind()
    if text == KEEP_ONE and kind.likeness is None and kind.occasions is None:
        raise BadInput(f"--duplicates: {source.noun.many} are not compared with each other.")
    return text


def _limit(text: str | None) -> int | None:
    if text is None:
        return None
    if not _FROM_ONE_ON.fullmatch(text):
        raise BadInput(f"--limit is {text!r}; write a whole number from 1 on.")
    return int(text)
