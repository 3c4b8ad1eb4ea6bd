"""What would be asked for a template, and which template an address speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from n8n_scraper.core.dossier import Dossier, Planned
from n8n_scraper.core.item import PartState
from n8n_scraper.core.outcomes import PartStatus
from n8n_scraper.core.source import Asking, Step
from n8n_scraper.core.typed_settings import Given
from n8n_scraper.sources.n8n.addresses import Addresses
from n8n_scraper.sources.n8n.pages.first_look import brought_in
from n8n_scraper.sources.n8n.rules.chain import ChainMode, Skip, next_step


def item_at(settings: Given, url: str) -> Planned | None:
    """Give the template whose page or answer stands at an address."""
    found = Addresses.from_settings(settings).layer_at(url)
    return found[1] if found else None


def steps(settings: Given, dossier: Dossier) -> dict[str, tuple[Step, ...]]:
    """Give the requests of a full and of a lean chain, if the site answers as it did last."""
    addresses = Addresses.from_settings(settings)
    return {str(mode): tuple(_steps(mode, addresses, dossier)) for mode in ChainMode}


def _steps(mode: ChainMode, addresses: Addresses, dossier: Dossier) -> Iterator[Step]:
    settled: dict[str, PartState] = {}
    brought = brought_in(dossier)
    while (step := next_step(mode, settled, brought)) is not None:
        if isinstance(step, Skip):
            settled[step.layer] = PartState(status=PartStatus.SKIPPED, reason=step.reason)
            yield Step(step.layer, None, step.reason)
        else:
            settled[step] = dossier.parts.get(step) or PartState(status=PartStatus.OK)
            yield Step(step, addresses.of(step, dossier.planned))


ASKING = Asking(item_at, steps)
