"""Find what should never have been published: keys, tokens, passwords, addresses of people.

A finding says the kind, the place and how often; the value itself is in no finding and no log.
Placeholders, the site's own and those that people write, are no secrets, nor are expressions that
ask for one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from n8n_scraper.core.item import OF_THE_CRAWL, Item
from n8n_scraper.policies.safety.finding import SecretFinding
from n8n_scraper.policies.safety.secret_kinds import (
    KINDS,
    Haystack,
    Kind,
    is_secret_name,
    kind_by_name,
)

I = TypeVar("I", bound=Item)  # noqa: E741 - an item
T = TypeVar("T")

NO_OTHER_NAMES: Mapping[str, str] = MappingProxyType({})

# Pictures and files in pinned data: no secret has this length, and nothing in it is a word.
_LEAST_BLOB = 4096
_BLOB = re.compile(rf"(?:data:[\w/+.;-]{{1,80}},)?[A-Za-z0-9+/_=\r\n-]{{{_LEAST_BLOB},}}")
# No secret is shorter than the shortest of addresses.
_SHORTEST = 6
# Each round looks through all of a text; texts of people are done after three.
_MOST_ROUNDS = 20
_ON_AND_ON = "secrets beside secrets"
# No form goes on across it, so that what is in none of two texts is not in both together.
_SEAM = "\n\0"
_LONGEST_PLACE = 500
_DEEPER = " …"
_PLAIN_KEY = re.compile(r"[A-Za-z_]\w*")
# By which a node's parameter says what the value beside it is.
_NAMING = ("name", "key", "headerName", "parameterName")
_NAMED = frozenset(("value", "headerValue", "stringValue"))


# Where a string stands, the name under which it stands there, and itself.
_Text = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Hit:
    kind: str
    start: int
    end: int


def findings_in(
    value: Any, place: str = "", *, known_as: Mapping[str, str] = NO_OTHER_NAMES
) -> list[SecretFinding]:
    """Look through a text or any JSON value; some of its places may be known by another name."""
    if (suspects := _suspects(value)) is None:
        return []
    texts = ((known_as.get(at, at), name, text) for at, name, text in _texts_of(value, place))
    return _findings(texts, suspects)


def redact(value: T) -> T:
    """The same text or JSON value with `[REDACTED:kind]` in the place of each secret.

    Keys are texts too, so that what names one by a secret in it still finds it.
    """
    # What stood beside a secret may come to light without it.
    while (suspects := _suspects(value)) is not None:
        clean = _redacted(value, "", suspects)
        if clean == value:
            break
        value = clean
    return value


def redacted(item: I, kept: Collection[str]) -> I:
    """The same item without the secrets in its authors' texts; the original is untouched.

    What is kept are the fields in which nobody writes text.
    """
    written = item.model_dump(mode="json", exclude={*OF_THE_CRAWL, *kept})
    clean = redact(written)
    if clean == written:
        return item
    return type(item).model_validate(item.model_dump(mode="json") | clean)


def _findings(texts: Iterable[_Text], suspects: list[Kind]) -> list[SecretFinding]:
    looked_at = ((place, _clean(text, name, suspects)[1]) for place, name, text in texts)
    found = [(place, kinds) for place, kinds in looked_at if kinds]
    unsaid = _suspects([place for place, _ in found]) or []
    counts: Counter[tuple[str, str]] = Counter()
    for place, kinds in found:
        clean = _clean(place, "", unsaid)[0]
        counts.update({(kind, clean): count for kind, count in kinds.items()})
    return [
        SecretFinding(kind=kind, place=place, count=count)
        for (kind, place), count in counts.items()
    ]


def _suspects(value: Any) -> list[Kind] | None:
    """The kinds of which one may stand in a value; None where no text needs a look of its own.

    Most items have no secret, and are done with one look at all their texts together.
    """
    texts, names = _gathered(value)
    looked_at = [text for text in texts if len(text) < _LEAST_BLOB or not _is_blob(text)]
    everything = Haystack(_SEAM.join(looked_at))
    kinds = [kind for kind in KINDS if next(kind.secrets(everything), None)]
    return kinds if kinds or _is_one_named(value, names) else None


def _gathered(value: Any) -> tuple[list[str], set[str]]:
    """Every string of a JSON value, keys once; and every name under which one may stand."""
    texts: list[str] = []
    keys: set[str] = set()
    names: set[str] = set()
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            texts.append(one)
        elif isinstance(one, dict):
            keys.update(one)
            if not _NAMED.isdisjoint(one):
                names.update(_names_in(one))
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return [*keys, *texts], keys | names


def _is_one_named(value: Any, names: set[str]) -> bool:
    """Whether a name makes a text a secret; most items have no such name at all."""
    secret = set(filter(is_secret_name, names))
    return bool(secret) and any(
        name in secret and kind_by_name(name, text) for name, text in _named_texts(value)
    )


def _named_texts(value: Any) -> Iterator[tuple[str, str]]:
    """Every string of a JSON value with what it is called, in whatever order."""
    waiting = [("", value)]
    while waiting:
        name, one = waiting.pop()
        if isinstance(one, str):
            yield name, one
        elif isinstance(one, list):
            waiting += ((name, inner) for inner in one)
        elif isinstance(one, dict):
            waiting += zip(_names_in(one), one.values(), strict=True)


def _redacted(value: Any, name: str, kinds: list[Kind]) -> Any:
    if isinstance(value, str):
        return _clean(value, name, kinds)[0]
    if isinstance(value, list):
        return [_redacted(one, name, kinds) for one in value]
    if isinstance(value, dict):
        keys = _distinct(_clean(key, "", kinds)[0] for key in value)
        return {
            key: _redacted(one, name, kinds)
            for key, name, one in zip(keys, _names_in(value), value.values(), strict=True)
        }
    return value


def _distinct(keys: Iterable[str]) -> Iterator[str]:
    """Tell apart the keys that differed only by their secrets."""
    taken: set[str] = set()
    many: Counter[str] = Counter()
    for key in keys:
        new = key
        while new in taken:
            many[key] += 1
            new = f"{key}'" if many[key] == 1 else f"{key}'{many[key]}"
        taken.add(new)
        yield new


def _clean(text: str, name: str, kinds: Iterable[Kind]) -> tuple[str, Counter[str]]:
    """Replace until nothing is found: what stood beside a secret may come to light without it.

    A text in which that goes on and on is replaced as a whole.
    """
    found: Counter[str] = Counter()
    for _ in range(_MOST_ROUNDS):
        if not (hits := _hits(text, name, kinds)):
            return text, found
        text = _without(text, hits)
        found.update(hit.kind for hit in reversed(hits))
    found[_ON_AND_ON] += 1
    return f"[REDACTED:{_ON_AND_ON}]", found


def _without(text: str, hits: list[_Hit]) -> str:
    pieces, end = [], 0
    for hit in hits:
        pieces += [text[end : hit.start], f"[REDACTED:{hit.kind}]"]
        end = hit.end
    return "".join([*pieces, text[end:]])


def _hits(text: str, name: str, kinds: Iterable[Kind]) -> list[_Hit]:
    """The secrets of a text in their order, none within another."""
    if len(text) < _SHORTEST or _is_blob(text):
        return []
    hay, hits = Haystack(text), []
    claimed = bytearray(len(text))
    for kind in kinds:
        for start, end in kind.secrets(hay):
            if not any(claimed[start:end]):
                claimed[start:end] = b"\1" * (end - start)
                hits.append(_Hit(kind.name, start, end))
    if not hits and name and (by_name := kind_by_name(name, text)):
        hits = [_Hit(by_name, 0, len(text))]
    return sorted(hits, key=lambda hit: hit.start)


def _is_blob(text: str) -> bool:
    return len(text) >= _LEAST_BLOB and _BLOB.fullmatch(text) is not None


def _texts_of(value: Any, place: str) -> Iterator[_Text]:
    """Every string of a JSON value in its order."""
    waiting = [(place, "", value)]
    while waiting:
        place, name, one = waiting.pop()
        if isinstance(one, str):
            yield place, name, one
        elif isinstance(one, list):
            inside = [(_below(place, f"[{n}]"), name, inner) for n, inner in enumerate(one)]
            waiting += reversed(inside)
        elif isinstance(one, dict):
            places = (_below(place, _step(key, place)) for key in one)
            waiting += reversed([*zip(places, _names_in(one), one.values(), strict=True)])


def _step(key: str, place: str) -> str:
    if not _PLAIN_KEY.fullmatch(key):
        return f'["{key}"]'
    return f".{key}" if place else key


def _below(place: str, step: str) -> str:
    """The place within a place; how far down it is has an end, and no key is cut in two."""
    if place.endswith(_DEEPER):
        return place
    return place + (step if len(place) + len(step) <= _LONGEST_PLACE else _DEEPER)


def _names_in(parent: dict[str, Any]) -> Iterable[str]:
    """What each value of a dictionary is called."""
    if _NAMED.isdisjoint(parent):
        return parent
    return [_name_of(key, parent) for key in parent]


def _name_of(key: str, parent: dict[str, Any]) -> str:
    """What a value is called: by its key, or by the name that stands beside it."""
    if key in _NAMED:
        given = (parent.get(naming) for naming in _NAMING)
        return next((one for one in given if isinstance(one, str)), key)
    return key
