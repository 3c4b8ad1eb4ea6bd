"""What a person may ask of the spider on the command line, checked before anything starts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from n8n_scraper.core.errors import BadInput
from n8n_scraper.sources.n8n.rules.chain import ChainMode

# robots.txt of two hosts, the index, the sitemap, and one template.
_SMALLEST_BUDGET = 5


class CrawlMode(StrEnum):
    """What a crawl is for."""

    FULL = "full"  # everything that the inventory lists
    UPDATE = "update"  # what is new, then what was seen longest ago


@dataclass(frozen=True, slots=True)
class CrawlArguments:
    """The arguments `ids`, `limit`, `category`, `chain`, `mode` and `budget`, as values."""

    ids: tuple[str, ...] = ()
    limit: int | None = None
    category: str | None = None
    chain: ChainMode = ChainMode.FULL
    mode: CrawlMode = CrawlMode.FULL
    budget: int | None = None

    @property
    def wants_everything(self) -> bool:
        """Whether the crawl reads the whole inventory, so that what is missing in it is gone."""
        return not self.ids and self.category is None and self.limit is None

    @classmethod
    def parse(
        cls,
        ids: str | None = None,
        limit: str | None = None,
        category: str | None = None,
        chain: str | None = None,
        mode: str | None = None,
        budget: str | None = None,
        **unknown: str,
    ) -> CrawlArguments:
        """Read the arguments as they are typed; whatever makes no sense is named in one line."""
        if unknown:
            raise BadInput(
                f"-a {next(iter(unknown))}=… is no argument of this spider; "
                "it takes ids, limit, category, chain, mode and budget."
            )
        if ids and category:
            raise BadInput("-a ids and -a category exclude each other; give one of them.")
        kind = _mode(mode)
        _fits_the_mode(kind, ids=ids, category=category, budget=budget)
        return cls(
            _ids(ids),
            _limit(limit),
            _category(category),
            _chain(chain, ChainMode.LEAN if kind is CrawlMode.UPDATE else ChainMode.FULL),
            kind,
            _budget(budget),
        )


def _fits_the_mode(mode: CrawlMode, **given: str | None) -> None:
    """An update chooses by itself what it asks for, and only an update has a budget."""
    needless = ("ids", "category") if mode is CrawlMode.UPDATE else ("budget",)
    for name in needless:
        if given[name] is not None:
            goes = "goes only with" if name == "budget" else "does not go with"
            raise BadInput(f"-a {name} {goes} -a mode=update.")


def _ids(text: str | None) -> tuple[str, ...]:
    if text is None:
        return ()
    ids = [part.strip() for part in text.split(",") if part.strip()]
    wrong = next((part for part in ids if not re.fullmatch(r"[1-9][0-9]{0,17}", part)), None)
    if wrong is not None or not ids:
        raise BadInput(
            f"-a ids={text}: {wrong or 'nothing'} is not a template id. "
            "Write numbers with commas, as in -a ids=2462,1954."
        )
    return tuple(dict.fromkeys(ids))


def _limit(text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[1-9][0-9]{0,9}", str(text).strip()):
        raise BadInput(f"-a limit={text}: write how many templates at most, as in -a limit=500.")
    return int(text)


def _category(text: str | None) -> str | None:
    if text is None:
        return None
    if not text.strip():
        raise BadInput("-a category= needs a name, as in -a category='Lead Generation'.")
    return text.strip()


def _mode(text: str | None) -> CrawlMode:
    if text is None:
        return CrawlMode.FULL
    try:
        return CrawlMode(text)
    except ValueError:
        raise BadInput(f"-a mode={text}: write mode=full or mode=update.") from None


def _budget(text: str | None) -> int | None:
    if text is None:
        return None
    digits = str(text).strip()
    if not re.fullmatch(r"[1-9][0-9]{0,9}", digits) or int(digits) < _SMALLEST_BUDGET:
        raise BadInput(
            f"-a budget={text}: write how many requests at most, "
            f"{_SMALLEST_BUDGET} or more, as in -a budget=500."
        )
    return int(digits)


def _chain(text: str | None, otherwise: ChainMode) -> ChainMode:
    if text is None:
        return otherwise
    try:
        return ChainMode(text)
    except ValueError:
        raise BadInput(f"-a chain={text}: write chain=full or chain=lean.") from None
