"""Write an item out as the search's table takes it: pure work, so that it can be done anywhere."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from n8n_scraper.core.packing import pack, pack_json, unpack, unpack_json
from n8n_scraper.core.searched import REMOVED, Document, Facet, Record, Searched
from n8n_scraper.core.source import Source
from n8n_scraper.search.words import BETWEEN_PIECES, composed, stem, words_of

RULES = 2
"""Rises whenever words are cut, stemmed or written down in another way."""

MOST_WORDS = 20_000
"""Of a body: what follows is not searched."""

Entry = dict[str, Any]
"""A row of `search_items`."""

_STEPS = 2.0
"""Steps of an item's standing for each time that it is looked at twice as often."""
_CHANCE_BITS = 32
_MARKS = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127))


def rules_of(searched: Searched) -> str:
    """Name the rules by which the items of a source are indexed today."""
    return f"{RULES}.{searched.version}"


def entry_of(source: Source, record: Record, read_in_pictures: Sequence[str] = ()) -> Entry | None:
    """Make the row of an item; None where its source says nothing of a search."""
    searched = source.kind().searched
    if searched is None:
        return None
    document = searched.document(record, read_in_pictures)
    removed = "yes" if record["removed_at"] is not None else "no"
    document = replace(document, facets={**document.facets, REMOVED.name: (removed,)})
    return _written(source, searched, str(record[source.key]), document)


def facet_word(source: Source, facet: Facet, value: str) -> str:
    """Give the word that stands for a facet's value: in no text, as it begins with a line."""
    return _sign(source.name, facet.name, facet.spelling(value))


def source_word(source: Source) -> str:
    """Give the word that every item of a source has."""
    return _sign(source.name)


def vocabulary_of(entry: Mapping[str, Any]) -> set[str]:
    """Give the words of a row."""
    return set(unpack(entry["vocabulary"]).decode().split())


def text_of(packed: bytes) -> tuple[str, str]:
    """Give the names and the body of an item as they are shown."""
    names, body = unpack_json(packed)
    return names, body


def lines_of(labels: str) -> dict[str, list[str]]:
    """Give the values of each facet."""
    found: dict[str, list[str]] = {}
    for line in labels.splitlines():
        name, _, value = line.partition("\t")
        found.setdefault(name, []).append(value)
    return found


def _written(source: Source, searched: Searched, item_id: str, document: Document) -> Entry:
    title = _shown(document.title)
    names = [_shown(name) for name in document.names]
    body = [_shown(piece) for piece in document.body]
    words = [_words(pieces) for pieces in ((title,), names, body)]
    words[2] = words[2][:MOST_WORDS]
    title_words, name_words, body_words = (" ".join(map(stem, some)) for some in words)
    # With the word that every item has, the items of a source are counted as those of a word are.
    vocabulary = {*words[0], *words[1], *words[2], source_word(source)}
    facets = [(_facet(searched, name), values) for name, values in document.facets.items()]
    entry = {
        "number": _standing(document.popularity) << _CHANCE_BITS | _chance(source.name, item_id),
        "source": source.name,
        "item_id": item_id,
        "rules": rules_of(searched),
        "created_at": document.created_at,
        "score": document.score,
        "popularity": document.popularity,
        "title": title,
        "labels": "\n".join(
            f"{facet.name}\t{' '.join(_shown(value).split())}"
            for facet, values in facets
            for value in dict.fromkeys(values)
        ),
        "facet_words": " ".join(
            dict.fromkeys(
                (
                    source_word(source),
                    *(facet_word(source, facet, one) for facet, some in facets for one in some),
                )
            )
        ),
        "title_words": title_words,
        "name_words": name_words,
        "body_words": body_words,
        "vocabulary": pack(" ".join(sorted(vocabulary)).encode()),
        "text": pack_json((" · ".join(filter(None, names)), "\n\n".join(filter(None, body)))),
    }
    return entry | {"fingerprint": _fingerprint(entry)}


def _facet(searched: Searched, name: str) -> Facet:
    facet = searched.facet(name)
    assert facet is not None, f"{name} is no facet of this source"
    return facet


def _words(pieces: Iterable[str]) -> list[str]:
    """Cut pieces into words, with a sign between two pieces that is no word."""
    found: list[str] = []
    for words in map(words_of, pieces):
        if words:
            found += [BETWEEN_PIECES, *words] if found else words
    return found


def _shown(text: str) -> str:
    """Take the signs out of a text that mark a place in it, or that no terminal shows."""
    if text.isascii() and text.isprintable():  # most are, and have none of them
        return text
    return composed(text).translate(_MARKS).encode(errors="replace").decode()


def _standing(popularity: int | None) -> int:
    return int(_STEPS * math.log2(1 + max(0, popularity or 0)))


def _chance(*names: str) -> int:
    digest = hashlib.blake2b("\t".join(names).encode(), digest_size=_CHANCE_BITS // 8).digest()
    return int.from_bytes(digest)


def _sign(*names: str) -> str:
    return f"_{hashlib.blake2b(chr(9).join(names).encode(), digest_size=6).hexdigest()}"


def _fingerprint(entry: Entry) -> str:
    """Sign all that is indexed; of its popularity only what its standing says."""
    signed = [str(value) for name, value in entry.items() if name != "popularity"]
    return hashlib.blake2b("\0".join(signed).encode(), digest_size=16).hexdigest()
