"""Put into words what a rereading finds, for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from n8n_scraper.core.source import Noun
from n8n_scraper.core.wording import printable
from n8n_scraper.policies.run.progress import duration, time_left
from n8n_scraper.records.rereading.blocks import Compared
from n8n_scraper.records.rereading.found import Standing
from n8n_scraper.records.rereading.whole import Order

_BETWEEN = " · "
_MOST_NAMED = 20
_WIDEST_VALUE = 200


def how_far(standing: Standing, noun: Noun, seconds: float) -> str:
    """Say in one line how far it is."""
    rate = standing.found.read / seconds
    left = standing.left / rate if rate else None
    parts = [
        f"{standing.done} of {standing.total} {noun.many} read anew",
        f"{standing.found.changed} differ",
        f"{rate:.0f} a second",
        time_left(left),
    ]
    return _BETWEEN.join(filter(None, parts))


def difference_lines(compared: Compared) -> Iterator[str]:
    """Say what an item has otherwise, field by field."""
    for name, now in compared.now.items():
        yield f"{compared.item_id}  {name}"
        yield f"  - {_value(compared.before[name])}"
        yield f"  + {_value(now)}"


def found_lines(standing: Standing, order: Order, seconds: float) -> Iterator[str]:
    """Say what was found: how many, which fields, and what could not be read."""
    if standing.not_stored:
        yield f"Not stored: {_listed(standing.not_stored)}"
    found, noun = standing.found, order.source.noun
    rate = f", {found.read / seconds:.0f} a second" if found.read and seconds else ""
    parts = [
        f"{found.changed} {'would change' if order.only_look else 'changed'}",
        f"{found.as_before} as before",
    ]
    if found.unreadable or found.errors:
        parts.append(f"{len(found.unreadable) + len(found.errors)} could not be read, and stay")
    yield f"{_so_many(found.read, noun)} read anew ({duration(seconds)}{rate}): {', '.join(parts)}."
    width = max(map(len, found.fields), default=0)
    for name, changed in found.by_field:
        more = ", …" if changed.items > len(changed.examples) else ""
        yield f"  {name:{width}}  {changed.items}: {', '.join(changed.examples)}{more}"
    yield from _reasons("Could not be read, and stay as they are:", found.unreadable)
    yield from _reasons("An error of our own:", found.errors)


def advice_on(standing: Standing, order: Order) -> str:
    """Say what is left to be done; nothing where that is nothing."""
    if standing.left:
        stopped = f"stopped after {standing.done} of {standing.total}"
        return f"{stopped}." if order.only_look else f"{stopped}; the same command goes on."
    if order.only_look and standing.found.changed:
        return "nothing was stored; without --dry-run it is."
    return ""


def _so_many(number: int, noun: Noun) -> str:
    return f"{number} {noun.one if number == 1 else noun.many}"


def _reasons(title: str, reasons: Mapping[str, str]) -> Iterator[str]:
    if reasons:
        yield title
    for item_id, reason in list(reasons.items())[:_MOST_NAMED]:
        yield f"  {item_id}  {printable(reason)}"
    if len(reasons) > _MOST_NAMED:
        yield f"  and {len(reasons) - _MOST_NAMED} more: --json names all"


def _listed(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:_MOST_NAMED]) + (", …" if len(ids) > _MOST_NAMED else "")


def _value(value: Any) -> str:
    text = printable(json.dumps(value, ensure_ascii=False))
    return text if len(text) <= _WIDEST_VALUE else f"{text[:_WIDEST_VALUE]}…"
