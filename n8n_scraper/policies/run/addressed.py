"""Tell which source a program means by a domain, and which item by an address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from n8n_scraper.core.dossier import Planned
from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.source import ItemAddress, Source
from n8n_scraper.core.typed_settings import Given, address
from n8n_scraper.core.web_address import host_of
from n8n_scraper.policies.pace.domain import registrable_domain


def source_meant(
    domain: str, sources: Iterable[Source], settings: Given, *, named: str | None = None
) -> Source | None:
    """Give the source that is at a domain; None where none is.

    Of several that are at one, `named` tells which; raise BadInput where it does not.
    """
    there = [source for source in sources if _is_at(source, domain, settings)]
    chosen = [source for source in there if source.name == named]
    if len(there) > 1 and not chosen:
        names = " and ".join(source.name for source in there)
        raise BadInput(
            f"{names} are both at {domain}: name its port too, or one of them as source."
        )
    return next(iter(chosen or there), None)


def item_at(url: str, source: Source, settings: Given) -> Planned | None:
    """Give the item that an address stands for, with what it says of it; None where it is none."""
    found = (_at(url, one, address(settings, one.base)) for one in _addresses(source))
    match = next(filter(None, found), None)
    if match is None:
        return None
    said = {name: text for name, text in match.groupdict().items() if name != "id" and text}
    return Planned(match["id"], listing=said, url=url)


def address_of(item_id: str, source: Source, settings: Given) -> str | None:
    """Write the address of an item; None where its source is at none that the settings name."""
    site = next(iter(source.places(settings)), None)
    return None if site is None else source.address_of(site, item_id)


def _addresses(source: Source) -> Iterator[ItemAddress]:
    """Give all that are understood, and last what we write ourselves."""
    yield from source.addresses
    before, after = map(re.escape, source.page.split("{id}"))
    yield ItemAddress(source.bases[0], f"{before}(?P<id>{source.ids.pattern}){after}")


def _is_at(source: Source, domain: str, settings: Given) -> bool:
    asked, port = _domain(domain), _port(domain)
    return any(
        asked == _domain(place) and port in (None, _port(place))
        for place in source.places(settings)
    )


def _domain(text: str) -> str:
    return registrable_domain(host_of(text))


def _at(url: str, one: ItemAddress, base: str) -> re.Match[str] | None:
    if host_of(url) != host_of(base) or _port(url) != _port(base):
        return None
    here, there = urlsplit(url), urlsplit(base).path
    if not here.path.startswith(there):
        return None
    path = here.path[len(there) :]
    with_fragment = re.fullmatch(one.pattern, f"{path}#{here.fragment}")
    return with_fragment or re.fullmatch(one.pattern, path)


def _port(text: str) -> int | None:
    """Give the port that is named, unless it is the usual one; -1 where what is named is none."""
    try:
        port = urlsplit(text if "//" in text else f"//{text}").port
    except ValueError:
        return -1
    return None if port in (80, 443) else port
