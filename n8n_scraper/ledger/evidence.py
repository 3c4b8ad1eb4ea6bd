"""Which answers are kept of an item that could not be had, so that a person sees what came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from n8n_scraper.ledger.ledger import Kept

if TYPE_CHECKING:
    from n8n_scraper.core.dossier import Dossier

LARGEST_BYTES = 1024 * 1024
"""A larger answer is not kept: a part of one would be no answer as it came."""

MOST_BYTES = 64 * 1024 * 1024
"""So much a process keeps of all that fails: when everything does, the first say why."""


class Evidence:
    """Gives the answers of items that are not stored, as long as there is room for them."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._left = most_bytes

    def of(self, dossier: Dossier) -> tuple[Kept, ...]:
        """Give those of an item, also the ones that were given up before anybody read them."""
        if not dossier.requests:
            return ()  # its inventory has brought them, and they are kept anyhow
        found = []
        for part, answer in {**dossier.answers, **dossier.unread}.items():
            size = len(answer.body)
            if part in dossier.parts and size <= min(LARGEST_BYTES, self._left):
                self._left -= size
                found.append(Kept(part, dossier.parts[part], answer, dossier.requests))
        return tuple(found)
