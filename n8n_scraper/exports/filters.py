"""Which templates to export: read from what a person typed, and asked of a template's facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.core.since import moment

_FROM_ONE_ON = re.compile(r"[1-9][0-9]{0,17}")


@dataclass(frozen=True, slots=True)
class Facts:
    """What the filters by content look at."""

    categories: list[str] | None = None
    node_types: Mapping[str, int] | None = None
    trigger_types: list[str] | None = None
    author: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Filters:
    """All of these must hold; of several values of one of them, any."""

    category: tuple[str, ...] = ()
    min_score: float | None = None
    outcome: tuple[str, ...] = ()
    node: tuple[str, ...] = ()
    trigger: tuple[str, ...] = ()
    author: tuple[str, ...] = ()
    since: str | None = None
    removed: bool | None = None
    ids: tuple[str, ...] = ()
    limit: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Name those that were given."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in given.items() if value not in (None, ())}

    @property
    def look_inside(self) -> bool:
        """Whether a row's plain columns are not enough to decide."""
        return bool(self.category or self.node or self.trigger or self.author)

    def admit(self, facts: Facts) -> bool:
        """Whether the content is what was asked for; what was not observed is not."""
        author = facts.author or {}
        names = [name for name in (author.get("name"), author.get("username")) if name]
        return (
            _meet(self.category, facts.categories or (), _plain)
            and _meet(self.node, facts.node_types or (), _type_names)
            and _meet(self.trigger, facts.trigger_types or (), _type_names)
            and _meet(self.author, names, _plain)
        )


def read_filters(given: Mapping[str, Any], now: str) -> Filters:
    """Check what was typed; the first thing that makes no sense is refused in one line."""
    return Filters(
        category=_texts(given, "category"),
        min_score=_score(given.get("min_score")),
        outcome=_outcomes(given),
        node=_texts(given, "node"),
        trigger=_texts(given, "trigger"),
        author=_texts(given, "author"),
        since=_since(given.get("since"), now),
        removed=_removed(given),
        ids=_ids(given.get("ids")),
        limit=_limit(given.get("limit")),
    )


def refuse_unknown(filters: Filters, archive: Iterable[Facts]) -> None:
    """Raise BadInput for a name that no template has, with those that may have been meant."""
    names = {option: set[str]() for option in ("category", "node", "trigger", "author")}
    for facts in archive if filters.look_inside else ():
        names["category"].update(facts.categories or ())
        names["node"].update(facts.node_types or ())
        names["trigger"].update(facts.trigger_types or ())
        author = facts.author or {}
        names["author"].update(author[one] for one in ("name", "username") if author.get(one))
    for option, there in names.items():
        short = _type_names if option in ("node", "trigger") else _plain
        for wanted in getattr(filters, option):
            if not _meet((wanted,), there, short):
                raise BadInput(_unknown(option, wanted, {short(one)[-1]: one for one in there}))


def _unknown(option: str, wanted: str, there: Mapping[str, str]) -> str:
    near = get_close_matches(wanted.strip().casefold(), there, cutoff=0.6)
    meant = f"; is it {' or '.join(there[one] for one in near)}?" if near else "."
    return f"--{option} {wanted!r}: no stored template has it{meant}"


def _meet(
    wanted: tuple[str, ...], found: Iterable[str], names: Callable[[str], tuple[str, ...]]
) -> bool:
    if not wanted:
        return True
    known = {name for one in found for name in names(one)}
    return any(one.strip().casefold() in known for one in wanted)


def _plain(text: str) -> tuple[str, ...]:
    return (text.strip().casefold(),)


def _type_names(node_type: str) -> tuple[str, ...]:
    """The names a node type goes by: whole, and without its package."""
    name = node_type.casefold()
    return (name, name.rpartition(".")[2])


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


def _score(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 100:
        raise BadInput(f"--min-score is {text!r}; write a number from 0 to 100.")
    return score


def _since(text: str | None, now: str) -> str | None:
    if text is None:
        return None
    if (since := moment(text, now)) is None:
        raise BadInput(
            f"--since is {text!r}; write a day such as 2026-01-31, or a span such as 7d."
        )
    return since


def _removed(given: Mapping[str, Any]) -> bool | None:
    present, removed = given.get("present"), given.get("removed")
    if present and removed:
        raise BadInput("--present and --removed leave nothing; write one of them, or neither.")
    return bool(removed) if present or removed else None


def _ids(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    ids = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    for one in ids:
        if not _FROM_ONE_ON.fullmatch(one):
            raise BadInput(f"--ids has {one!r} in it; write ids with commas, such as 2462,1954.")
    return ids


def _limit(text: str | None) -> int | None:
    if text is None:
        return None
    if not _FROM_ONE_ON.fullmatch(text):
        raise BadInput(f"--limit is {text!r}; write a whole number from 1 on.")
    return int(text)
