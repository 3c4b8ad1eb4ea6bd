"""Read a page of a site's list: which events it has, where each of them is told, what comes next.

Pure work, so that it is done beside the event loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urljoin

from parsel import Selector

from n8n_scraper.policies.pace.domain import registrable_domain
from n8n_scraper.policies.tools.coverage import Coverage, coverage_of
from n8n_scraper.policies.tools.ladder import better
from n8n_scraper.reading.structured.document import decoded
from n8n_scraper.sources.events.adapters import found_in
from n8n_scraper.sources.events.cutting import cut
from n8n_scraper.sources.events.found import Found, Hints
from n8n_scraper.sources.events.ids import event_id, id_of_address, plain
from n8n_scraper.sources.events.merging import Said, merged
from n8n_scraper.sources.events.pieces import Piece
from n8n_scraper.sources.events.said import said
from n8n_scraper.sources.events.source import LIST


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as its readers need it."""

    url: str
    content_type: str | None
    encoding: str | None
    body: bytes


@dataclass(frozen=True, slots=True)
class Asked:
    """What the entry of a site says of how its list is read."""

    site: str
    hints: Hints
    required: tuple[str, ...]
    follow: str | None = None
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """One event of a list."""

    event_id: str
    title: str | None
    piece: bytes
    draft: Mapping[str, Any]
    """What of it the tool is judged by."""
    is_followed: bool
    """Whether its own page says what it is, and the list has only to lead there."""


@dataclass(frozen=True, slots=True)
class Listing:
    """What a page of a list says."""

    events: tuple[Listed, ...]
    next: str | None
    """The address of the next page, where there is one."""


def read_list(page: Answered, data: Sequence[Answered], asked: Asked) -> Listing:
    """Read a page, or the data that it has asked for by itself where these say more."""
    links = _links(page, asked.follow)
    groups = _best([_groups([page], asked), _groups(data, asked)], asked.required)
    events = [_listed(key, group, links, asked) for key, group in groups.items()]
    told = {plain(url) for group in groups.values() for url in _addresses(group)}
    events += [_linked(url, page, asked) for url in links if plain(url) not in told]
    return Listing(tuple(events), next(iter(_links(page, asked.next)), None))


@dataclass(slots=True)
class _Group:
    """All that one answer says of one event, and the piece of the answer that says it."""

    answer: int
    founds: list[Found]
    piece: Piece

    @property
    def found(self) -> Found:
        """What it says, taken together."""
        if len(self.founds) == 1:
            return self.founds[0]
        return merged([Said(LIST, one) for one in self.founds])[0]


def _groups(answers: Iterable[Answered], asked: Asked) -> dict[str, _Group]:
    """Give what the answers say of each event, by its id; what a later one says again is left."""
    groups: dict[str, _Group] = {}
    for number, answer in enumerate(answers):
        hints = replace(asked.hints, encoding=answer.encoding)
        whole = Piece(answer.url, answer.content_type, hints, answer.body)
        founds = found_in(answer.body, answer.url, answer.content_type, hints)
        for one, piece in zip(founds, cut(whole, founds), strict=True):
            known = groups.setdefault(
                event_id(asked.site, one, answer.url), _Group(number, [], piece)
            )
            if known.answer == number and one not in known.founds:
                known.piece = whole if known.founds else piece
                known.founds.append(one)
    return groups


def _best(sets: Sequence[dict[str, _Group]], required: Sequence[str]) -> dict[str, _Group]:
    """Give the fullest of several sets of events: the same ones may be in each."""
    best: tuple[Coverage, dict[str, _Group]] | None = None
    for groups in sets:
        records = [said(group.found) for group in groups.values()]
        best = better((coverage_of(records, required), groups), best)
    assert best is not None
    return best[1]


def _addresses(group: _Group) -> list[str]:
    return [url for one in group.founds for url in (one.url, one.detail_url) if url]


def _listed(key: str, group: _Group, links: Sequence[str], asked: Asked) -> Listed:
    found = group.found
    fields = said(found)
    detail = _detail(found, fields, links, asked, group.piece.url)
    draft = dict.fromkeys(asked.required, detail) if detail else fields
    piece = replace(group.piece, detail=detail)
    return Listed(key, found.title, piece.written(), draft, detail is not None)


def _detail(
    found: Found, fields: Mapping[str, Any], links: Sequence[str], asked: Asked, page: str
) -> str | None:
    """Say where the event's own page is, if that is to be asked for; another site's is not."""
    own = {plain(url): url for url in links}
    for url in (found.detail_url, found.url):
        if url and plain(url) in own:
            return own[plain(url)]
    is_whole = all(fields.get(name) not in (None, "", []) for name in asked.required)
    url = found.detail_url
    if url is None or is_whole or registrable_domain(url) != registrable_domain(page):
        return None
    return url


def _linked(url: str, page: Answered, asked: Asked) -> Listed:
    """Give an event of which the list has nothing but a link to its page."""
    piece = Piece(page.url, page.content_type, asked.hints, detail=url)
    draft = dict.fromkeys(asked.required, url)
    return Listed(id_of_address(asked.site, url), None, piece.written(), draft, is_followed=True)


def _links(page: Answered, selector: str | None) -> list[str]:
    """Give where the links of a page lead that a selector finds, on the same site, each once."""
    if selector is None:
        return []
    text = decoded(page.body, page.encoding, page.content_type)
    found = Selector(text=text, type="html").css(selector)
    hrefs = [href for one in found for href in one.xpath("descendant-or-self::a/@href").getall()]
    here = registrable_domain(page.url)
    links: dict[str, str] = {}
    for href in hrefs:
        url = _joined(page.url, href)
        if url and registrable_domain(url) == here and plain(url) != plain(page.url):
            links.setdefault(plain(url), url)
    return list(links.values())


def _joined(base: str, href: str) -> str | None:
    try:
        url = urljoin(base, href.strip())
    except ValueError:
        return None
    return url.partition("#")[0] if url.startswith(("http://", "https://")) else None
