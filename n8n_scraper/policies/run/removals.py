"""Judge whether an inventory can be believed that lacks items which the archive has."""

from __future__ import annotations

from dataclasses import dataclass

from n8n_scraper.core.source import ITEMS, Noun


@dataclass(frozen=True, slots=True)
class Removals:
    """How many items an inventory lacks, of how many that the site was known to have."""

    missing: int
    known: int
    most_share: float
    """How large a part of them a site may have removed since the last time."""
    noun: Noun = ITEMS

    @property
    def believed(self) -> bool:
        """Whether the missing ones were removed; else the list is more likely cut short."""
        return self.missing <= self.most_share * self.known

    @property
    def doubt(self) -> str | None:
        """Say in words what was not believed; None when there was no doubt."""
        if self.believed:
            return None
        return (
            f"The site's list of {self.noun.many} lacks {self.missing} of the {self.known} that "
            f"the archive has, more than MOST_REMOVED ({100 * self.most_share:g} %) allows: none "
            "of them counts as removed. If the site did remove them, raise that setting once."
        )
