"""Choose from the inventory what a run is asked to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from n8n_scraper.core.dossier import Planned

if TYPE_CHECKING:
    from n8n_scraper.records.history import Stored


class Selection:
    """Takes from an inventory all of its items, or only those asked for."""

    def __init__(self, ids: Iterable[str] = (), limit: int | None = None) -> None:
        self._wanted = {item_id: Planned(item_id, listed=False) for item_id in ids}
        self._everything = not self._wanted
        self._left = limit

    def narrow_to(self, wanted: Iterable[Planned]) -> int:
        """Ask for these items only, with what is said of them; return how many are new."""
        self._everything = False
        before = len(self._wanted)
        for one in wanted:
            self._wanted[one.item_id] = replace(one, listed=False)
        return len(self._wanted) - before

    def pick(self, listed: Iterable[Planned]) -> list[Planned]:
        """Take from a part of the inventory what is asked for, in its order."""
        return list(self._limited(self._matching(listed)))

    def unlisted(self) -> list[Planned]:
        """What was asked for and never came up in the inventory: it is tried all the same."""
        return list(self._limited(iter(list(self._wanted.values()))))

    @property
    def is_full(self) -> bool:
        """Whether the limit is reached, so that reading on is of no use."""
        return self._left == 0

    def _matching(self, listed: Iterable[Planned]) -> Iterator[Planned]:
        for one in listed:
            if self._everything:
                yield one
            elif wanted := self._wanted.pop(one.item_id, None):
                yield replace(one, listing={**one.listing, **wanted.listing})

    def _limited(self, planned: Iterator[Planned]) -> Iterator[Planned]:
        for one in planned:
            if self._left == 0:
                return
            if self._left is not None:
                self._left -= 1
            yield one


def in_order_of_need(listed: Iterable[Planned], stored: Mapping[str, Stored]) -> list[Planned]:
    """Put what is not stored first, then what was renamed or is back, then the longest unseen."""
    unique = {one.item_id: one for one in listed}

    def need(planned: Planned) -> tuple[int, str]:
        known = stored.get(planned.item_id)
        if known is None:
            return 0, ""
        says = ((planned.listing.get(name), told) for name, told in known.listing.items())
        renamed = any(None not in (new, old) and new != old for new, old in says)
        return 1 if renamed or known.removed else 2, known.scraped_at

    return sorted(unique.values(), key=need)
